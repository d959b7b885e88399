import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Fastify from 'fastify';
import type { Sql } from 'sql-template-tag';
import { platformStaff } from '../../../src/auth/callers/access.ts';
import { hashOfKey } from '../../../src/auth/callers/api-keys.ts';
import { authenticateCallers } from '../../../src/auth/callers/authentication.ts';
import { createLimits } from '../../../src/http/limits/limits.ts';
import { batchLoader } from '../../../src/lib/batch-loader.ts';
import { assertRefused } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Behind a proxy on this machine, so that callers can come from anywhere. */
const PROXY = { TRUST_PROXY: '127.0.0.1' };
const [HERE, ELSEWHERE] = ['192.0.2.1', '192.0.2.2'];
const USER = '11111111-2222-4333-8444-555555555555';
/** What a good key gets here: it has no scope for the list. */
const GOOD = 403;

/** A database that knows these keys and nobody else, and how often keys have been looked up in it. */
function keyTable(...keys: string[]) {
  const good = new Set(keys.map(hashOfKey));
  const table = {
    lookups: 0,
    revoke: (key: string) => void good.delete(hashOfKey(key)),
    async query<Row extends object>({ text }: Sql): Promise<Row[]> {
      if (!/^\s*select hash,/.test(text)) return [];
      table.lookups += 1;
      const key = { keyId: USER, companyId: null, createdBy: null, scopes: 'bookings.write' };
      return [...good].map((hash) => ({ hash, ...key })) as unknown as Row[];
    },
  };
  return table;
}

async function call({ app }: BareApp, key: string, from: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': from };
  return (await app.inject({ url: '/api/users/list', headers })).statusCode;
}

const unknown = (number: number) => `odk_unknown${number}`;

describe('an API key that is not known', () => {
  it('an unknown API key gets 429 without a look-up once its address has used up its bad tokens', async () => {
    const table = keyTable();
    await using bare = await buildBareApp({ ...table, settings: { ...PROXY, RATE_LIMIT_BAD_TOKENS: '2' } });
    for (const [number, status] of [401, 401, 429, 429, 429].entries())
      assert.equal(await call(bare, unknown(number), HERE), status);
    assert.equal(table.lookups, 2);
    const together = await Promise.all(
      Array.from({ length: 50 }, (_, number) => call(bare, unknown(number), ELSEWHERE)),
    );
    assert.equal(together.filter((status) => status === 401).length, 2);
  });

  it('a known API key is accepted from an address with too many bad tokens, after a look-up each time', async () => {
    const table = keyTable('odk_good', 'odk_new');
    await using bare = await buildBareApp({ ...table, settings: { ...PROXY, RATE_LIMIT_BAD_TOKENS: '1' } });
    assert.equal(await call(bare, 'odk_good', HERE), GOOD);
    for (const status of [401, 429]) assert.equal(await call(bare, unknown(1), HERE), status);
    const before = table.lookups;
    for (let time = 1; time <= 3; time++) {
      assert.equal(await call(bare, 'odk_good', HERE), GOOD);
      assert.equal(table.lookups, before + time);
    }
    assert.equal(await call(bare, 'odk_new', HERE), 429);
    assert.equal(await call(bare, 'odk_new', ELSEWHERE), GOOD);
    assert.equal(await call(bare, 'odk_new', HERE), GOOD);
  });

  it('a revoked API key gets 401, and counts as an unknown one for its address', async () => {
    const table = keyTable('odk_good');
    await using bare = await buildBareApp({ ...table, settings: { ...PROXY, RATE_LIMIT_BAD_TOKENS: '2' } });
    assert.equal(await call(bare, 'odk_good', HERE), GOOD);
    table.revoke('odk_good');
    for (const status of [401, 401]) assert.equal(await call(bare, 'odk_good', HERE), status);
    const before = table.lookups;
    assert.equal(await call(bare, 'odk_good', HERE), 429);
    assert.equal(table.lookups, before);
  });

  it('a good API key does not count as unknown in parallel first uses or while the database fails', async () => {
    const table = keyTable('odk_good');
    let fails = true;
    const query = <Row extends object>(statement: Sql) =>
      fails ? Promise.reject(new TypeError('no database')) : table.query<Row>(statement);
    await using bare = await buildBareApp({ query, settings: { ...PROXY, RATE_LIMIT_BAD_TOKENS: '1' } });
    for (let time = 0; time < 3; time++) assert.equal(await call(bare, 'odk_good', HERE), 500);
    fails = false;
    const together = await Promise.all(Array.from({ length: 20 }, () => call(bare, 'odk_good', HERE)));
    assert.deepEqual(new Set(together), new Set([GOOD]));
    for (const status of [401, 429]) assert.equal(await call(bare, unknown(1), HERE), status);
  });

  it('an unknown API key counts once for each of many parallel requests', async () => {
    await using bare = await buildBareApp({ ...keyTable(), settings: { ...PROXY, RATE_LIMIT_BAD_TOKENS: '2' } });
    const together = await Promise.all(Array.from({ length: 20 }, () => call(bare, unknown(1), HERE)));
    assert.equal(together.filter((status) => status === 401).length, 2);
    assert.equal(together.filter((status) => status === 429).length, 18);
  });

  it('an unknown API key takes no slot of the requests in flight', async () => {
    const waiting: (() => void)[] = [];
    const query = async ({ text }: Sql) =>
      /^\s*select/.test(text) ? new Promise<never[]>((resolve) => waiting.push(() => resolve([]))) : [];
    await using bare = await buildBareApp({ query, settings: { ...PROXY, MAX_REQUESTS_UNDER_WAY: '1' } });
    const refused = call(bare, unknown(1), HERE);
    await waitUntil('the key to be looked up', () => waiting.length === 1);
    const authorization = `Bearer ${await bare.context.signToken(USER, 60)}`;
    const profile = bare.app.inject({ url: '/api/users/profile', headers: { authorization } });
    await waitUntil('the user to be looked up', () => waiting.length === 2);
    for (const end of waiting) end();
    assertRefused(await profile, 401, 'INVALID_TOKEN');
    assert.equal(await refused, 401);
  });

  it('an unknown API key is not counted as a user', async () => {
    await using app = Fastify();
    const rateLimits = { publicLists: 0, user: 1, scim: 0, writes: 0, company: 0, badTokens: 0 };
    const counted: string[] = [];
    const limits = {
      ...createLimits({ trustProxy: [], rateLimits, maxRequestsInFlight: 1 }, () => HERE),
      countUser: (_request: unknown, _reply: unknown, user: string) => void counted.push(user),
    };
    const db = { mayWrite: true as const, ...keyTable('odk_good') };
    authenticateCallers(app, { db, limits, batchLoader, verifyToken: refuse });
    app.get('/list', { config: { operation: { id: 'some.list', access: platformStaff } } }, () => ({}));
    for (const key of [unknown(1), unknown(2), 'odk_good', unknown(3)])
      await app.inject({ url: '/list', headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual(counted, [`key ${hashOfKey('odk_good')}`]);
  });
});

// biome-ignore lint/correctness/useYield: no token is good.
async function* refuse(): AsyncGenerator<never, void> {
  throw new Error('refused');
}
