import sql, { raw, type Sql } from 'sql-template-tag';
import type { Transaction } from './database.ts';

/** Rows in memory at once. */
const BATCH = 2000;

/**
 * Reads the rows of a statement in batches within a transaction. If the consumer stops early, the cursor stays open until the transaction
 * ends.
 *
 * @param name of the cursor, unique among open ones
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
