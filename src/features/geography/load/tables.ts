import sql, { join, raw, type Sql } from 'sql-template-tag';
import { type GeographyRecords, NAME_SEPARATOR } from './records.ts';

/** A column of a table, and the record field that it stores. */
interface Column {
  name: string;
  field: string;
  type: 'integer' | 'text';
  /** SQL that converts the column to the field, and back; absent: they are the same. */
  read?: string;
  write?: string;
  /** Added after the first version; filled by the upgrade. */
  isDetail?: true;
  /** Compared to verify that a row and the record of the same id mean the same location. */
  isMeaning?: true;
}

/** A table of the geography, read and written as JSON arrays of records. */
export interface GeographyTable {
  name: string;
  records: keyof GeographyRecords;
  /** Selects all records as `records`, ordered by key; null if there are none. */
  select: Sql;
  insert(json: string): Sql;
  /** Writes the details of records already in the table; undefined if the table has no details. */
  fill: ((json: string) => Sql) | undefined;
  /** Writes `value` to those `id`s whose column still has the `earlier` value. */
  replace(field: string, json: string): Sql;
}

const id = integer('id');
const name = text('name');
const countryId = integer('country_id', 'countryId');
const position = [detail(integer('latitude')), detail(integer('longitude'))];

const names: Column = {
  ...text('names'),
  read: `array_to_string(names, '${NAME_SEPARATOR}')`,
  write: `string_to_array(record.names, '${NAME_SEPARATOR}')`,
};

/** The tables, parents first. */
export const GEOGRAPHY_TABLES: readonly GeographyTable[] = [
  table('countries', 'countries', [
    id,
    name,
    meaning(text('iso2')),
    text('iso3'),
    detail(text('phone_code', 'phoneCode')),
    detail(text('currency')),
    detail(text('flag')),
    detail(text('native_name', 'nativeName')),
    ...position,
  ]),
  table('states', 'states', [id, countryId, name, text('state_code', 'stateCode')]),
  table('cities', 'cities', [
    id,
    meaning(integer('state_id', 'stateId')),
    countryId,
    name,
    ...position,
    detail(text('timezone')),
    detail(integer('population')),
  ]),
  table('alternate_names', 'alternateNames', [text('kind'), id, names], 'kind collate "C", id'),
];

function integer(name: string, field = name): Column {
  return { name, field, type: 'integer' };
}

function text(name: string, field = name): Column {
  return { name, field, type: 'text' };
}

function detail(column: Column): Column {
  return { ...column, isDetail: true };
}

function meaning(column: Column): Column {
  return { ...column, isMeaning: true };
}

function table(name: string, records: keyof GeographyRecords, columns: readonly Column[], key = 'id'): GeographyTable {
  const names = raw(columns.map((column) => column.name).join(', '));
  const fields = raw(columns.map(({ field, write }) => write ?? `record."${field}"`).join(', '));
  const types = raw(columns.map(({ field, type }) => `"${field}" ${type}`).join(', '));
  const pairs = join(columns.map((column) => sql`${raw(`'${column.field}'`)}, ${raw(column.read ?? column.name)}`));
  const source = (json: string) => sql`json_to_recordset(${json}::text::json) as record (${types})`;
  const details = columns.filter(({ isDetail }) => isDetail);
  const means = columns.filter(({ isMeaning }) => isMeaning);
  const isSame = raw([id, ...means].map((column) => `${name}.${column.name} = record."${column.field}"`).join(' and '));
  const assignments = raw(details.map((column) => `${column.name} = record."${column.field}"`).join(', '));
  return {
    name,
    records,
    select: sql`select json_agg(json_build_object(${pairs}) order by ${raw(key)}) as records from ${raw(name)}`,
    insert: (json) => sql`insert into ${raw(name)} (${names}) select ${fields} from ${source(json)}`,
    fill:
      details.length === 0
        ? undefined
        : (json) => sql`update ${raw(name)} set ${assignments} from ${source(json)} where ${isSame}`,
    replace(field, json) {
      const { name: column, type } = columns.find((one) => one.field === field) ?? id;
      return sql`
        update ${raw(name)} set ${raw(column)} = record.value
          from json_to_recordset(${json}::text::json) as record (id integer, earlier ${raw(type)}, value ${raw(type)})
         where ${raw(name)}.id = record.id and ${raw(`${name}.${column}`)} is not distinct from record.earlier`;
    },
  };
}
