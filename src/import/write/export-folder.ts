import sql, { join as joinSql, raw, type Sql } from 'sql-template-tag';
import { columnOf } from '../../audit/entity-sql.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { readByCursor } from '../../db/read-by-cursor.ts';
import { isoTimestampWhole } from '../../db/sql/sql-fragments.ts';
import { ENTITIES } from '../../entities/entities.ts';
import { type Entity, type Field, fieldOf } from '../../entities/entity.ts';
import type { AtomicFile } from '../../lib/atomic-file.ts';
import { harmlessLine } from '../../lib/csv.ts';
import { writeCsvFolder } from './csv-folder.ts';

export interface ExportedFile {
  file: string;
  rows: number;
}

export interface ExportProgress extends ExportedFile {
  /** Rows written so far. */
  done: number;
  total: number;
}

/**
 * Exports a consistent snapshot of the database to all files of the import format, and creates the folder if necessary. Columns are in the
 * order of the format, rows ordered by id, lines end in LF, and cells hold what an import would store. Until all files are complete they
 * are drafts, which an import refuses.
 *
 * @throws UserError where the folder cannot be written to, or already contains CSV files
 */
export async function exportFolder(
  db: Database,
  folder: string,
  onProgress: (progress: ExportProgress) => void = () => undefined,
): Promise<ExportedFile[]> {
  const watched = (progress: ExportProgress) => {
    db.assertDiskSpace?.(0, folder);
    onProgress(progress);
  };
  return writeCsvFolder(folder, 'exported', async (begin) => {
    const files: ExportedFile[] = [];
    const write = async (transaction: Transaction): Promise<void> => {
      await transaction.query(sql`set transaction isolation level repeatable read, read only`);
      for (const entity of ENTITIES) {
        const draft = await begin(entity.file);
        files.push({ file: entity.file, rows: await writeFile(transaction, entity, draft, watched) });
      }
    };
    await db.session((session) => session.transaction(write));
    return files;
  });
}

async function writeFile(
  transaction: Transaction,
  entity: Entity,
  draft: AtomicFile,
  onProgress: (progress: ExportProgress) => void,
): Promise<number> {
  const { file, table, fields } = entity;
  const [count] = await transaction.query<{ rows: number }>(sql`select count(*)::integer as rows from ${raw(table)}`);
  const total = count?.rows ?? 0;
  let rows = 0;
  await draft.append(harmlessLine(Object.keys(fields)));
  for await (const batch of readByCursor<Record<string, string>>(transaction, table, rowsOf(entity))) {
    await draft.append(batch.map((row) => harmlessLine(Object.values(row))).join(''));
    rows += batch.length;
    onProgress({ file, rows, done: rows, total });
  }
  return rows;
}

function rowsOf(entity: Entity): Sql {
  const isText = fieldOf(entity, entity.id).kind.sqlType === 'text';
  const order = isText ? sql`${columnOf(entity)} collate "C"` : columnOf(entity);
  return sql`select ${joinSql(
    Object.entries(entity.fields).map(
      ([name, field]) => sql`coalesce(${cellOf(field, columnOf(entity, name))}, '') as ${raw(`"${name}"`)}`,
    ),
  )} from ${raw(entity.table)} order by ${order}`;
}

/** Returns the SQL for the CSV cell of a field's value, in the format that an import reads; null for null. */
export function cellOf({ kind: { sqlType } }: Field, value: Sql): Sql {
  if (sqlType === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`;
  if (sqlType === 'timestamptz') return isoTimestampWhole(value);
  return sqlType === 'text' ? value : sql`(${value})::text`;
}
