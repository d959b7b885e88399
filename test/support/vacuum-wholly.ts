import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Vacuums and analyzes a table until the planner knows all its pages as visible to everyone. Not every VACUUM makes them so: a statement
 * of some timer that began before the rows were committed keeps theirs as they are, and a few dead rows stay unless their indexes are cleaned.
 */
export async function vacuumWholly(db: Database, table: string): Promise<void> {
  await waitUntil(`${table} to be visible to everyone`, () =>
    db.session(async (session) => {
      await session.query(sql([`vacuum (analyze, index_cleanup on) ${table}`]));
      const [pages] = await session.query<{ visible: boolean }>(
        sql`select relallvisible >= relpages as visible from pg_class where oid = ${table}::regclass`,
      );
      return pages?.visible === true;
    }),
  );
}
