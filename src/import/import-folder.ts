import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { type Database, type Session, sqlState } from '../db/database.ts';
import { isUnfinishedExport } from './export-folder.ts';
import { checkAgainstDatabase, checkWithinFiles } from './folder-checks.ts';
import { checkFinally, countRows, deferUserChecks, type WrittenRows, writeRows } from './folder-writer.ts';
import { ImportError, ProblemList } from './import-error.ts';
import { FILE_FORMATS, type FileFormat } from './import-format.ts';
import { expectImportSpace, inImportWords, sizeOf } from './import-space.ts';
import { readRows } from './record-reader.ts';
import {
  analyzeStagedRows,
  createStagingTables,
  dropStagingTables,
  identifyStagedRows,
  stagingTarget,
} from './staging.ts';

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
  /** A file's name, or `all rows`. */
  file: string;
  step: 'reading' | 'checking' | 'writing';
  /** Bytes while reading, rows otherwise. */
  done: number;
  total: number;
}

export interface ImportOptions {
  /** Checks everything and counts what would be written, and writes nothing. */
  dryRun?: boolean;
  /** Called now and then, for a progress bar. What it throws gives the import up. */
  onProgress?: (progress: ImportProgress) => void;
}

/** Any number will do that no other program uses for advisory locks on this database, and that migrations do not. */
const IMPORT_LOCK = 7_241_907;
const FILE_NAMES = FILE_FORMATS.map(({ file }) => file);

/**
 * Imports a folder of CSV files, all of it or nothing. Rows are matched by their id (company roles and levels
 * without one by their other columns) and updated where they differ; rows that the folder does not name stay.
 * Where a stored row has what must be unique under another id, the folder is refused: an id is never changed.
 * Two imports at once wait for each other.
 *
 * The rows are copied to temporary tables first, and checked there: their values all, and the rows against each other
 * and the database where no row had to be left out. Then one transaction writes, in which the database's own
 * constraints stand for what may have changed since the checks.
 *
 * @throws ImportError with all that is wrong with the folder
 */
export async function importFolder(
  db: Database,
  folder: string,
  { dryRun = false, onProgress = () => undefined }: ImportOptions = {},
): Promise<ImportReport> {
  const formats = await findFiles(folder);
  await expectImportSpace(db, folder, formats, dryRun);
  return db.session(async (session) => {
    if (db.kind === 'server') {
      // Freed with the session. On the embedded database works on the session wait for each other anyway.
      await session.query(sql`select pg_advisory_lock(${raw(String(IMPORT_LOCK))})`);
      // For the sorting of millions of staged rows; nobody else uses this connection.
      await session.query(sql`set work_mem = '64MB'`);
    }
    try {
      const rowCounts = await readAndCheck(session, folder, formats, onProgress);
      const written = dryRun
        ? await countAll(session, formats)
        : await writeAll(session, formats, rowCounts, onProgress);
      // A server does this by itself. It lets the lists read their indexes alone (docs/performance.md).
      if (db.kind === 'embedded' && !dryRun && db.diskState?.() !== 'low') {
        await session.query(sql`vacuum companies, departments, approval_policies`);
      }
      const files = formats.map((format, index): FileReport => {
        const { added, changed } = written[index] ?? { added: 0, changed: 0 };
        const rows = rowCounts.get(format) ?? 0;
        return { file: format.file, rows, added, changed, unchanged: rows - added - changed };
      });
      return { files };
    } catch (error) {
      throw sqlState(error) === undefined ? inImportWords(error, folder) : databaseFault(folder, error);
    } finally {
      // What cannot be dropped goes with the session, or at the beginning of the next import.
      await dropStagingTables(session).catch(() => undefined);
    }
  });
}

/** Stages all rows, each with its id. @returns the number of rows of each file @throws ImportError */
async function readAndCheck(
  session: Session,
  folder: string,
  formats: readonly FileFormat[],
  onProgress: (progress: ImportProgress) => void,
): Promise<Map<FileFormat, number>> {
  const problems = new ProblemList();
  const rowCounts = new Map<FileFormat, number>();
  await createStagingTables(session);
  for (const format of formats) {
    rowCounts.set(format, await stageFile(session, folder, format, problems, onProgress));
  }
  if (!problems.incomplete) {
    const total = [...rowCounts.values()].reduce((sum, count) => sum + count, 0);
    const checking = (done: number) => onProgress({ file: 'all rows', step: 'checking', done, total });
    checking(0);
    await analyzeStagedRows(session, formats);
    await checkWithinFiles(session, formats, problems);
    await identifyStagedRows(session, formats);
    await checkAgainstDatabase(session, formats, problems);
    checking(total);
  }
  if (problems.count > 0) throw problems.toError(folder, FILE_NAMES);
  return rowCounts;
}

async function stageFile(
  session: Session,
  folder: string,
  format: FileFormat,
  problems: ProblemList,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  const total = await sizeOf(join(folder, format.file));
  let rowCount = 0;
  async function* copyRows(): AsyncGenerator<string> {
    for await (const piece of readRows(folder, format, problems)) {
      rowCount += piece.rows;
      onProgress({ file: format.file, step: 'reading', done: piece.bytesRead, total });
      if (piece.rows > 0) yield piece.copyRows;
    }
  }
  await session.copyInto(stagingTarget(format), copyRows());
  return rowCount;
}

async function countAll(session: Session, formats: readonly FileFormat[]): Promise<WrittenRows[]> {
  const counts: WrittenRows[] = [];
  for (const format of formats) counts.push(await countRows(session, format));
  return counts;
}

async function writeAll(
  session: Session,
  formats: readonly FileFormat[],
  rowCounts: ReadonlyMap<FileFormat, number>,
  onProgress: (progress: ImportProgress) => void,
): Promise<WrittenRows[]> {
  const written: WrittenRows[] = [];
  const runId = randomUUID();
  await session.transaction(async (transaction) => {
    await deferUserChecks(transaction);
    for (const format of formats) {
      const total = rowCounts.get(format) ?? 0;
      onProgress({ file: format.file, step: 'writing', done: 0, total });
      written.push(await writeRows(transaction, format, runId));
      onProgress({ file: format.file, step: 'writing', done: total, total });
    }
    await checkFinally(transaction);
    // On the embedded database nothing else would tell the planner how many rows there are now.
    for (const [index, { added, changed }] of written.entries()) {
      const format = formats[index];
      if (format !== undefined && added + changed > 0) await transaction.query(sql`analyze ${raw(format.table)}`);
    }
  });
  return written;
}

/** The formats of the files that the folder holds. @throws ImportError for a folder that is none, or none of ours */
async function findFiles(folder: string): Promise<FileFormat[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : `it cannot be read (${cause.message})`;
    throw new ImportError(`Nothing was imported from ${folder}: ${reason}.`, [], 1, cause);
  });
  if (names.some(isUnfinishedExport)) {
    const reason = 'an export into it was not finished. Export again, into another folder, or remove its hidden files.';
    throw new ImportError(`Nothing was imported from ${folder}: ${reason}`);
  }
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
function databaseFault(folder: string, cause: unknown): unknown {
  // A table or column that is missing: the schema is to blame, and not the folder.
  if (sqlState(cause)?.startsWith('42')) return cause;
  const { message, detail } = cause as Error & { detail?: string };
  const said = detail === undefined || detail === '' ? message : `${message} (${detail})`;
  const advice = /^(23|40)/.test(sqlState(cause) ?? '')
    ? ' Something else changed the same rows at the same time: import the folder again.'
    : '';
  const text = `Nothing was imported from ${folder}: the database answered: ${said}.${advice}`;
  return new ImportError(text, [], 1, cause);
}
