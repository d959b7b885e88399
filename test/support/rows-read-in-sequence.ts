import sql from 'sql-template-tag';
import type { Reader } from '../../src/db/database.ts';

/**
 * Returns how many rows of the tables a PostgreSQL server has read so far without an index; the embedded database counts nothing.
 *
 * @param connections of `db`: each adds its own counts
 */
export async function rowsReadInSequence(db: Reader, tables: readonly string[], connections: number): Promise<number> {
  // At once, and for a moment, so that every connection is asked.
  const flush = () => db.query(sql`select pg_stat_force_next_flush(), pg_sleep(0.1)`);
  await Promise.all(Array.from({ length: connections }, flush));
  const [row] = await db.query<{ rows: number }>(sql`
    select sum(seq_tup_read)::double precision as rows from pg_stat_user_tables where relname = any(${tables}::text[])`);
  return row?.rows ?? Number.NaN;
}
