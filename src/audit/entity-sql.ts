import sql, { join, raw, type Sql } from 'sql-template-tag';
import { isoTimestamp } from '../db/sql/sql-fragments.ts';
import { type AuditedEntity, type Field, type FieldName, fieldOf, type Key } from '../entities/entity.ts';

/** The column of a field, unqualified; of the id unless another is named. */
export function columnOf(entity: AuditedEntity, name = entity.id): Sql {
  return raw(fieldOf(entity, name).column);
}

/**
 * A field of the row of that name, in SQL, as the API writes it in JSON: amounts and dates as texts, as JSON has no form of
 * its own for them.
 */
export function answered({ column, kind }: Field, row: string): Sql {
  const value = raw(`${row}.${column}`);
  if (kind.sqlType === 'timestamptz') return isoTimestamp(value);
  return kind.sqlType === 'numeric' || kind.sqlType === 'date' ? sql`${value}::text` : value;
}

/** Fields of a row to be selected, each under its own name. @param row what the statement calls the table */
export function selectFields<E extends AuditedEntity>(
  entity: E,
  names: readonly FieldName<E>[],
  row = entity.table,
): Sql {
  return join(names.map((name) => sql`${answered(fieldOf(entity, name), row)} as ${raw(`"${name}"`)}`));
}

/** Fields of a row as one object of JSON. @param row what the statement calls the table */
export function jsonOfFields<E extends AuditedEntity>(
  entity: E,
  names: readonly FieldName<E>[],
  row = entity.table,
): Sql {
  return sql`json_build_object(${join(
    names.map((name) => sql`${raw(`'${name}'`)}, ${answered(fieldOf(entity, name), row)}`),
  )})`;
}

/** The time of a change, later than that of the one before whatever the clock says. @param row what the statement calls the table */
export function updatedAtNow(row: string): Sql {
  return raw(`greatest(date_trunc('milliseconds', clock_timestamp()), ${row}.updated_at + interval '1 millisecond')`);
}

/** The columns of a key of the row of that alias, in the form in which they are compared. */
export function keyColumns(entity: AuditedEntity, { fields, ignoresCase }: Key, row: string): Sql[] {
  return fields.map((name) => {
    const { column, kind } = fieldOf(entity, name);
    return comparable(raw(`${row}.${column}`), kind.sqlType === 'text' ? ignoresCase : undefined);
  });
}

/** A value in the form in which a key compares it. */
export function comparable(value: Sql, ignoresCase: true | undefined): Sql {
  return ignoresCase ? sql`lower_letters(${value})` : value;
}

/** Whether a row of `users` has this e-mail address, as the key of addresses compares them. */
export function hasEmail(address: Sql): Sql {
  return sql`${comparable(raw('users.email'), true)} = ${comparable(address, true)}`;
}

/** Whether two rows have the same key. */
export function sameKey(entity: AuditedEntity, key: Key, left: string, right: string): Sql {
  return sql`(${join(keyColumns(entity, key, left))}) = (${join(keyColumns(entity, key, right))})`;
}
