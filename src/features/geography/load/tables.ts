import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { GeographyRecords } from './records.ts';

/** A column of a table with the field of the records that it holds. */
interface Column {
  name: string;
  field: string;
  type: 'integer' | 'text';
  /** What rows of before did not have, and get where the schema is brought up to date. */
  isDetail?: true;
}

/** A table of the geography, read and written as JSON arrays of records. */
export interface GeographyTable {
  name: keyof GeographyRecords;
  /** Gives all records, as `records`, by their ids; null where there is none. */
  select: Sql;
  insert(json: string): Sql;
  /** Writes the details of those records that the table has already; undefined: it has none. */
  fill: ((json: string) => Sql) | undefined;
}

const id: Column = { name: 'id', field: 'id', type: 'integer' };
const countryId: Column = { name: 'country_id', field: 'countryId', type: 'integer' };
const name: Column = { name: 'name', field: 'name', type: 'text' };
const position: Column[] = [
  { name: 'latitude', field: 'latitude', type: 'integer', isDetail: true },
  { name: 'longitude', field: 'longitude', type: 'integer', isDetail: true },
];

/** The tables, parents first. */
export const GEOGRAPHY_TABLES: readonly GeographyTable[] = [
  table('countries', [
    ...[id, name, text('iso2'), text('iso3')],
    ...[detail('phone_code', 'phoneCode'), detail('currency'), detail('flag'), detail('native_name', 'nativeName')],
    ...position,
  ]),
  table('states', [id, countryId, name, text('state_code', 'stateCode')]),
  table('cities', [
    ...[id, { name: 'state_id', field: 'stateId', type: 'integer' } as const, countryId, name, ...position],
    ...[detail('timezone'), { name: 'population', field: 'population', type: 'integer', isDetail: true } as const],
  ]),
];

function text(name: string, field = name): Column {
  return { name, field, type: 'text' };
}

function detail(name: string, field = name): Column {
  return { ...text(name, field), isDetail: true };
}

function table(name: keyof GeographyRecords, columns: readonly Column[]): GeographyTable {
  const names = raw(columns.map((column) => column.name).join(', '));
  const fields = raw(columns.map(({ field }) => `"${field}"`).join(', '));
  const types = raw(columns.map(({ field, type }) => `"${field}" ${type}`).join(', '));
  const pairs = join(columns.map((column) => sql`${raw(`'${column.field}'`)}, ${raw(column.name)}`));
  const records = (json: string) => sql`json_to_recordset(${json}::text::json) as record (${types})`;
  const details = columns.filter(({ isDetail }) => isDetail);
  const assignments = raw(details.map((column) => `${column.name} = record."${column.field}"`).join(', '));
  return {
    name,
    select: sql`select json_agg(json_build_object(${pairs}) order by id) as records from ${raw(name)}`,
    insert: (json) => sql`insert into ${raw(name)} (${names}) select ${fields} from ${records(json)}`,
    fill:
      details.length === 0
        ? undefined
        : (json) => sql`update ${raw(name)} set ${assignments} from ${records(json)} where ${raw(name)}.id = record.id`,
  };
}
