import sql, { raw, type Sql } from 'sql-template-tag';
import type { Transaction } from './database.ts';

/** Rows that are in memory at once. */
const BATCH = 2000;

/**
 * Reads the rows of a statement in batches, however many there are, within a transaction. Who stops before the end leaves
 * the cursor to the end of the transaction.
 *
 * @param name of the cursor: one of this name is read at a time
 */
export async function* readByCursor<Row extends object>(
  transaction: Transaction,
  name: string,
  statement: Sql,
): AsyncGenerator<Row[]> {
  const cursor = raw(`cursor_${name}`);
  await transaction.query(sql`declare ${cursor} no scroll cursor for ${statement}`);
  for (;;) {
    const rows = await transaction.query<Row>(sql`fetch ${raw(String(BATCH))} from ${cursor}`);
    if (rows.length === 0) break;
    yield rows;
  }
  await transaction.query(sql`close ${cursor}`);
}
