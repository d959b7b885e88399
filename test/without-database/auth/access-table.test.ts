import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import Fastify, { type FastifyInstance, type RouteShorthandOptions } from 'fastify';
import { ACCESS_TABLE, type Operation } from '../../../src/auth/access-table.ts';
import { authenticate, enforceAccessTable } from '../../../src/auth/authentication.ts';
import { createLimits } from '../../../src/http/limits.ts';

const answer = async () => ({});

/** A service of which nothing is known but that it enforces the access table. */
function service(): FastifyInstance {
  const app = Fastify();
  enforceAccessTable(app);
  return app;
}

const limits = createLimits({
  trustProxy: [],
  rateLimits: { publicLists: 0, user: 0, badTokens: 0 },
  maxRequestsUnderWay: 1,
});

function falls(operation: string): RouteShorthandOptions {
  return { config: { operation: operation as Operation } };
}

function authenticated(app: FastifyInstance, routes: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    authenticate(scope, { verifyToken: () => assert.fail(), findCaller: () => assert.fail(), limits });
    routes(scope);
  });
}

describe('the access table', () => {
  it('lets a service start whose routes stand under it', async () => {
    await using app = service();
    app.get('/public', falls('documentation'), answer);
    authenticated(app, (scope) => {
      for (const operation of Object.keys(ACCESS_TABLE)) scope.post(`/${operation}`, falls(operation), answer);
      scope.register(async (inner) => inner.get('/inner', falls('companies.list'), answer));
    });
    await app.ready();
  });

  it('keeps a service from starting where a route states no operation', async () => {
    for (const options of [{}, { config: {} }]) {
      await using app = service();
      app.get('/forgotten', options, answer);
      await assert.rejects(async () => app.ready(), /GET \/forgotten states no operation of the access table/);
    }
  });

  it('keeps a service from starting where an authenticated route states no operation', async () => {
    await using app = service();
    authenticated(app, (scope) => scope.post('/forgotten', answer));
    await assert.rejects(async () => app.ready(), /POST \/forgotten states no operation/);
  });

  it('keeps a service from starting where a route states an operation that the table does not have', async () => {
    for (const operation of ['companies.delete', 'toString', '__proto__', '']) {
      await using app = service();
      authenticated(app, (scope) => scope.get('/unknown', falls(operation), answer));
      await assert.rejects(async () => app.ready(), /GET \/unknown states no operation/, operation);
    }
  });

  for (const [operation, access] of Object.entries(ACCESS_TABLE)) {
    if (access === 'public') continue;
    it(`keeps a service from starting where ${operation} stands outside of an authenticated scope`, async () => {
      await using app = service();
      authenticated(app, (scope) => scope.get('/inside', falls(operation), answer));
      app.register(async (scope) => scope.get('/outside', falls(operation), answer));
      await assert.rejects(
        async () => app.listen({ port: 0, host: '127.0.0.1' }),
        /Routes that nothing protects: GET \/outside is not public and authenticates nobody; HEAD \/outside is not/,
      );
    });
  }

  it('names all routes that nothing protects', async () => {
    await using app = service();
    app.post('/one', answer);
    app.put('/two', falls('profile.update'), answer);
    await assert.rejects(async () => app.ready(), /POST \/one states no operation.*PUT \/two is not public/);
  });
});

it('docs/security.md tells the access table, and no other', () => {
  const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
  const rows = Array.from(text.matchAll(/^\| `([\w.]+)` \| (\w+) \|$/gm), ([, operation, access]) => [
    operation,
    access,
  ]);
  assert.deepEqual(rows, Object.entries(ACCESS_TABLE));
});
