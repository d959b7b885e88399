import assert from 'node:assert/strict';
import { it } from 'node:test';
import sql from 'sql-template-tag';
import { publishAll } from '../../src/audit/publish.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { rowsReadInSequence } from '../support/rows-read-in-sequence.ts';
import { CONNECT_TIMEOUT_MS } from '../support/templates.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { addChanges } from './trail.ts';

const CHANGES = 2_000;

it('publishing reads only new changes, also on a connection that first published from an empty trail', async () => {
  await using own = await openTestDatabase();
  if (own.url === undefined) return; // The embedded database counts nothing.
  await using db = openPostgresDatabase({ url: own.url, maxConnections: 1, connectTimeout: CONNECT_TIMEOUT_MS });
  const changesRead = () => rowsReadInSequence(db, ['audit_changes'], 1);
  await db.query(sql`vacuum (analyze) audit_changes`);
  // After five times PostgreSQL keeps a plan.
  for (let time = 0; time < 10; time++) await publishAll(db);
  for (let time = 0; time < 2; time++) {
    await addChanges(db, CHANGES);
    const before = await changesRead();
    await publishAll(db);
    const read = (await changesRead()) - before;
    assert.ok(read < CHANGES, `${read} rows were read in sequence`);
  }
});
