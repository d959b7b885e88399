# The program and what it needs to run, and nothing that installs packages: decision 47 gives the reasons.
#   docker build --tag orgdesk:1.0.0-rc.1 .
# Behind a mirror of the registry, by npm's own settings: --secret id=npmrc,src=$HOME/.npmrc
# To build the same image again, name it by its digest: --build-arg NODE_IMAGE=node:24-slim@sha256:…
ARG NODE_IMAGE=node:24-slim
FROM $NODE_IMAGE AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The commit that is built, for `orgdesk_build_info`: --build-arg SOURCE_COMMIT=$(git rev-parse --short=12 HEAD)
ARG SOURCE_COMMIT
RUN npm run --silent build && npm pack --silent
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm install --global --prefix /package --no-audit --no-fund orgdesk-*.tgz \
    && find /package -path '*/pglite/dist/*' \( -name '*.map' -o -name '*.cjs' -o -name '*.cts' -o -name '*.tar.gz' \) -delete

FROM $NODE_IMAGE AS system
RUN rm -rf /opt/yarn-* /usr/local/include /usr/local/lib/node_modules /usr/local/share \
    && find /usr/local/bin -mindepth 1 ! -name node -delete \
    && install -d -o 10001 -g 0 -m 0770 /data
COPY --from=package /package /usr/local

# What has been removed above takes no space here.
FROM scratch
COPY --from=system / /
ARG SOURCE_COMMIT
LABEL org.opencontainers.image.title=orgdesk org.opencontainers.image.licenses=Apache-2.0 \
    org.opencontainers.image.version=1.0.0-rc.1 org.opencontainers.image.revision=$SOURCE_COMMIT
# By itself Node 24 lets its young generation grow to where it takes a third more memory, and each thread keeps what it
# once took (docs/deployment.md).
ENV NODE_OPTIONS="--max-semi-space-size=16 --v8-pool-size=1" MALLOC_ARENA_MAX=2
ENV PATH=/usr/local/bin:/usr/bin:/bin HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Any other does as well whose group is 0, or who may write to what is mounted at /data.
USER 10001:0
VOLUME /data
EXPOSE 3000
# Whether it serves. A database that is away is no reason to start it anew: /readyz tells of that.
HEALTHCHECK --interval=10s --timeout=5s --start-period=180s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["orgdesk"]
CMD ["serve"]
