import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Sql } from 'sql-template-tag';
import { hashOfKey } from '../../../src/auth/callers/api-keys.ts';
import { assertRefused } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';

const PROXY = { TRUST_PROXY: '127.0.0.1' };
const USERS = ['11111111-2222-4333-8444-555555555555', '11111111-2222-4333-8444-666666666666'] as const;
const UPDATE = { method: 'POST', url: '/api/users/update-profile', payload: {} } as const;

/** Nobody is in this database. */
function countingDatabase() {
  const counting = {
    queries: 0,
    query: async () => {
      counting.queries += 1;
      return [];
    },
  };
  return counting;
}

async function call({ app, context }: BareApp, user: string, request: InjectOptions): Promise<LightMyRequestResponse> {
  const authorization = `Bearer ${await context.signToken(user, 60)}`;
  return app.inject({ ...request, headers: { authorization, 'x-forwarded-for': '192.0.2.1' } });
}

describe('the rate limit of writes', () => {
  it('the rate limit of writes counts each user over all methods, before a database query', async () => {
    const database = countingDatabase();
    await using bare = await buildBareApp({ ...database, settings: { ...PROXY, RATE_LIMIT_WRITES: '2' } });
    assertRefused(await call(bare, USERS[0], UPDATE), 401, 'INVALID_TOKEN');
    assertRefused(await call(bare, USERS[0], { url: '/api/users/update-profile' }), 401, 'INVALID_TOKEN');
    for (const url of ['/api/users/update-profile', '/api/webhooks/create', '/api/departments/create']) {
      const answer = await call(bare, USERS[0], { ...UPDATE, url });
      assertRefused(answer, 429, 'TOO_MANY_REQUESTS');
      const seconds = String(answer.headers['retry-after']);
      assert.match(seconds, /^[1-9]\d*$/);
      assert.equal(answer.headers['ratelimit-policy'], '"write";q=2;w=60');
      assert.equal(answer.headers.ratelimit, `"write";r=0;t=${seconds}`);
    }
    assertRefused(await call(bare, USERS[1], UPDATE), 401, 'INVALID_TOKEN');
  });

  it('the rate limit of writes does not count reads', async () => {
    await using bare = await buildBareApp({ ...countingDatabase(), settings: { ...PROXY, RATE_LIMIT_WRITES: '1' } });
    assertRefused(await call(bare, USERS[0], UPDATE), 401, 'INVALID_TOKEN');
    assertRefused(await call(bare, USERS[0], UPDATE), 429, 'TOO_MANY_REQUESTS');
    for (let time = 0; time < 3; time++) {
      const answer = await call(bare, USERS[0], { url: '/api/users/profile' });
      assertRefused(answer, 401, 'INVALID_TOKEN');
      assert.equal(answer.headers['ratelimit-policy'], '"user";q=600;w=60');
    }
  });

  it('the rate limit of writes is 60, off at 0, and off on this machine without a trusted proxy', async () => {
    const statuses = async (settings: Record<string, string>) => {
      await using bare = await buildBareApp({
        ...countingDatabase(),
        settings: { RATE_LIMIT_BAD_TOKENS: '0', ...settings },
      });
      const answers: number[] = [];
      for (let time = 0; time < 61; time++) answers.push((await call(bare, USERS[0], UPDATE)).statusCode);
      return answers;
    };
    const allowed = Array.from({ length: 60 }, () => 401);
    assert.deepEqual(await statuses(PROXY), [...allowed, 429]);
    assert.deepEqual(await statuses({ ...PROXY, RATE_LIMIT_WRITES: '0' }), [...allowed, 401]);
    assert.deepEqual(await statuses({ RATE_LIMIT_WRITES: '1' }), [...allowed, 401]);
  });

  it('the rate limit of writes does not apply to API keys', async () => {
    const key = { keyId: USERS[0], companyId: null, createdBy: null, scopes: 'users.read' };
    const query = async <Row extends object>({ text }: Sql): Promise<Row[]> =>
      (/^\s*select hash,/.test(text) ? [{ hash: hashOfKey('odk_good'), ...key }] : []) as unknown as Row[];
    await using bare = await buildBareApp({ query, settings: { ...PROXY, RATE_LIMIT_WRITES: '1' } });
    const headers = { authorization: 'Bearer odk_good', 'x-forwarded-for': '192.0.2.1' };
    for (let time = 0; time < 3; time++) {
      const answer = await bare.app.inject({ ...UPDATE, headers });
      assertRefused(answer, 403, 'SCOPE_REQUIRED');
      assert.equal(answer.headers['ratelimit-policy'], '"user";q=600;w=60');
    }
  });
});
