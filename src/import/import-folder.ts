import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { type Database, type Executor, sqlState } from '../db/database.ts';
import { checkAgainstDatabase, checkWithinFiles } from './folder-checks.ts';
import { checkFinally, deferUserChecks, writeRows } from './folder-writer.ts';
import { ImportError, ProblemList } from './import-error.ts';
import { FILE_FORMATS, type FileFormat } from './import-format.ts';
import { type ImportRow, readRows } from './record-reader.ts';
import { createStagingTables, identifyStagedRows, indexStagedRows, stage } from './staging.ts';

export interface FileReport {
  file: string;
  /** Rows in the file: the sum of the other three. */
  rows: number;
  added: number;
  changed: number;
  unchanged: number;
}

export interface ImportReport {
  /** The files of the folder, in the order of writing. */
  files: readonly FileReport[];
}

export interface ImportProgress {
  file: string;
  step: 'reading' | 'writing';
  /** Bytes while reading, rows while writing. */
  done: number;
  total: number;
}

/** Any number will do that no other program uses for advisory locks on this database, and that migrations do not. */
const IMPORT_LOCK = 7_241_907;
/** How many rows go to the database at once: some megabytes of JSON at the most. */
const BATCH = 5000;
const FILE_NAMES = FILE_FORMATS.map(({ file }) => file);

/**
 * Imports a folder of CSV files, all of it or nothing. Rows are matched by their id (company roles and levels
 * without one by their other columns) and updated where they differ; rows that the folder does not name stay.
 * Where a stored row has what must be unique under another id, the folder is refused: an id is never changed.
 * Two imports at once wait for each other.
 *
 * The values of all files are checked first, and the rows against each other and the database where no row
 * had to be left out.
 *
 * @param onProgress called now and then, for a progress bar
 * @throws ImportError with all that is wrong with the folder
 */
export async function importFolder(
  db: Database,
  folder: string,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<ImportReport> {
  const formats = await findFiles(folder);
  try {
    return await db.transaction(async (transaction) => {
      await transaction.query(sql`select pg_advisory_xact_lock(${raw(String(IMPORT_LOCK))})`);
      const rowCounts = await readAndCheck(transaction, folder, formats, onProgress);
      await deferUserChecks(transaction);
      const files: FileReport[] = [];
      for (const format of formats) {
        const rows = rowCounts.get(format) ?? 0;
        onProgress({ file: format.file, step: 'writing', done: 0, total: rows });
        const { added, changed } = await writeRows(transaction, format);
        onProgress({ file: format.file, step: 'writing', done: rows, total: rows });
        files.push({ file: format.file, rows, added, changed, unchanged: rows - added - changed });
      }
      await checkFinally(transaction);
      return { files };
    });
  } catch (error) {
    throw sqlState(error) === undefined ? error : databaseFault(folder, error);
  }
}

/** Stages all rows, each with its id. @returns the number of rows of each file @throws ImportError */
async function readAndCheck(
  transaction: Executor,
  folder: string,
  formats: readonly FileFormat[],
  onProgress: (progress: ImportProgress) => void,
): Promise<Map<FileFormat, number>> {
  const problems = new ProblemList();
  const rowCounts = new Map<FileFormat, number>();
  await createStagingTables(transaction);
  for (const format of formats) {
    rowCounts.set(format, await stageFile(transaction, folder, format, problems, onProgress));
  }
  if (!problems.incomplete) {
    await indexStagedRows(transaction);
    await checkWithinFiles(transaction, problems);
    await identifyStagedRows(transaction);
    await checkAgainstDatabase(transaction, problems);
  }
  if (problems.count > 0) throw problems.toError(folder, FILE_NAMES);
  return rowCounts;
}

async function stageFile(
  transaction: Executor,
  folder: string,
  format: FileFormat,
  problems: ProblemList,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  // Where this fails, reading will too, and say so.
  const total = await stat(join(folder, format.file)).then(
    ({ size }) => size,
    () => 0,
  );
  let rowCount = 0;
  let batch: ImportRow[] = [];
  for await (const { rows, bytesRead } of readRows(folder, format, problems)) {
    batch = batch.concat(rows);
    rowCount += rows.length;
    onProgress({ file: format.file, step: 'reading', done: bytesRead, total });
    if (batch.length < BATCH) continue;
    await stage(transaction, format, batch);
    batch = [];
  }
  if (batch.length > 0) await stage(transaction, format, batch);
  return rowCount;
}

/** The formats of the files that the folder holds. @throws ImportError for a folder that is none, or none of ours */
async function findFiles(folder: string): Promise<FileFormat[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : `it cannot be read (${cause.message})`;
    throw new ImportError(`Nothing was imported from ${folder}: ${reason}.`, [], { cause });
  });
  const allowed = `The files of the import format are ${FILE_NAMES.join(', ')}.`;
  const csvFiles = names.filter((name) => /^[^.].*\.csv$/i.test(name)).toSorted();
  if (csvFiles.length === 0)
    throw new ImportError(`Nothing was imported from ${folder}: it has no CSV file. ${allowed}`);
  const problems = new ProblemList();
  for (const file of csvFiles.filter((name) => !FILE_NAMES.includes(name))) {
    const reason = `not a file of the import format: rename or remove it. ${allowed}`;
    problems.add({ file, line: undefined, column: undefined, value: undefined, reason });
  }
  if (problems.count > 0) throw problems.toError(folder, FILE_NAMES);
  return FILE_FORMATS.filter(({ file }) => csvFiles.includes(file));
}

/** What the database said after all checks: that something else wrote to it at the same time, or that it cannot go on. */
function databaseFault(folder: string, cause: unknown): ImportError {
  const { message, detail } = cause as Error & { detail?: string };
  const said = detail === undefined || detail === '' ? message : `${message} (${detail})`;
  const advice = /^(23|40)/.test(sqlState(cause) ?? '')
    ? ' Something else changed the same rows at the same time: import the folder again.'
    : '';
  return new ImportError(`Nothing was imported from ${folder}: the database answered: ${said}.${advice}`, [], {
    cause,
  });
}
