import assert from 'node:assert/strict';
import { it } from 'node:test';
import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { CONNECT_TIMEOUT_MS } from '../support/templates.ts';
import { openTestDatabase } from '../support/test-database.ts';

const LOCK = 4711;

it("one caller's waiting statements leave a connection to other callers", { timeout: 600_000 }, async () => {
  await using own = await openTestDatabase();
  const { url = assert.fail() } = own;
  await using db = openPostgresDatabase({ url, maxConnections: 4, connectTimeout: CONNECT_TIMEOUT_MS });
  const wantedBy = (share: string) => Object.assign(() => true, { share });
  const slow: Promise<unknown>[] = [];
  const isDone: boolean[] = [];
  await own.transaction(async (transaction) => {
    await transaction.query(sql`select pg_advisory_xact_lock(${LOCK}::integer)::text`);
    for (let at = 0; at < 60; at++) {
      const waits = db.query(sql`select pg_advisory_xact_lock_shared(${LOCK}::integer)::text`, wantedBy('one'));
      slow.push(waits.then(() => isDone.push(true)));
    }
    slow.push(db.transaction(({ query }) => query(sql`select 1 as one`), wantedBy('one')));
    assert.deepEqual(await db.query(sql`select 1 as one`, wantedBy('other')), [{ one: 1 }]);
    const given = await db.transaction(({ query }) => query(sql`select 2 as two`), wantedBy('other'));
    assert.deepEqual(given, [{ two: 2 }]);
    assert.equal(isDone.length, 0);
  });
  await Promise.all(slow);
  assert.equal(isDone.length, 60);
});
