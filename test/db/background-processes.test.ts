import assert from 'node:assert/strict';
import { it } from 'node:test';
import sql from 'sql-template-tag';
import { BACKGROUND_PROCESSES } from '../../src/embedded/keeper.ts';
import { openBlankDatabase } from '../support/test-database.ts';

it('the keeper of the embedded database names each background process that a PostgreSQL server runs', async () => {
  await using db = await openBlankDatabase();
  const running = await db.query<{ name: string }>(
    sql`select distinct backend_type as name from pg_stat_activity
      where backend_type not in ('client backend', 'parallel worker', 'walsender', 'slotsync worker')`,
  );
  assert.ok(running.some(({ name }) => name === 'checkpointer'));
  for (const { name } of running) assert.ok(name in BACKGROUND_PROCESSES, name);
});
