import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { after, describe, it, mock } from 'node:test';
import zlib from 'node:zlib';
import { buildBareApp } from '../../support/bare-app.ts';

const bare = await buildBareApp();
after(() => bare[Symbol.asyncDispose]());

describe('the documentation page', () => {
  it('the documentation page and its scripts and styles are served by this service', async () => {
    const [page, same] = await Promise.all(['/docs', '/docs/'].map((url) => bare.app.inject(url)));
    assert.ok(page && same?.body === page.body);
    assert.deepEqual([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
    const files = Array.from(page.body.matchAll(/(?:src|href)="([^"]*)"/g), ([, url = '']) => url);
    assert.ok(files.length >= 4);
    const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', png: 'image/png' };
    for (const file of files.filter((url) => url !== '/docs/guides')) {
      assert.match(file, /^\/docs\/[\w.-]+$/);
      const { statusCode, headers, rawPayload } = await bare.app.inject(file);
      assert.equal(statusCode, 200, file);
      assert.equal(headers['content-type'], types[file.split('.').at(-1) as keyof typeof types]);
      assert.ok(rawPayload.length > 50);
    }
  });

  it('the documentation page requests nothing from another host', async () => {
    const [page, start, styles] = await Promise.all(
      ['/docs', '/docs/start.js', '/docs/swagger-ui.css'].map((url) => bare.app.inject(url)),
    );
    for (const response of [page, start]) assert.doesNotMatch(response?.body ?? '', /\/\/[\w.-]+\.\w/);
    assert.doesNotMatch(styles?.body ?? '', /@import|url\(["']?(?!data:|["']?data:)/);
    assert.match(
      start?.body ?? '',
      /url: new URL\('\.\.\/openapi\.json', document\.currentScript\.src\).*validatorUrl: null/s,
    );
    assert.match(start?.body ?? '', /persistAuthorization: true/);
    for (const response of [page, start, styles]) {
      assert.match(String(response?.headers['content-security-policy']), /^default-src 'self'; (?!.*https?:)/);
    }
  });

  it('the documentation page has no inline script or style', async () => {
    const { body } = await bare.app.inject('/docs');
    assert.doesNotMatch(body, /<script>|<style|\son\w+=|\sstyle=/);
  });

  it('the documentation page can be cached, and other files of its package return 404', async () => {
    for (const url of ['/docs', '/openapi.json', '/docs/swagger-ui-bundle.js']) {
      assert.match(String((await bare.app.inject(url)).headers['cache-control']), /^public, max-age=\d+$/);
    }
    for (const url of [
      '/docs/package.json',
      '/docs/../package.json',
      '/docs/swagger-initializer.js',
      '/docs/errors.md',
    ]) {
      assert.equal((await bare.app.inject(url)).statusCode, 404, url);
    }
  });

  it('the API documents with tags have only their operations and the components that these use', async () => {
    for (const url of ['/openapi.json', '/openapi-3.0.json']) {
      const whole = (await bare.app.inject(url)).json();
      const answer = await bare.app.inject(`${url}?tags=bands,Webhooks`);
      const part = answer.json();
      const tags = Object.values<Record<string, { tags: string[] }>>(part.paths).flatMap((operations) =>
        Object.values(operations).flatMap((operation) => operation.tags),
      );
      assert.deepEqual([...new Set(tags)].sort(), ['Bands', 'Webhooks']);
      for (const [, kind = '', name = ''] of answer.body.matchAll(/"#\/components\/([^"/]+)\/([^"/]+)"/g)) {
        assert.ok(part.components[kind][name], `${kind} ${name}`);
      }
      const sizeOf = (document: { components: { schemas: object } }) => Object.keys(document.components.schemas).length;
      assert.ok(sizeOf(part) < sizeOf(whole) / 2);
      assert.match(part.servers[0].url, /^https?:\/\/[^/]+$/);
      assert.equal((await bare.app.inject(`${url}?tags=Nothing`)).statusCode, 400);
    }
  });

  it('the API documents have no lookaround in patterns, and the one of 3.0 no enum of booleans and no choice of one', async () => {
    const [newer = '', older = ''] = await Promise.all(
      ['/openapi.json', '/openapi-3.0.json'].map(async (url) => (await bare.app.inject(url)).body),
    );
    assert.doesNotMatch(newer, /"pattern":\s*"[^"]*\(\?[=!<]/);
    JSON.parse(older, (_, value) => {
      if (value?.type === 'boolean') assert.equal(value.enum, undefined);
      if (value?.anyOf !== undefined) assert.ok(value.anyOf.length > 1);
      return value;
    });
  });

  it('the documentation page is compressed once per encoding, also for simultaneous requests', async () => {
    await using service = await buildBareApp();
    const compress = (['brotliCompress', 'brotliCompressSync', 'gzip', 'gzipSync'] as const).map((name) =>
      mock.method(zlib, name),
    );
    syncBuiltinESMExports();
    try {
      const files = [
        '/docs/swagger-ui-bundle.js',
        '/docs/swagger-ui.css',
        '/openapi.json',
        '/openapi-3.0.json',
        '/docs/errors',
        '/docs/guides',
      ];
      const asks = files.flatMap((url) =>
        ['br', 'gzip'].map((encoding) => ({ url, headers: { 'accept-encoding': encoding } })),
      );
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all([...asks, ...asks].map((ask) => service.app.inject(ask)));
        assert.ok(answers.every(({ headers }) => headers['content-encoding'] !== undefined));
      }
      assert.deepEqual(
        compress.map((one) => one.mock.callCount()),
        [files.length, 0, files.length, 0],
      );
    } finally {
      for (const one of compress) one.mock.restore();
      syncBuiltinESMExports();
    }
  });
});
