import sql, { type Sql } from 'sql-template-tag';
import { isoTimestampWhole } from '../../db/sql/sql-fragments.ts';
import type { Field } from '../../entities/entity.ts';

/** Returns the SQL for the CSV cell of a field's value, in the format that an import reads; null for null. */
export function cellOf({ kind: { sqlType } }: Field, value: Sql): Sql {
  if (sqlType === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`;
  if (sqlType === 'timestamptz') return isoTimestampWhole(value);
  return sqlType === 'text' ? value : sql`(${value})::text`;
}
