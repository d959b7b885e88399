import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { DestinationStream } from 'pino';
import type { Sql } from 'sql-template-tag';
import { type BareApp, buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { ownersAsked } from '../../support/caller-rows.ts';
import { collectLog } from '../../support/collect-log.ts';
import { exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SECRET = 'relation "users" of host db-7.internal';
const SOMEBODY = '00000000-0000-4000-8000-000000000001';

const ERROR_LEVEL = 50;

async function appWhereQueriesFail(
  error: unknown,
  settings: Record<string, string> = {},
  log?: DestinationStream,
): Promise<BareApp> {
  const query = async () => {
    throw error;
  };
  return buildBareApp({ query, settings, ...(log ? { log } : {}) });
}

async function getProfile({ app, context }: BareApp, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await context.signToken(SOMEBODY, 60)}`;
  return app.inject({ url: '/api/users/profile', headers: { ...headers, authorization } });
}

describe('an internal error', () => {
  it('an internal error returns 500 with the request id and without details, which are only in the log', async () => {
    const { log, lines } = collectLog();
    await using bare = await appWhereQueriesFail(new Error(SECRET), { LOG_LEVEL: 'error' }, log);
    const response = await getProfile(bare, { 'x-request-id': 'trace-7' });
    assert.equal(response.statusCode, 500);
    const { message, ...rest } = response.json();
    assert.deepEqual(rest, { success: false, code: 'INTERNAL_ERROR', requestId: 'trace-7' });
    assert.match(message, /request id/);
    assert.equal(response.headers['cache-control'], 'no-store');
    for (const word of ['relation', 'internal.', 'Error:', '.ts']) assert.ok(!response.body.includes(word), word);

    assert.equal(lines.length, 1);
    assert.deepEqual([lines[0]?.level, lines[0]?.requestId, lines[0]?.err?.message], [ERROR_LEVEL, 'trace-7', SECRET]);
    assert.match(String(lines[0]?.err?.stack), /failures\.test\.ts/);
  });

  it('an internal error has the same form whatever is thrown', async () => {
    for (const thrown of [SECRET, undefined, null, { code: '42P01', message: SECRET }, new TypeError(SECRET)]) {
      await using bare = await appWhereQueriesFail(thrown);
      const response = await getProfile(bare);
      assert.deepEqual([response.statusCode, response.json().code], [500, 'INTERNAL_ERROR'], response.body);
      assert.ok(!response.body.includes(SECRET));
    }
  });

  it('an impossible result of the database returns 500', async () => {
    await using bare = await buildBareApp({
      query: async <Row>(statement: Sql) =>
        ownersAsked(statement).map((owner) => ({ owner, active: true, works: true, companyRoles: [] })) as Row[],
    });
    const response = await getProfile(bare);
    assert.deepEqual([response.statusCode, response.json().code], [500, 'INTERNAL_ERROR'], response.body);
  });
});

describe('a database that cannot be reached', () => {
  const codes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'CONNECTION_CLOSED'];
  const sqlStates = ['08006', '53300', '57P01', '57P03', '25006'];
  for (const code of [...codes, 'CONNECTION_ENDED', 'CONNECT_TIMEOUT', ...sqlStates]) {
    it(`a request gets 503 with Retry-After, and the log an entry, if the database fails with ${code}`, async () => {
      const { log, lines } = collectLog();
      await using bare = await appWhereQueriesFail(
        Object.assign(new Error(SECRET), { code }),
        { LOG_LEVEL: 'error' },
        log,
      );
      const response = await getProfile(bare);
      assert.deepEqual([response.statusCode, response.json().code], [503, 'UNAVAILABLE'], response.body);
      assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/);
      assert.ok(!response.body.includes(SECRET));
      assert.equal(lines[0]?.err?.message, SECRET);
    });
  }

  it('the geography lists are answered while the database cannot be reached', async () => {
    await using bare = await appWhereQueriesFail(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
    for (const method of ['GET', 'POST'] as const) {
      assert.equal((await bare.app.inject({ method, url: '/api/cities/list' })).statusCode, 200);
    }
  });
});

describe('the log', () => {
  it('the log has one line per request, without its query, headers and body', async () => {
    const { log, lines } = collectLog();
    await using bare = await buildBareApp({ log, settings: { LOG_LEVEL: 'info' } });
    const secret = 'hidden-7f3a';
    const headers = { authorization: `Bearer ${secret}`, 'x-request-id': 'trace-8', 'user-agent': secret };
    const payload = { search: secret };
    await bare.app.inject({ method: 'POST', url: `/api/cities/list?search=${secret}`, headers, payload });
    await bare.app.inject({ url: `/api/nothing?${secret}`, headers });
    await waitUntil('two lines', () => lines.length >= 2);
    const shown = lines.map(({ requestId, method, path, status, level }) => ({
      requestId,
      method,
      path,
      status,
      level,
    }));
    assert.deepEqual(shown, [
      { requestId: 'trace-8', method: 'POST', path: '/api/cities/list', status: 200, level: 30 },
      { requestId: 'trace-8', method: 'GET', path: '/api/nothing', status: 404, level: 30 },
    ]);
    assert.ok(!JSON.stringify(lines).includes(secret));
  });

  it('the log has no error if a client disconnects during its request', async () => {
    const { log, lines } = collectLog();
    await using bare = await buildBareApp({ log, settings: { LOG_LEVEL: 'info' } });
    const port = await listenLocally(bare.app);
    const headers = ['Content-Type: application/json', 'Content-Length: 100'];
    const accepted = once(bare.app.server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    client.write(requestText('POST /api/cities/list', headers), () => client.write('{"half":', () => client.destroy()));
    await once((await accepted)[0], 'close');
    await new Promise(setImmediate);
    assert.deepEqual(
      lines.filter(({ level }) => level >= ERROR_LEVEL),
      [],
    );
    assert.equal((await exchange(port, requestText('GET /api/countries/list'))).status, 200);
  });
});
