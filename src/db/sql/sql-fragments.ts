import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { fold } from '../../lib/text-folding.ts';
import type { SortKey } from './select-page.ts';

/** Returns the conjunction of the defined conditions; `true` if there are none. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? sql`true` : join(present, ' and ');
}

/** Returns the ids of rows. */
export function idsOf(rows: readonly { readonly id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** Returns any of these ids, for a comparison. */
export function anyOf(ids: readonly string[]): Sql {
  return sql`any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json))::uuid[])`;
}

/** Returns the stable id that follows from two texts (UUID version 8: RFC 9562, section 5.8), in SQL. */
export function derivedId(one: Sql, other: Sql): Sql {
  const hex = sql`encode(sha256(convert_to(${one} || ' ' || ${other}, 'UTF8')), 'hex')`;
  return sql`regexp_replace(${hex}, '^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$', '\\1-\\2-8\\3-8\\4-\\5')::uuid`;
}

/**
 * Returns the condition that folded text contains a needle, folded alike; undefined if the needle is blank. `%`, `_` and `\` in the needle
 * are literal.
 */
export function contains(foldedColumn: Sql, needle: string | undefined): Sql | undefined {
  const folded = fold(needle ?? '');
  return folded === '' ? undefined : sql`${foldedColumn} like ${`%${folded.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/**
 * Returns the condition that folded text starts with a needle, folded alike, to rank prefix matches first; undefined if the needle is
 * blank.
 */
export function beginsWith(foldedColumn: Sql, needle: string | undefined): Sql | undefined {
  const folded = fold(needle ?? '');
  return folded === '' ? undefined : sql`starts_with(${foldedColumn}, ${folded})`;
}

/** Returns the order by `name_folded`, then by key; prefix matches of the needle come first. Total and stable. */
export function byName(needle: string | undefined, key: SortKey = BY_ID): SortKey[] {
  const first = beginsWith(sql`name_folded`, needle);
  const name: SortKey = { by: sql`name_folded collate "C"`, type: 'text' };
  return [...(first === undefined ? [] : [{ by: first, type: 'boolean', descending: true } as const]), name, key];
}

/** Sort keys of lists of what has a name, by the name of the field. */
export const SORTED_BY_NAME: Readonly<Record<string, SortKey>> = {
  name: { by: sql`name_folded collate "C"`, type: 'text' },
  updatedAt: { by: sql`updated_at`, type: 'timestamptz' },
};

/** Returns the order of a list. @param sort a key, with a leading `-` for descending order */
export function orderedBy(keys: Readonly<Record<string, SortKey>>, sort: string): SortKey[] {
  const descending = sort.startsWith('-');
  const key = keys[descending ? sort.slice(1) : sort];
  if (key === undefined) throw new TypeError(`No list is sorted by ${sort}`);
  return [{ ...key, descending }, BY_ID];
}

export const BY_ID: SortKey = { by: sql`id`, type: 'uuid' };

/** Maximum length of indexed n-grams (migrations/0047). */
const MAX_NGRAM = 3;

/**
 * Like {@link contains}, for a column with an index on its n-grams, `text_runs(column, 1, 3)`. The n-grams of the needle come from a
 * subquery, which hides their frequency from the planner: it uses the index for any needle.
 */
export function containsByIndex(foldedColumn: Sql, needle: string | undefined): Sql | undefined {
  const condition = contains(foldedColumn, needle);
  if (condition === undefined) return undefined;
  const folded = fold(needle ?? '');
  const size = Math.min(MAX_NGRAM, [...folded].length);
  return sql`
    text_runs(${foldedColumn}, 1, ${raw(String(MAX_NGRAM))}) collate "C"
      @> (select text_runs(${folded}, ${size}::integer, ${size}::integer))
    and ${condition}`;
}

/** Formats a `timestamptz` as ISO 8601 in UTC with milliseconds, in any session time zone. */
export function isoTimestamp(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Formats a `timestamptz` as ISO 8601 in UTC, with microseconds if they are not zero, otherwise with milliseconds. */
export function isoTimestampWhole(column: Sql): Sql {
  return sql`regexp_replace(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z'`;
}

const oneOffs = new WeakSet<Sql>();

/** Marks a statement whose text depends on user input and may never recur, so that it is not prepared. */
export function oneOff(statement: Sql): Sql {
  oneOffs.add(statement);
  return statement;
}

export function isOneOff(statement: Sql): boolean {
  return oneOffs.has(statement);
}

/**
 * Returns SQL for the number of the company's rows, from the counter table (migrations/0062).
 * @param companyId in SQL
 */
export function countOfCompany(table: 'users' | 'bookings', companyId: Sql): Sql {
  return sql`
    select coalesce(sum(change), 0)::integer from company_counts
     where counted = ${raw(`'${table}'`)} and company_id = ${companyId}`;
}

/** A reference by which rows show the name of another row of their company. */
export interface ShownName {
  /** The column with its id. */
  column: string;
  table: 'users' | 'departments' | 'employee_bands';
}

/** Returns when what a row shows changed last, to the millisecond. */
export function lastChanged(table: string, shown: readonly ShownName[] = []): Sql {
  const renamed = shown.map(
    ({ column, table: other }) =>
      sql`, (select shown.renamed_at from ${raw(other)} shown where shown.id = ${raw(`${table}.${column}`)})`,
  );
  return sql`date_trunc('milliseconds', greatest(${raw(table)}.updated_at${renamed.length === 0 ? empty : join(renamed, '')}))`;
}

/** Returns the condition that what a row shows was added or changed at this time or later; undefined without one. */
export function isUpdatedSince(
  time: string | undefined,
  companyId = '',
  shown: readonly ShownName[] = [],
): Sql | undefined {
  if (time === undefined) return undefined;
  const renamed = shown.map(
    ({ column, table }) => sql` or ${raw(column)} = any(array(
      select shown.id from ${raw(table)} shown
       where shown.company_id = ${companyId}::uuid and shown.renamed_at >= ${time}::timestamptz))`,
  );
  return sql`(updated_at >= ${time}::timestamptz${renamed.length === 0 ? empty : join(renamed, '')})`;
}

/** Returns the columns with the times of a row, each after a comma. @param names of these times */
export function timeColumns(table: string, shown: readonly ShownName[], names: readonly string[]): Sql {
  const created = names.includes('createdAt')
    ? sql`, ${isoTimestamp(sql`${raw(table)}.created_at`)} as "createdAt"`
    : empty;
  const updated = names.includes('updatedAt')
    ? sql`, ${isoTimestamp(lastChanged(table, shown))} as "updatedAt"`
    : empty;
  return sql`${created}${updated}`;
}
