import { isDeepStrictEqual } from 'node:util';
import sql, { raw, type Sql } from 'sql-template-tag';
import { advisoryLock } from '../../../db/advisory-locks.ts';
import type { Database, Reader, Transaction } from '../../../db/database.ts';
import { compareCodePoints, fold } from '../../../lib/text-folding.ts';
import type { GeographyRecords } from './records.ts';
import { readGeographySource } from './source.ts';
import { GEOGRAPHY_TABLES } from './tables.ts';

/** Rows per statement. Half or twice as many are no faster on the embedded database. */
const BATCH_ROWS = 10_000;

/** Number of rows of each kind. */
export type GeographyCounts = Record<'countries' | 'states' | 'cities', number>;

/** Receives the number of rows written and the total; not called if there is nothing to write. */
export type GeographyProgress = (done: number, total: number) => void;

/** Records, and the statement that writes a batch of them. */
export interface LoadStep {
  records: readonly unknown[];
  write: (json: string) => Sql;
}

/**
 * Loads the geography of the package: fills an empty database, and replaces a geography that differs (older data, or rows changed by hand).
 * Without a difference nothing is written, and the revision stays. Runs in one transaction; of several instances starting at once one
 * loads, and the others wait and find nothing to do.
 */
export async function loadGeography(db: Database, onProgress?: GeographyProgress): Promise<GeographyCounts> {
  const source = readGeographySource();
  await inGeographyTransaction(db, async (transaction) => {
    if (await holds(transaction, source)) return;
    // Children first. Replacing everything is correct for any change: an id with another parent, a code that moved to another id.
    for (const { name } of GEOGRAPHY_TABLES.toReversed()) await transaction.query(sql`delete from ${raw(name)}`);
    const steps = GEOGRAPHY_TABLES.map(({ records, insert }) => ({ records: byName(source[records]), write: insert }));
    await writeAll(transaction, steps, onProgress);
  });
  return { countries: source.countries.length, states: source.states.length, cities: source.cities.length };
}

/** In list order: services sort their cities at each start, which is quick if they are stored sorted. */
function byName(rows: GeographyRecords[keyof GeographyRecords]): unknown[] {
  const folded = rows.map((row) => ({ row, name: 'name' in row ? fold(row.name) : '' }));
  return folded.sort((a, b) => compareCodePoints(a.name, b.name)).map(({ row }) => row);
}

/** Runs work in a transaction under an advisory lock; one process at a time loads geography. */
export async function inGeographyTransaction(
  db: Database,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await db.session((session) =>
    session.transaction(async (transaction) => {
      await transaction.query(sql`select pg_advisory_xact_lock(${advisoryLock('geography')})`);
      await work(transaction);
    }),
  );
}

/** Writes records in batches. */
export async function writeAll(
  transaction: Transaction,
  steps: readonly LoadStep[],
  onProgress?: GeographyProgress,
): Promise<void> {
  const total = steps.reduce((sum, { records }) => sum + records.length, 0);
  let done = 0;
  for (const { records, write } of steps) {
    for (let from = 0; from < records.length; from += BATCH_ROWS) {
      const batch = records.slice(from, from + BATCH_ROWS);
      await transaction.query(write(JSON.stringify(batch)));
      done += batch.length;
      onProgress?.(done, total);
    }
  }
}

async function holds(db: Reader, source: GeographyRecords): Promise<boolean> {
  for (const { records, select } of GEOGRAPHY_TABLES) {
    const [row] = await db.query<{ records: unknown[] | null }>(select);
    if (!isDeepStrictEqual(row?.records ?? [], source[records])) return false;
  }
  return true;
}
