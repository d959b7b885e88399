import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { isoTimestamp } from './sql-fragments.ts';

/** A reference by which rows show the name of another row of their company. */
export interface ShownName {
  /** The column with its id. */
  column: string;
  table: 'users' | 'departments' | 'employee_bands';
}

/** Times of a row that a list adds by `include`. */
export const TIMES = ['createdAt', 'updatedAt'] as const;

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
