import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { explainError } from '../../src/commands/explain-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { openPool } from '../../src/db/postgres/postgres-pool.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { openDemoDatabase, type TestDatabase } from '../support/test-database.ts';
import { DATABASE_FAULTS } from './database-faults.ts';
import { type DatabaseTarget, startDatabaseTarget } from './database-target.ts';

/** Milliseconds; less than in production, as each fault takes as long as this. */
const TIME_LIMIT = 700;

describe('the service goes on, and comes back, where', () => {
  let database: TestDatabase;
  let target: DatabaseTarget;
  before(async () => {
    database = await openDemoDatabase();
    target = await startDatabaseTarget(database.url ?? '', { statementTimeout: TIME_LIMIT, slack: 10 });
  });
  after(async () => {
    await target?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });
  for (const { name, run } of DATABASE_FAULTS)
    it(`the service recovers from a database fault: ${name}`, async () => void (await run(target)));
});

describe('a standby instead of the primary', () => {
  it('a standby is neither read nor written until it is promoted', async () => {
    await using server = await startPostgresServer({}, { isStandby: true });
    const settings = { DATABASE_URL: server.url };
    await using database = openPostgresDatabase({ url: server.url, maxConnections: 2, statementTimeout: 10_000 });
    await using anyServer = openPool({ url: server.url, maxConnections: 1, statementTimeout: 60_000 });
    const one = sql`select 1 as one`;
    const isRefused = { code: 'DATABASE_STANDBY', message: 'The database server is a standby, and not the primary' };

    const refused = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => database.query(one)),
      database.transaction((transaction) => transaction.query(one)),
      database.session((session) => session.query(one)),
    ]);
    for (const each of refused)
      await assert.rejects(async () => each.status === 'rejected' && Promise.reject(each.reason), isRefused);
    const explained = explainError(refused[0]?.status === 'rejected' && refused[0].reason, readConfig(settings));
    assert.match(
      String(explained),
      /^UserError: The database server 127\.0\.0\.1:\d+\/postgres is a standby, .* DATABASE_URL /,
    );
    assert.deepEqual([...(await anyServer.query(one))], [{ one: 1 }]);

    await anyServer.query(sql`select pg_promote()`);
    assert.deepEqual([...(await database.query(one))], [{ one: 1 }]);
    assert.deepEqual(await database.session(async (session) => [...(await session.query(one))]), [{ one: 1 }]);
  });
});
