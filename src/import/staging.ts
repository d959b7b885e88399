import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Executor, Session } from '../db/database.ts';
import { FILE_FORMATS, type FileFormat, type UniqueKey } from './import-format.ts';

/** The temporary table that holds a file's rows as they were read, each with its `line`. */
export function stagingTable(table: string): Sql {
  return raw(`import_${table}`);
}

/**
 * Makes the staging tables of all files, of those too that the folder lacks: every check finds both sides.
 * Those of an earlier import on the same session, which it could not drop, go.
 */
export async function createStagingTables(session: Session): Promise<void> {
  await dropStagingTables(session);
  const statements = FILE_FORMATS.map(({ table, columns }) => {
    const definitions = columns.map(({ column, reader }) => `${column} ${reader.sqlType}`);
    return `create temporary table ${stagingTable(table).text} (line integer, ${definitions.join()});`;
  });
  await session.transaction((transaction) => transaction.run(statements.join('\n')));
}

/** Frees their space, also where the disk is so low that nothing else may be written. */
export async function dropStagingTables(session: Session): Promise<void> {
  const tables = FILE_FORMATS.map(({ table }) => sql`pg_temp.${stagingTable(table)}`);
  await session.transaction(async (transaction) => {
    await transaction.run('set transaction read write');
    await transaction.query(sql`drop table if exists ${join(tables)}`);
  });
}

/** Where a file's rows are copied to: its staging table, and the columns in the order of the format. */
export function stagingTarget({ table, columns }: FileFormat): Sql {
  return sql`${stagingTable(table)} (line, ${join(columns.map(({ column }) => raw(column)))})`;
}

/** Has the planner know the staged rows: without statistics the checks and the writing could take hours. */
export async function analyzeStagedRows(db: Executor, formats: readonly FileFormat[]): Promise<void> {
  for (const { table } of formats) await db.query(sql`analyze ${stagingTable(table)}`);
}

/**
 * Gives an id to each staged row that came without one: that of the stored row with the same natural key, the first of
 * the format's unique keys, unless another staged row goes by that id; otherwise a new one.
 */
export async function identifyStagedRows(db: Executor, formats: readonly FileFormat[]): Promise<void> {
  for (const { table, id, columns, unique } of formats) {
    const [naturalKey] = unique;
    if (naturalKey === undefined || !columns.some(({ column, optional }) => column === id && optional)) continue;
    const staged = stagingTable(table);
    await db.query(sql`
      update ${staged} s set ${raw(id)} = t.${raw(id)} from ${raw(table)} t
      where s.${raw(id)} is null and ${sameKey(naturalKey, 's', 't')}
        and not exists (select from ${staged} other where other.${raw(id)} = t.${raw(id)})`);
    await db.query(sql`update ${staged} set ${raw(id)} = gen_random_uuid()::text where ${raw(id)} is null`);
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
