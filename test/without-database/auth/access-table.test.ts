import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify, { type FastifyInstance, type RouteShorthandOptions } from 'fastify';
import { OPERATIONS } from '../../../src/app/all-operations.ts';
import { anyone, platformStaff } from '../../../src/auth/callers/access.ts';
import { authenticateCallers } from '../../../src/auth/callers/authentication.ts';
import { createLimits } from '../../../src/http/limits/limits.ts';
import { batchLoader } from '../../../src/lib/batch-loader.ts';

const answer = async () => ({});

const unlimited = { publicLists: 0, user: 0, scim: 0, writes: 0, company: 0, badTokens: 0 };
const limits = createLimits({ trustProxy: [], rateLimits: unlimited, maxRequestsInFlight: 1 }, () => '');

/** A service of which nothing is known but that it authenticates its callers; every token is refused. */
function service(): FastifyInstance {
  const app = Fastify();
  const db = { mayWrite: true as const, query: () => assert.fail() };
  authenticateCallers(app, { db, limits, batchLoader, verifyToken: refuse });
  return app;
}

function forOperation(access: typeof anyone | typeof platformStaff): RouteShorthandOptions {
  return { config: { operation: { id: 'some.thing', access } } };
}

describe('a route', () => {
  it('a route without an operation prevents the start of the service, in any scope', async () => {
    for (const options of [{}, { config: {} }]) {
      const app = service();
      assert.throws(() => app.get('/forgotten', options, answer), /GET \/forgotten states no operation/);
      await using inner = service();
      inner.register(async (scope) => scope.register(async (deep) => deep.post('/inner', options, answer)));
      await assert.rejects(async () => inner.ready(), /POST \/inner states no operation/);
    }
  });

  it('a route needs no token only if its operation is public, in any scope', async () => {
    await using app = service();
    app.get('/public', forOperation(anyone), answer);
    app.get('/staff', forOperation(platformStaff), answer);
    app.register(async (scope) => {
      scope.post('/inner', forOperation(platformStaff), answer);
      scope.get('/open', forOperation(anyone), answer);
    });
    for (const [method, url, status] of [
      ['GET', '/public', 200],
      ['HEAD', '/public', 200],
      ['GET', '/open', 200],
      ['GET', '/staff', 401],
      ['HEAD', '/staff', 401],
      ['POST', '/inner', 401],
    ] as const) {
      assert.equal((await app.inject({ method, url })).statusCode, status, `${method} ${url}`);
    }
  });
});

describe('the operations', () => {
  it('the operation ids have one form, and the operation names of the OpenAPI document begin with a verb', () => {
    const odd = OPERATIONS.filter(
      ({ id, operationId }) =>
        !/^[a-z][A-Za-z]+(?:\.[a-z][A-Za-z]+){0,2}$/.test(id) || !/^[a-z]+[A-Z][A-Za-z]+$/.test(operationId),
    );
    assert.deepEqual(
      odd.map(({ id, operationId }) => [id, operationId]),
      [],
    );
  });

  it('the operation names of the OpenAPI document are unique, and so are the paths except those of a standard', () => {
    assert.equal(new Set(OPERATIONS.map(({ operationId }) => operationId)).size, OPERATIONS.length);
    const ways = OPERATIONS.flatMap(({ standard, methods, path }) =>
      standard === undefined ? [path] : methods.map((method) => `${method} ${path}`),
    );
    assert.equal(new Set(ways).size, ways.length);
  });

  it('only the geography lists, the health checks and the console configuration need no token', () => {
    const open = OPERATIONS.filter(({ access }) => access.name === 'public').map(({ path }) => path);
    assert.deepEqual(open.sort(), [
      '/api/cities/list',
      '/api/countries/list',
      '/api/states/list',
      '/console/config',
      '/livez',
      '/readyz',
    ]);
  });
});

// biome-ignore lint/correctness/useYield: no token is good.
async function* refuse(): AsyncGenerator<never, void> {
  throw new Error('refused');
}
