import sql, { raw } from 'sql-template-tag';
import type { Database, Reader } from '../../../db/database.ts';
import { type GeographyProgress, inGeographyTransaction, type LoadStep, writeAll } from './load-geography.ts';
import {
  type CityRecord,
  type EarlierValue,
  type GeographyRecords,
  NAME_SEPARATOR,
  type StateRecord,
} from './records.ts';
import { type EarlierColumn, readGeographyChanges } from './source.ts';
import { GEOGRAPHY_TABLES, type GeographyTable } from './tables.ts';

/** State of a database: no geography, that of an earlier version, which this role may change, or one that needs nothing. */
export type GeographyState = 'none' | 'earlier' | 'present';

/** Determines the geography's state. It is loaded as a whole, so that one without alternate names is from an earlier version. */
export async function geographyState(db: Reader): Promise<GeographyState> {
  const [row] = await db.query<{ state: GeographyState }>(sql`select case
    when not exists (select from countries) then 'none'
    when exists (select from cities) and not exists (select from alternate_names)
      and has_table_privilege('cities', 'update') and has_table_privilege('alternate_names', 'insert') then 'earlier'
    else 'present' end as state`);
  return row?.state ?? 'none';
}

/** Lowest id of states and cities that earlier versions did not have. */
const ADDED = 100_000_000;

/**
 * Upgrades the geography of an earlier version, by its ids: adds what is new, and replaces the values that the earlier version loaded.
 * Manual changes stay. Runs in one transaction, as {@link loadGeography}.
 */
export async function upgradeGeography(db: Database, onProgress?: GeographyProgress): Promise<void> {
  const { records, earlier } = readGeographyChanges();
  await inGeographyTransaction(db, async (transaction) => {
    if ((await geographyState(transaction)) !== 'earlier') return;
    const steps = [
      ...((await lacksDetails(transaction)) ? detailSteps(records) : []),
      ...earlier.flatMap((column) => replaceSteps(column, records)),
      ...additionSteps(records),
    ];
    await writeAll(transaction, steps, onProgress);
  });
}

/** Whether the geography is from the first version, which had names only. */
async function lacksDetails(db: Reader): Promise<boolean> {
  const [row] = await db.query<{ lacks: boolean }>(
    sql`select not exists (select from cities where timezone is not null) as lacks`,
  );
  return row?.lacks ?? false;
}

function detailSteps(records: GeographyRecords): LoadStep[] {
  return GEOGRAPHY_TABLES.flatMap((table) =>
    table.fill === undefined ? [] : [{ records: records[table.records], write: table.fill }],
  );
}

/** Replaces the earlier values of one column. */
function replaceSteps({ table, field, id, value }: EarlierColumn, records: GeographyRecords): LoadStep[] {
  const { replace } = tableOf(table);
  const values = new Map(records[table].map((record) => [record.id, valueIn(record, field)]));
  const changes = id.map((one, row) => ({ id: one, earlier: value[row], value: values.get(one) }));
  return [{ records: changes, write: (json) => replace(field, json) }];
}

function valueIn(record: object, field: EarlierValue['field']): unknown {
  return (record as Partial<Record<EarlierValue['field'], unknown>>)[field];
}

function tableOf(name: string): GeographyTable {
  const table = GEOGRAPHY_TABLES.find((one) => one.name === name);
  if (table === undefined) throw new Error(`The geography has no table ${name}`);
  return table;
}

const NAMED = [
  { kind: 'country', table: 'countries', parent: 'iso2' },
  { kind: 'state', table: 'states', parent: 'country_id' },
  { kind: 'city', table: 'cities', parent: 'state_id' },
] as const;

/** Adds states and cities whose country and state exist, and alternate names of locations with the same parent as in the package. */
function additionSteps({ countries, states, cities, alternateNames }: GeographyRecords): LoadStep[] {
  const isAdded = ({ id }: StateRecord | CityRecord) => id >= ADDED;
  // Compared to verify that the database means the same location by an id.
  const parents = {
    city: new Map(cities.map(({ id, stateId }) => [id, String(stateId)])),
    state: new Map(states.map(({ id, countryId }) => [id, String(countryId)])),
    country: new Map(countries.map(({ id, iso2 }) => [id, iso2])),
  };
  const named = alternateNames.map((record) => ({ ...record, parent: parents[record.kind].get(record.id) }));
  return [
    {
      records: states.filter(isAdded),
      write: (json) => sql`
        insert into states (id, country_id, name, state_code)
        select record.id, "countryId", record.name, "stateCode"
          from json_to_recordset(${json}::text::json) as record (id integer, "countryId" integer, name text, "stateCode" text)
          join countries on countries.id = "countryId"
            on conflict do nothing`,
    },
    {
      records: cities.filter(isAdded),
      write: (json) => sql`
        insert into cities (id, state_id, country_id, name, latitude, longitude, timezone, population)
        select record.id, states.id, states.country_id, record.name, latitude, longitude, timezone, population
          from json_to_recordset(${json}::text::json) as record
               (id integer, "stateId" integer, "countryId" integer, name text, latitude integer, longitude integer,
                timezone text, population integer)
          join states on states.id = "stateId" and states.country_id = "countryId"
            on conflict do nothing`,
    },
    ...NAMED.map(({ kind, table, parent }) => ({
      records: named.filter((record) => record.kind === kind),
      write: (json: string) => sql`
        insert into alternate_names (kind, id, names)
        select kind, record.id, string_to_array(names, ${NAME_SEPARATOR})
          from json_to_recordset(${json}::text::json) as record (kind text, id integer, parent text, names text)
          join ${raw(table)} location on location.id = record.id and location.${raw(parent)}::text = record.parent`,
    })),
  ];
}
