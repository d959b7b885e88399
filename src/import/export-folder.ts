import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sql, { join as joinSql, raw, type Sql } from 'sql-template-tag';
import type { Database, Executor, Transaction } from '../db/database.ts';
import { isoTimestampWhole } from '../db/sql-fragments.ts';
import { csvLine } from '../lib/csv.ts';
import { UserError } from '../lib/errors.ts';
import { isFileFault } from '../lib/file-faults.ts';
import { type ColumnFormat, FILE_FORMATS, type FileFormat } from './import-format.ts';

export interface ExportedFile {
  file: string;
  rows: number;
}

export interface ExportProgress extends ExportedFile {
  /** Rows. */
  done: number;
  total: number;
}

/** Rows that are in memory at once. */
const BATCH = 2000;

/** Whether a file of this name is part of an export that has not come to its end. */
export function isUnfinishedExport(name: string): boolean {
  return /^\..*\.csv\.\w+\.unfinished$/.test(name);
}

/**
 * Writes all files of the import format into a folder, which is made where there is none: one state of the database,
 * columns in the order of the format, rows ordered by their id, lines ended by a line feed. Cells hold what an import
 * would store. Until all files are whole they have hidden names, of which an import wants to know nothing.
 *
 * @throws UserError where the folder cannot be written to, or holds CSV files already
 */
export async function exportFolder(
  db: Database,
  folder: string,
  onProgress: (progress: ExportProgress) => void = () => undefined,
): Promise<ExportedFile[]> {
  try {
    await prepare(folder);
    return await writeFiles(db, folder, (progress) => {
      db.expectSpace?.(0, folder);
      onProgress(progress);
    });
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`Nothing was exported to ${folder}: ${error.message}`, { cause: error });
  }
}

async function writeFiles(
  db: Database,
  folder: string,
  onProgress: (progress: ExportProgress) => void,
): Promise<ExportedFile[]> {
  const mark = randomBytes(4).toString('hex');
  const unfinished = ({ file }: FileFormat) => join(folder, `.${file}.${mark}.unfinished`);
  try {
    const files: ExportedFile[] = [];
    const write = async (transaction: Transaction): Promise<void> => {
      await transaction.query(sql`set transaction isolation level repeatable read, read only`);
      for (const format of FILE_FORMATS) {
        const rows = await writeFile(transaction, format, unfinished(format), onProgress);
        files.push({ file: format.file, rows });
      }
    };
    await db.session((session) => session.transaction(write));
    await refuseCsvFiles(folder);
    await giveNames(folder, unfinished);
    return files;
  } finally {
    for (const format of FILE_FORMATS) await rm(unfinished(format), { force: true });
  }
}

/** Gives all files their names, or none. One that is killed in between leaves hidden files beside those that have names. */
async function giveNames(folder: string, unfinished: (format: FileFormat) => string): Promise<void> {
  const named: string[] = [];
  try {
    for (const format of FILE_FORMATS) {
      const path = join(folder, format.file);
      await rename(unfinished(format), path);
      named.push(path);
    }
  } catch (error) {
    for (const path of named) await rm(path, { force: true });
    throw error;
  }
}

async function writeFile(
  transaction: Executor,
  format: FileFormat,
  path: string,
  onProgress: (progress: ExportProgress) => void,
): Promise<number> {
  const { file, table, columns } = format;
  const [count] = await transaction.query<{ rows: number }>(sql`select count(*)::integer as rows from ${raw(table)}`);
  const total = count?.rows ?? 0;
  const cursor = raw(`export_${table}`);
  await transaction.query(sql`declare ${cursor} no scroll cursor for ${rowsOf(format)}`);
  let rows = 0;
  const handle = await open(path, 'wx');
  try {
    await handle.appendFile(csvLine(columns.map(({ name }) => name)));
    for (;;) {
      const batch = await transaction.query<Record<string, string>>(sql`fetch ${raw(String(BATCH))} from ${cursor}`);
      if (batch.length === 0) break;
      await handle.appendFile(batch.map((row) => csvLine(Object.values(row))).join(''));
      rows += batch.length;
      onProgress({ file, rows, done: rows, total });
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await transaction.query(sql`close ${cursor}`);
  return rows;
}

function rowsOf({ table, id, columns }: FileFormat): Sql {
  const isText = columns.some(({ column, reader }) => column === id && reader.sqlType === 'text');
  const order = raw(isText ? `${id} collate "C"` : id);
  return sql`select ${joinSql(columns.map(cellOf))} from ${raw(table)} order by ${order}`;
}

/** A column's value in SQL as the cell that an import reads it from, empty for null. */
function cellOf({ name, column, reader }: ColumnFormat): Sql {
  return sql`coalesce(${asText(raw(column), reader.sqlType)}, '') as ${raw(`"${name}"`)}`;
}

function asText(column: Sql, type: ColumnFormat['reader']['sqlType']): Sql {
  if (type === 'date') return sql`to_char(${column}, 'YYYY-MM-DD')`;
  if (type === 'timestamptz') return isoTimestampWhole(column);
  return type === 'text' ? column : sql`${column}::text`;
}

async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await refuseCsvFiles(folder);
  // An earlier export that was killed. One that goes on at this moment will find its files missing and fail.
  for (const name of await readdir(folder)) {
    if (isUnfinishedExport(name)) await rm(join(folder, name), { force: true });
  }
}

async function refuseCsvFiles(folder: string): Promise<void> {
  const present = (await readdir(folder)).filter((name) => /^[^.].*\.csv$/i.test(name)).toSorted();
  if (present.length === 0) return;
  const reason = `it holds CSV files already (${present.slice(0, 3).join(', ')}${present.length > 3 ? ', …' : ''})`;
  throw new UserError(`Nothing was exported to ${folder}: ${reason}. Name another folder, or remove them.`);
}
