import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { StagedRows } from '../../audit/merge-rows.ts';
import type { Session, Writer } from '../../db/database.ts';
import { ENTITIES } from '../../entities/entities.ts';
import { type Entity, fieldOf } from '../../entities/entity.ts';
import { type Column, type FileFormat, KEEP } from '../read/import-format.ts';

/** A file whose rows are in the staging table of its entity. */
export interface StagedFile {
  entity: Entity;
  format: FileFormat;
  /** The columns that it has. */
  columns: readonly Column[];
  rows: number;
}

/** Whether a row had neither an id nor a stored row to take one from, and so was given one: a column of the staging tables with a natural key. */
export const ID_IS_NEW = 'id_is_new';

/** The temporary table that holds a file's rows as they were read, each with its `line`. */
export function stagingTable({ table }: Entity): Sql {
  return raw(`import_${table}`);
}

/** Whether the file gives a field, by a value or by the key of the row referred to. */
export function gives({ columns }: Pick<StagedFile, 'columns'>, name: string): boolean {
  return columns.some(({ field }) => field === name);
}

/** The rows that are to be there afterwards. */
export function rowsToMerge({ entity, columns }: StagedFile): StagedRows {
  const given = new Set(columns.flatMap(({ field }) => field ?? []));
  const staged = stagingTable(entity);
  return { entity, given, rows: deletesRows(columns) ? sql`(select * from ${staged} where ${raw(KEEP)})` : staged };
}

/** Selects the ids of the rows that are to go; undefined where the file takes none away. */
export function idsToRemove({ entity, columns }: StagedFile): Sql | undefined {
  if (!deletesRows(columns)) return undefined;
  return sql`select ${raw(fieldOf(entity, entity.id).column)} from ${stagingTable(entity)} where not ${raw(KEEP)}`;
}

/**
 * Makes the staging tables of the formats. Checks look for both sides of a reference: that of a file which is not there stays empty.
 * Those of an earlier import on the same session, which it could not drop, go. A column that a file lacks has the default of new rows.
 */
export async function createStagingTables(session: Session, formats: readonly FileFormat[]): Promise<void> {
  await dropStagingTables(session);
  const statements = formats.map(({ entity, columns }) => {
    const definitions = columns.map(({ column, kind, whenAbsent, field }) => {
      const hasDefault = field !== undefined && whenAbsent !== undefined && whenAbsent !== null;
      return `${column} ${kind.sqlType}${hasDefault ? ` default '${whenAbsent}'` : ''}`;
    });
    if (entity.naturalKey) definitions.push(`${ID_IS_NEW} boolean`);
    return `create temporary table ${stagingTable(entity).text} (line integer, ${definitions.join()});`;
  });
  await session.transaction((transaction) => transaction.run(statements.join('\n')));
}

/** Frees their space, also where the disk is so low that nothing else may be written. @param others further temporary tables */
export async function dropStagingTables(session: Session, others: readonly Sql[] = []): Promise<void> {
  const tables = [...ENTITIES.map(stagingTable), ...others].map((table) => sql`pg_temp.${table}`);
  await session.transaction(async (transaction) => {
    await transaction.run('set transaction read write');
    await transaction.query(sql`drop table if exists ${join(tables)}`);
  });
}

/** Where a file's rows are copied to: its staging table, and these columns. */
export function stagingTarget(entity: Entity, columns: readonly Column[]): Sql {
  return sql`${stagingTable(entity)} (line, ${join(columns.map(({ column }) => raw(column)))})`;
}

/** Has the planner know the staged rows: without statistics the checks and the writing could take hours. */
export async function analyzeStagedRows(db: Writer, files: readonly StagedFile[]): Promise<void> {
  for (const { entity } of files) await db.query(sql`analyze ${stagingTable(entity)}`);
}

function deletesRows(columns: readonly Column[]): boolean {
  return columns.some(({ column }) => column === KEEP);
}
