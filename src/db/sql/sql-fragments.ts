import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { fold } from '../../lib/text-folding.ts';

/** Both conditions and all further ones; `true` where there are none. Undefined ones are left out. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? sql`true` : join(present, ' and ');
}

/**
 * Whether a column of folded text contains a needle, folded alike; undefined where the needle is blank: no search.
 * `%`, `_` and `\` in the needle are ordinary characters.
 */
export function contains(foldedColumn: Sql, needle: string | undefined): Sql | undefined {
  const folded = fold(needle ?? '');
  return folded === '' ? undefined : sql`${foldedColumn} like ${`%${folded.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/** Whether a column of folded text begins with a needle, folded alike: what a search puts first. Undefined where the needle is blank. */
export function beginsWith(foldedColumn: Sql, needle: string | undefined): Sql | undefined {
  const folded = fold(needle ?? '');
  return folded === '' ? undefined : sql`starts_with(${foldedColumn}, ${folded})`;
}

/** By a folded name, then by a key; with a needle first the names that begin with it. Total and stable. */
export function byName(foldedName: Sql, key: Sql, needle: string | undefined): Sql {
  const first = beginsWith(foldedName, needle);
  return sql`${first === undefined ? empty : sql`${first} desc, `}${foldedName} collate "C", ${key}`;
}

/** The longest n-grams that are indexed (migrations/0009). */
const MAX_NGRAM = 3;

/**
 * Like {@link contains}, for a column with an index on its n-grams, `text_runs(column, 1, 3)`: found by those of the needle.
 * They come out of a subquery, which hides from the planner how frequent they are: it takes the index for any needle.
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

/** A `timestamptz` as ISO 8601 in UTC with milliseconds, whatever the session's time zone. */
export function isoTimestamp(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A `timestamptz` as ISO 8601 in UTC to the last digit: with microseconds where there are any, otherwise with milliseconds. */
export function isoTimestampWhole(column: Sql): Sql {
  return sql`regexp_replace(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '000$', '') || 'Z'`;
}
