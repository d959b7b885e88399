import sql, { join, raw, type Sql } from 'sql-template-tag';
import { isoTimestamp, lastChanged } from '../db/sql/sql-fragments.ts';
import { type AuditedEntity, type Field, type FieldName, fieldOf, type Key } from '../entities/entity.ts';

/** Returns the unqualified column of a field; of the id by default. */
export function columnOf(entity: AuditedEntity, name = entity.id): Sql {
  return raw(fieldOf(entity, name).column);
}

/** Returns a field in SQL in its JSON form of the API: amounts and dates as strings. @param row SQL alias */
export function answered({ column, kind }: Field, row: string): Sql {
  const value = raw(`${row}.${column}`);
  if (kind.sqlType === 'timestamptz') return isoTimestamp(value);
  return ['numeric', 'date', 'jsonb'].includes(kind.sqlType) ? sql`${value}::text` : value;
}

/** Returns a select list of fields, each under its own name. @param row SQL alias of the table */
export function selectFields<E extends AuditedEntity>(
  entity: E,
  names: readonly FieldName<E>[],
  row = entity.table,
): Sql {
  return join(names.map((name) => sql`${answered(fieldOf(entity, name), row)} as ${raw(`"${name}"`)}`));
}

/** Returns fields of a row as one JSON object. @param row SQL alias of the table */
export function jsonOfFields<E extends AuditedEntity>(
  entity: E,
  names: readonly FieldName<E>[],
  row = entity.table,
): Sql {
  return sql`json_build_object(${join(
    names.map((name) => sql`${raw(`'${name}'`)}, ${answered(fieldOf(entity, name), row)}`),
  )})`;
}

/**
 * Returns the new `updated_at`: now, but always later than the previous value, even if the clock was set back.
 *
 * @param row SQL alias of the table
 */
export function updatedAtNow(row: string): Sql {
  return raw(`greatest(date_trunc('milliseconds', clock_timestamp()), ${row}.updated_at + interval '1 millisecond')`);
}

/** Returns the columns of a key of staged rows in their form of comparison. @param row SQL alias */
export function keyColumns(entity: AuditedEntity, { fields, ignoresCase }: Key, row: string): Sql[] {
  return fields.map((name) => {
    const { column, kind } = fieldOf(entity, name);
    if (isPlatform(entity, name)) return orPlatform(raw(`${row}.${column}`));
    return comparable(raw(`${row}.${column}`), kind.sqlType === 'text' ? ignoresCase : undefined);
  });
}

/**
 * Returns a field of stored rows in the form in which keys compare it: a generated column where the case of a unique value does not matter.
 *
 * @param ignoresCase whether the case of another value does not matter
 */
export function storedKey(entity: AuditedEntity, name: string, row = entity.table, ignoresCase?: true): Sql {
  const { column, kind } = fieldOf(entity, name);
  const isUnique = entity.unique.some((key) => key.ignoresCase && key.fields.includes(name));
  if (isUnique && kind.sqlType === 'text') return raw(`${row}.${column}_key`);
  return comparable(raw(`${row}.${column}`), ignoresCase);
}

/** Returns a value in the form in which a key compares it. */
export function comparable(value: Sql, ignoresCase: true | undefined): Sql {
  return ignoresCase ? sql`lower_letters(${value})` : value;
}

/**
 * Returns the condition that a row has this key. Where texts may be a key or a name, the row with the key is meant; a name only counts where
 * no row has the key.
 *
 * @param values the values of the key's fields, in SQL
 */
export function hasKey(entity: AuditedEntity, key: Key, values: readonly Sql[]): Sql {
  const wanted = values.map((value, index) => {
    const isText = fieldOf(entity, key.fields[index] ?? '').kind.sqlType === 'text';
    return comparable(value, isText ? key.ignoresCase : undefined);
  });
  return sql`(${join(key.fields.map((name) => storedKey(entity, name)))}) = (${join(wanted)})`;
}

/** Returns the condition that a row of `users` has this e-mail address, compared as its unique key does. */
export function hasEmail(address: Sql): Sql {
  return sql`users.email_key = ${comparable(address, true)}`;
}

/** Returns today's date in the time zone of the company of a row, in SQL; in UTC if there is none. @param row SQL alias */
export function todayOf(row: string, column = 'company_id'): Sql {
  return raw(`(now() at time zone coalesce((
    select time_zone from companies employer where employer.id = ${row}.${column}), 'UTC'))::date`);
}

/** Returns the condition that a user works: no guest, active, and within the dates of their employment. @param row SQL alias of the user */
export function worksOn(row = 'users', date: Sql = todayOf(row)): Sql {
  return sql`(${isThereOn(row, date)} and ${raw(row)}.worker_type is distinct from 'GUEST')`;
}

/** Returns the condition that a user, who may be a guest, is active and within their dates. @param row SQL alias of the user */
export function isThereOn(row = 'users', date: Sql = todayOf(row)): Sql {
  const [active, start, end] = ['active', 'start_date', 'end_date'].map((column) => raw(`${row}.${column}`));
  return sql`(${active} and (${start} is null or ${start} <= ${date}) and (${end} is null or ${end} >= ${date}))`;
}

/** Returns whether a part of a key is a company without which a row is the platform's: that is a value like others. */
function isPlatform({ ofPlatform }: AuditedEntity, name: string): boolean {
  return ofPlatform === true && name === 'companyId';
}

const orPlatform = (column: Sql): Sql => sql`coalesce(${column}::text, '')`;

/** Returns the condition that a row of `group_mappings` is about a group: by its id, or by its name in any case. @param group of `directory_groups`, as the statement calls it */
export function mapsGroup(group: Sql): Sql {
  return sql`
    group_mappings.company_id = ${group}.company_id
      and (group_mappings.group_id = ${group}.id or lower_letters(group_mappings.group_name) = lower_letters(${group}.display_name))`;
}

/** Returns the condition that a staged and a stored row have the same key. */
export function sameKey(entity: AuditedEntity, key: Key, staged: string, stored: string): Sql {
  const columns = key.fields.map((name) =>
    isPlatform(entity, name)
      ? orPlatform(raw(`${stored}.${fieldOf(entity, name).column}`))
      : storedKey(entity, name, stored),
  );
  return sql`(${join(keyColumns(entity, key, staged))}) = (${join(columns)})`;
}

/** What a person's rows show of others by name. */
export const SHOWN_NAMES = [
  { column: 'department_id', table: 'departments' },
  { column: 'band_id', table: 'employee_bands' },
  { column: 'manager_id', table: 'users' },
] as const;

/** When what is shown of a person changed last: the `updatedAt` of the API and the `lastModified` of SCIM. */
export const LAST_CHANGED: Sql = lastChanged('users', SHOWN_NAMES);
