import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { StagedRows } from '../../audit/merge-rows.ts';
import type { Session, Writer } from '../../db/database.ts';
import { ENTITIES } from '../../entities/entities.ts';
import { type Entity, fieldOf } from '../../entities/entity.ts';
import { type Column, type FileFormat, KEEP } from '../read/import-format.ts';

/** A file whose rows are in its entity's staging table. */
export interface StagedFile {
  entity: Entity;
  format: FileFormat;
  /** Columns present in the file. */
  columns: readonly Column[];
  rows: number;
}

/** Column of staging tables with a natural key: true for rows that had no id, matched no stored row, and were assigned a new id. */
export const ID_IS_NEW = 'id_is_new';

/** Returns the temporary table with the rows of a file, each with its `line`. */
export function stagingTable({ table }: Entity): Sql {
  return raw(`import_${table}`);
}

/** Returns whether the file sets a field, by value or by reference. */
export function gives({ columns }: Pick<StagedFile, 'columns'>, name: string): boolean {
  return columns.some(({ field }) => field === name);
}

/** Returns the rows to insert or update. */
export function rowsToMerge({ entity, columns }: StagedFile): StagedRows {
  const given = new Set(columns.flatMap(({ field }) => field ?? []));
  const staged = stagingTable(entity);
  return { entity, given, rows: deletesRows(columns) ? sql`(select * from ${staged} where ${raw(KEEP)})` : staged };
}

/** Selects the ids of the rows to delete; undefined where the file has no column for that. */
export function idsToRemove({ entity, columns }: StagedFile): Sql | undefined {
  if (!deletesRows(columns)) return undefined;
  return sql`select ${raw(fieldOf(entity, entity.id).column)} from ${stagingTable(entity)} where not ${raw(KEEP)}`;
}

/**
 * Creates the staging tables of the formats, also for absent files: checks query both sides of a reference. Drops those left by an earlier
 * import on the same session. Columns that a file lacks have the default of new rows.
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

/** Drops the staging tables, even while writes are refused for lack of disk space. @param others further temporary tables */
export async function dropStagingTables(session: Session, others: readonly Sql[] = []): Promise<void> {
  const tables = [...ENTITIES.map(stagingTable), ...others].map((table) => sql`pg_temp.${table}`);
  await session.transaction(async (transaction) => {
    await transaction.run('set transaction read write');
    await transaction.query(sql`drop table if exists ${join(tables)}`);
  });
}

/** Returns the target of COPY: the staging table with these columns. */
export function stagingTarget(entity: Entity, columns: readonly Column[]): Sql {
  return sql`${stagingTable(entity)} (line, ${join(columns.map(({ column }) => raw(column)))})`;
}

/** Updates the planner's statistics of staged rows, without which checks and writes could take hours. */
export async function analyzeStagedRows(db: Writer, files: readonly StagedFile[]): Promise<void> {
  for (const { entity } of files) await db.query(sql`analyze ${stagingTable(entity)}`);
}

function deletesRows(columns: readonly Column[]): boolean {
  return columns.some(({ column }) => column === KEEP);
}
