import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Session } from '../../src/db/database.ts';
import { openEmbeddedDatabase } from '../../src/embedded/embedded-database.ts';
import { LOOK_INTERVAL_MS, WORK_LIMIT_MS } from '../../src/embedded/work-queue.ts';
import { deferred } from '../../src/lib/deferred.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import { makeDataFolder } from '../support/data-folders.ts';

const PERSON = 'employee@acme.example';
/** What no database comes to the end of. */
const ENDLESS = sql`do $$ begin loop end loop; end $$`;

describe('deadlines of the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-deadlines-'));
  const failures: Error[] = [];
  let look = () => {};
  let api: TestApp;

  before(async () => {
    const dataDir = await makeDataFolder(join(folder, 'data'), 'demo');
    const callRegularly = (given: () => void) => {
      look = given;
      return { [Symbol.dispose]: () => undefined };
    };
    const failed = (error: unknown) => failures.push(error as Error);
    api = await buildTestApp({}, () => openEmbeddedDatabase(dataDir, { command: 'test' }, { callRegularly, failed }));
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const pass = (milliseconds: number) => {
    for (let time = 0; time < milliseconds; time += LOOK_INTERVAL_MS) look();
  };
  const get = (url: string, token: string) => api.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  async function rename(token: string, firstName: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode } = await api.app.inject({
      method: 'POST',
      url: '/api/users/update-profile',
      headers,
      payload: { firstName },
    });
    assert.equal(statusCode, 200);
  }
  const firstName = async (token: string) => (await get('/api/users/profile', token)).json().data.firstName;

  /** Lets time pass, a look with each turn of the event loop, until the answer is there. */
  async function passUntil<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let isThere = false;
    const seen = () => {
      isThere = true;
    };
    answer.then(seen, seen);
    while (!isThere) {
      look();
      await yieldToEventLoop();
    }
    return answer;
  }
  /** Makes sure that nothing else waits, and begins what has no end. */
  async function beginEndless(): Promise<{ ended: Promise<void> }> {
    await api.db.query(sql`select 1`);
    return { ended: assert.rejects(api.db.query(ENDLESS), { code: 'DATABASE_TIMEOUT' }) };
  }

  it('a request behind long work gets 503 after two seconds, and the work continues', async () => {
    const token = await api.tokenFor(PERSON);
    const released = deferred();
    const long = api.db.session((session) => session.transaction(() => released.promise));
    const refused = await passUntil(get('/api/users/profile', token));
    assert.deepEqual([refused.statusCode, refused.json().code], [503, 'UNAVAILABLE']);
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
    assert.match((await passUntil(get('/readyz', token))).json().message, /database down/);
    assert.equal((await get('/livez', token)).statusCode, 200);
    assert.equal((await get('/api/countries/list', token)).statusCode, 200);
    released.resolve();
    await long;
    assert.equal((await get('/api/users/profile', token)).statusCode, 200);
  });

  it('a statement of more than ten seconds is ended, and answered writes are kept', async () => {
    const token = await api.tokenFor(PERSON);
    await rename(token, 'Answered');
    const before = failures.length;
    const { ended } = await beginEndless();
    pass(WORK_LIMIT_MS);
    await ended;
    assert.equal(await firstName(token), 'Answered');
    assert.deepEqual(
      failures.slice(before).map((error) => (error as Error & { code: string }).code),
      ['DATABASE_TIMEOUT'],
    );
  });

  it('a transaction of more than ten seconds leaves nothing behind', async () => {
    const token = await api.tokenFor(PERSON);
    await rename(token, 'Before');
    for (const statement of [ENDLESS, undefined]) {
      const begun = deferred();
      const endless = api.db.transaction(async (transaction) => {
        await transaction.query(sql`update users set first_name = 'By half' where email = ${PERSON}`);
        begun.resolve();
        // Without a statement it is whoever has begun it that does not end it.
        await (statement ? transaction.query(statement) : new Promise(() => undefined));
      });
      const ended = assert.rejects(endless, { code: 'DATABASE_TIMEOUT' });
      await begun.promise;
      pass(WORK_LIMIT_MS);
      await ended;
      assert.equal(await firstName(token), 'Before');
    }
  });

  it('listeners are notified after a restart of the embedded database, and keep listening', async () => {
    let notified = 0;
    const listening = await api.db.listen('test_channel', () => notified++);
    const { ended } = await beginEndless();
    pass(WORK_LIMIT_MS);
    await ended;
    await api.db.query(sql`select 1`);
    assert.equal(notified, 1);
    await api.db.query(sql`notify test_channel`);
    assert.equal(notified, 2);
    await listening[Symbol.asyncDispose]();
  });

  it('long work of a session is not ended, and fails as a whole if the database is restarted', async () => {
    const long = (session: Session) =>
      session.query<{ n: number }>(sql`select count(*)::integer as n from generate_series(1, 1000000)`);
    await api.db.session(async (session) => {
      const counting = long(session);
      pass(10 * WORK_LIMIT_MS);
      assert.equal((await counting)[0]?.n, 1_000_000);
    });
    await assert.rejects(
      api.db.session(async (session) => {
        await session.query(sql`create temporary table staged (n integer)`);
        const { ended } = await beginEndless();
        pass(WORK_LIMIT_MS);
        await ended;
        await session.query(sql`insert into staged values (1)`);
      }),
      { code: 'CONNECTION_CLOSED' },
    );
    assert.equal((await api.db.session(long)).length, 1);
  });

  it('the embedded database closes in time while a statement runs', async () => {
    const dataDir = await makeDataFolder(join(folder, 'closed'), 'blank');
    const db = await openEmbeddedDatabase(dataDir, { command: 'test' });
    await db.query(sql`create table kept (n integer)`);
    const endless = assert.rejects(
      db.session((session) => session.query(ENDLESS)),
      { code: 'CONNECTION_CLOSED' },
    );
    await db[Symbol.asyncDispose]();
    await endless;
    await using again = await openEmbeddedDatabase(dataDir, { command: 'test' });
    assert.deepEqual(await again.query(sql`select n from kept`), []);
  });
});
