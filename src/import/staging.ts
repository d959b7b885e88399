import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Executor } from '../db/database.ts';
import { FILE_FORMATS, type FileFormat, type UniqueKey } from './import-format.ts';
import type { ImportRow } from './record-reader.ts';

/** The temporary table that holds a file's rows as they were read, each with its `line`. */
export function stagingTable(table: string): Sql {
  return raw(`import_${table}`);
}

/** Makes the staging tables of all files, of those too that the folder lacks: every check finds both sides. */
export async function createStagingTables(transaction: Executor): Promise<void> {
  for (const { table, columns } of FILE_FORMATS) {
    const definitions = columns.map(({ column, reader }) => raw(`${column} ${reader.sqlType}`));
    await transaction.query(
      sql`create temporary table ${stagingTable(table)} (line integer, ${join(definitions)}) on commit drop`,
    );
  }
}

/** Adds rows to a file's staging table. */
export async function stage(transaction: Executor, format: FileFormat, rows: readonly ImportRow[]): Promise<void> {
  const names = join([raw('line'), ...format.columns.map(({ column }) => raw(column))]);
  const types = format.columns.map(({ column, reader }) => raw(`${column} ${reader.sqlType}`));
  await transaction.query(sql`
    insert into ${stagingTable(format.table)} (${names})
    select ${names} from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (line integer, ${join(types)})`);
}

/** Prepares the staged rows for the checks and the writing: without indexes and statistics these could take hours. */
export async function indexStagedRows(transaction: Executor): Promise<void> {
  for (const { table, id } of FILE_FORMATS) {
    await transaction.query(sql`create index on ${stagingTable(table)} (${raw(id)})`);
    await transaction.query(sql`analyze ${stagingTable(table)}`);
  }
}

/**
 * Gives an id to each staged row that came without one: that of the stored row with the same natural key, the first of
 * the format's unique keys, unless another staged row goes by that id; otherwise a new one.
 */
export async function identifyStagedRows(transaction: Executor): Promise<void> {
  for (const { table, id, columns, unique } of FILE_FORMATS) {
    const [naturalKey] = unique;
    if (naturalKey === undefined || !columns.some(({ column, optional }) => column === id && optional)) continue;
    const staged = stagingTable(table);
    await transaction.query(sql`
      update ${staged} s set ${raw(id)} = t.${raw(id)} from ${raw(table)} t
      where s.${raw(id)} is null and ${sameKey(naturalKey, 's', 't')}
        and not exists (select from ${staged} other where other.${raw(id)} = t.${raw(id)})`);
    await transaction.query(sql`update ${staged} set ${raw(id)} = gen_random_uuid()::text where ${raw(id)} is null`);
  }
}

/** A key's columns of the row of that alias, in the form in which they are compared. */
export function keyColumns(key: UniqueKey, alias: string): Sql[] {
  return key.columns.map((column) =>
    raw(key.ignoresCase ? `lower(${alias}.${column} collate "C")` : `${alias}.${column}`),
  );
}

/** Whether two rows have the same key. */
export function sameKey(key: UniqueKey, left: string, right: string): Sql {
  return sql`(${join(keyColumns(key, left))}) = (${join(keyColumns(key, right))})`;
}
