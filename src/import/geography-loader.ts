import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Executor, Transaction } from '../db/database.ts';
import { type GeographyRecords, readGeographySource } from './geography-source.ts';

/** Any number will do that no other program uses for advisory locks on this database. */
const GEOGRAPHY_LOCK = 7_241_908;

/** Rows of one statement. Half as many or twice as many are no faster on the embedded database. */
const BATCH_ROWS = 10_000;

/** The tables, parents first: the records of each as one JSON array, and a JSON array of records into it. */
const TABLES: { name: keyof GeographyRecords; select: Sql; insert: (json: string) => Sql }[] = [
  {
    name: 'countries',
    select: sql`select json_agg(json_build_object('id', id, 'name', name, 'iso2', iso2, 'iso3', iso3) order by id) as records
      from countries`,
    insert: (json) => sql`insert into countries (id, name, iso2, iso3)
      select id, name, iso2, iso3
      from json_to_recordset(${json}::text::json) as record (id integer, name text, iso2 text, iso3 text)`,
  },
  {
    name: 'states',
    select: sql`select json_agg(json_build_object('id', id, 'countryId', country_id, 'name', name, 'stateCode', state_code)
        order by id) as records
      from states`,
    insert: (json) => sql`insert into states (id, country_id, name, state_code)
      select id, "countryId", name, "stateCode"
      from json_to_recordset(${json}::text::json)
        as record (id integer, "countryId" integer, name text, "stateCode" text)`,
  },
  {
    name: 'cities',
    select: sql`select json_agg(json_build_object('id', id, 'stateId', state_id, 'countryId', country_id, 'name', name)
        order by id) as records
      from cities`,
    insert: (json) => sql`insert into cities (id, state_id, country_id, name)
      select id, "stateId", "countryId", name
      from json_to_recordset(${json}::text::json)
        as record (id integer, "stateId" integer, "countryId" integer, name text)`,
  },
];

/** How many rows there are of each kind. */
export type GeographyCounts = Record<keyof GeographyRecords, number>;

/** Whether the database holds a geography. It holds a whole one or none: it is loaded in one transaction. */
export async function hasGeography(db: Executor): Promise<boolean> {
  const [row] = await db.query<{ present: boolean }>(sql`select exists (select from countries) as present`);
  return row?.present === true;
}

/**
 * Makes the database's geography that of the package: fills an empty database, and replaces a geography that differs
 * (older data, or rows changed by hand). Where nothing differs nothing is written, and the revision stays.
 * All in one transaction; of instances that start at once one loads, and the others wait and find nothing to do.
 *
 * @param onProgress told how many rows are written, and of how many; not called where none is
 */
export async function loadGeography(
  db: Database,
  onProgress?: (done: number, total: number) => void,
): Promise<GeographyCounts> {
  const source = readGeographySource();
  const counts = { countries: source.countries.length, states: source.states.length, cities: source.cities.length };

  const load = async (transaction: Transaction): Promise<void> => {
    await transaction.query(sql`select pg_advisory_xact_lock(${raw(String(GEOGRAPHY_LOCK))})`);
    if (await holds(transaction, source)) return;
    // Children first. To replace all is as right whatever changed: an id's parent, a code that passed to another id.
    for (const { name } of TABLES.toReversed()) await transaction.query(sql`delete from ${raw(name)}`);

    const total = counts.countries + counts.states + counts.cities;
    let done = 0;
    for (const { name, insert } of TABLES) {
      const records = source[name];
      for (let from = 0; from < records.length; from += BATCH_ROWS) {
        const batch = records.slice(from, from + BATCH_ROWS);
        await transaction.query(insert(JSON.stringify(batch)));
        done += batch.length;
        onProgress?.(done, total);
        // The embedded database works in this thread: signals and other requests get their turn in between.
        await setImmediate();
      }
    }
  };
  await db.session((session) => session.transaction(load));
  return counts;
}

async function holds(db: Executor, source: GeographyRecords): Promise<boolean> {
  for (const { name, select } of TABLES) {
    const [row] = await db.query<{ records: unknown[] | null }>(select);
    if (!isDeepStrictEqual(row?.records ?? [], source[name])) return false;
  }
  return true;
}
