import type { RequestListener } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { keepAnswers } from '../api/kept-answers.ts';
import { operationRoutes } from '../api/operation-routes.ts';
import { watchFeed } from '../audit/feed-watch.ts';
import { shareReads } from '../audit/shared-reads.ts';
import { authenticateCallers, callerId, shareOf } from '../auth/callers/authentication.ts';
import { authorisedDatabase } from '../auth/callers/authorised-writes.ts';
import { signInConnections } from '../auth/callers/connections.ts';
import { firstSignIn } from '../auth/callers/first-sign-in.ts';
import { type Database, databaseWhile, type IsWanted, type Reader, readerWhile } from '../db/database.ts';
import { ALL_ENTITIES } from '../entities/entities.ts';
import { brandOf, isBranded, logoFile } from '../features/console/brand.ts';
import type { ConsoleFiles } from '../features/console/console-files.ts';
import { consolePage, consolePages } from '../features/console/console-routes.ts';
import { signInOptions } from '../features/console/sign-in-options.ts';
import { documentationPages } from '../features/documentation/documentation-routes.ts';
import type { Geography } from '../features/geography/geography-responses.ts';
import { healthByDependency } from '../features/health/health-schemas.ts';
import { isReady, readinessOf } from '../features/health/readiness.ts';
import { addFirstAdmin } from '../features/people/add-people.ts';
import { isScimUrl, normalizeScimUrl, scimRoutes, sendScimError } from '../features/scim/scim-plugin.ts';
import { probeOf, type ResolveTexts } from '../features/sign-in-connections/probe.ts';
import { profileKeys } from '../features/travellers/sealed-numbers.ts';
import { webhookFigures } from '../features/webhooks/delivery-queries.ts';
import { webhookTargets } from '../features/webhooks/webhook-targets.ts';
import { guardConnections } from '../http/connections/guard-connections.ts';
import { boundBodies } from '../http/limits/body-budget.ts';
import { addressReader, trustedProxies } from '../http/limits/client-address.ts';
import { createLimits } from '../http/limits/limits.ts';
import { type CalledPath, calledAddress, calledPath, withoutBasePath } from '../http/request/called-address.ts';
import { acceptJsonBodies } from '../http/request/json-body.ts';
import { checkRequests } from '../http/request/request-checks.ts';
import { createLog, logRequests } from '../http/request/request-log.ts';
import { compressAnswers } from '../http/response/compression.ts';
import { allowOrigins } from '../http/response/cors.ts';
import { handleErrors, sendError } from '../http/response/error-handler.ts';
import { serverOptions } from '../http/server-options.ts';
import { batchLoader } from '../lib/batch-loader.ts';
import { hostResolver, type ResolveHost } from '../lib/resolve-host.ts';
import { measureRequests } from '../metrics/measured-requests.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { OPERATIONS, type Services } from './all-operations.ts';
import type { Context } from './context.ts';

export type AppContext = Pick<
  Context,
  'config' | 'db' | 'replica' | 'verifyToken' | 'signToken' | 'identityProvider' | 'seal'
> & {
  geography: Geography;
  /** Absent: a logger built from the settings. */
  log?: Logger;
  /** Built pages of the console; absent: the API alone. */
  consoleFiles?: ConsoleFiles;
  /** Aborted when the service is to stop: it reports not ready but still answers requests. */
  stop?: AbortSignal;
  /** Webhook delivery attempts by outcome, if this process delivers. */
  webhookAttempts?: Readonly<Record<string, number>> | undefined;
  /** Resolves host names of webhook targets; absent: by the hosts file and DNS. */
  resolveHost?: ResolveHost;
  /** Reads TXT records of DNS; absent: from the name servers of the system. */
  resolveTexts?: ResolveTexts;
  /** Absent: no metrics. */
  metrics?: Metrics | undefined;
  /** Absent: no spans. */
  tracing?: Tracing | undefined;
};

/** Paths that pages of any origin may call. */
const PUBLIC_PATHS = OPERATIONS.filter(({ allowAnyOrigin }) => allowAnyOrigin).map(({ path }) => path);

const PROVIDER_FAILED = 'The identity provider did not answer as it should: keys that are known stay in use';

const CONNECTION_FAILED = 'The provider of a sign-in connection did not answer as it should';

const REPLICA_CHANGED = 'The state of the replica: while it is not up, lists are read from the primary';

/** Builds the HTTP service: the hooks that apply to every request, then the routes of operations and pages. */
export async function buildApp(context: AppContext): Promise<FastifyInstance> {
  const { config, replica, verifyToken, identityProvider, geography, stop, metrics, tracing, consoleFiles } = context;
  const { resolveHost = hostResolver() } = context;
  const db = tracing?.traceStatements(context.db) ?? context.db;
  const batch = tracing?.batchLoader ?? batchLoader;
  const isTrusted = trustedProxies(config.trustProxy);
  const app = Fastify({
    ...serverOptions(context.log ?? createLog(config.logLevel)),
    keepAliveTimeout: config.keepAliveTimeout,
    trustProxy: isTrusted,
    // A format of the contract, for its readers.
    serializerOpts: { ajv: { formats: { decimal: true } } },
    rewriteUrl: ({ url = '' }) => normalizeScimUrl(withoutBasePath(url, config.basePath)),
    frameworkErrors: (error, request, reply) => {
      void (isScimUrl(request.url) ? sendScimError : sendError)(error, request, reply);
    },
  });
  const measured = metrics && measureRequests(app, metrics.requests);
  const spans = tracing?.traceRequests(app);
  logRequests(app, callerId);
  const addressOf = addressReader(config.trustProxy, app.log);
  const limitSettings = { ...config, maxRequestsInFlight: config.maxRequestsUnderWay };
  const limits = createLimits(limitSettings, addressOf);
  handleErrors(app);
  allowOrigins(app, config.corsOrigins, PUBLIC_PATHS);
  const hostRules = { permitsPrivate: config.webhookPrivateTargets, resolveHost };
  const connections = signInConnections(db, hostRules, (reason, connectionId) =>
    app.log.warn({ reason, connectionId }, CONNECTION_FAILED),
  );
  app.addHook('onClose', async () => connections[Symbol.dispose]());
  const proxy = { isTrusted: isTrusted || (() => false), basePath: config.basePath };
  const pathOf: CalledPath = ({ request }) => calledPath(request.raw, proxy);
  const brand = brandOf(config);
  const sendPage = consoleFiles && consolePage(consoleFiles, identityProvider, pathOf, brand);
  checkRequests(app, sendPage);
  authenticateCallers(app, {
    db,
    verifyToken: connections.verifying(verifyToken, config.tokenIssuer),
    limits,
    signIn: firstSignIn(db, identityProvider, connections),
    batchLoader: batch,
  });
  const bodies = boundBodies(app, {
    bytes: config.bodyMemory,
    ownerOf: (request) => shareOf(request) ?? limits.networkOf(request),
  });
  keepAnswers(app, db, context.seal);
  compressAnswers(app);

  app.addHook('onReady', async () => identityProvider?.start((error) => app.log.warn({ err: error }, PROVIDER_FAILED)));
  app.addHook('onClose', async () => identityProvider?.[Symbol.dispose]());
  app.addHook('onReady', async () => replica?.start((state) => app.log.warn({ replica: state }, REPLICA_CHANGED)));

  const targets = webhookTargets(hostRules);
  app.addHook('onClose', async () => targets[Symbol.dispose]());
  const checkReadiness = readinessOf({ db, replica, identityProvider });
  const services = {
    entities: ALL_ENTITIES,
    geography,
    checkReadiness,
    stop,
    defaultCurrency: config.defaultCurrency,
    timeZone: config.timeZone,
    addFirstAdmin,
    profileKeys: profileKeys(config.profileKey, config.profileKeyPrevious),
    feed: { ...watchFeed(db, stop), ...shareReads(db, batch) },
    webhookTargets: targets,
    connections,
    probe: probeOf(hostRules, context.resolveTexts),
    platformIssuer: config.tokenIssuer,
    mails: config.smtpUrl ? ('sent' as const) : config.mailEvents ? ('left' as const) : undefined,
    offer: signInOptions({ ...context, connections }),
    brand: isBranded(brand) ? brand : undefined,
    calledAddress: (request: FastifyRequest) => calledAddress(request, proxy),
  };
  const servicesFor = requestServices(services, db, replica ?? db);
  app.register(async (api) => {
    acceptJsonBodies(api);
    const operations = OPERATIONS.filter(({ standard }) => standard === undefined);
    operationRoutes(api, operations, servicesFor);
    documentationPages(api, pathOf, services.calledAddress, (request) => servicesFor(request).lists, config.brandName);
    if (consoleFiles && sendPage) consolePages(api, consoleFiles, sendPage, connections, logoFile(config));
  });
  scimRoutes(app, servicesFor);
  await app.ready();

  let listener: RequestListener = app.routing;
  if (measured) listener = measured.around(listener);
  if (spans) listener = spans(listener);
  const guarded = guardConnections(app.server, listener, ({ req }) => limits.networkOf({ raw: req }));
  app.server.removeAllListeners('request').on('request', guarded.listener);
  metrics?.watch({
    poolFigures: db.poolFigures,
    embeddedFigures: db.embeddedFigures,
    limitFigures: () => ({ ...limits.figures(), bodies: bodies.refused, dropped: guarded.dropped }),
    geography,
    webhooks: { attempts: context.webhookAttempts, figures: () => webhookFigures(db) },
    readiness: async () => {
      const states = await checkReadiness();
      return { isReady: isReady(states) && !stop?.aborted, dependencies: healthByDependency(states) };
    },
  });
  return app;
}

/**
 * Returns a factory of per-request services. Database handles are created lazily: the public lists use none.
 *
 * @param lists database for list reads
 */
function requestServices(
  services: Omit<Services, 'db' | 'lists' | 'detachedDb'>,
  db: Database,
  lists: Reader,
): (request: FastifyRequest) => Services {
  // The shared ones are those of the prototype: copying them would cost each request a fiftieth of its time.
  class OwnServices {
    readonly #request: FastifyRequest;
    constructor(request: FastifyRequest) {
      this.#request = request;
    }
    get db() {
      const own = databaseWhile(wantedBy(this.#request), db);
      return authorisedDatabase(this.#request, this.#request.keeping?.hold(own) ?? own);
    }
    get detachedDb() {
      return this.#request.keeping?.behind(db) ?? db;
    }
    get lists() {
      return readerWhile(wantedBy(this.#request), lists);
    }
  }
  Object.assign(OwnServices.prototype, services);
  return (request) => new OwnServices(request) as OwnServices & typeof services;
}

/** Returns whether work for a request is still wanted: until its connection closes. */
function wantedBy(request: FastifyRequest): IsWanted {
  const { userId, keyId } = callerId(request);
  const [share, member] = [shareOf(request), userId ?? keyId];
  const isWanted = () => !request.raw.socket.destroyed;
  return share === undefined || member === undefined ? isWanted : Object.assign(isWanted, { share, member });
}
