import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { type Actor, analyzeTrail } from '../audit/audit-trail.ts';
import { countMerge, countRows, type MergedRows, mergeRows, removeRows } from '../audit/merge-rows.ts';
import { advisoryLock, type Database, type Session, sqlState } from '../db/database.ts';
import { ENTITIES } from '../entities/entities.ts';
import type { Entity } from '../entities/entity.ts';
import { DiskLowError } from '../lib/errors.ts';
import { ImportError, ProblemList } from './check/problems.ts';
import { checkTaxRegistrations } from './check/tax-registrations.ts';
import { importTables } from './import-tables.ts';
import { folderFormat } from './read/import-format.ts';
import { whyUnreadable } from './read/record-reader.ts';
import { idsToRemove, rowsToMerge, type StagedFile } from './stage/staging.ts';
import { FILE_NAMES, isUnfinishedExport } from './write/csv-folder.ts';

export interface FileReport {
  file: string;
  /** Rows in the file: the sum of the four counts below. */
  rows: number;
  added: number;
  changed: number;
  removed: number;
  unchanged: number;
}

export interface ImportReport {
  /** Files of the folder, in the order of writing. */
  files: readonly FileReport[];
}

export interface ImportProgress {
  /** Name of a file, or `all rows`. */
  file: string;
  step: 'reading' | 'checking' | 'writing';
  /** Bytes while reading, rows otherwise. */
  done: number;
  total: number;
}

export interface ImportOptions {
  /** Checks everything and counts the changes, without writing. */
  dryRun?: boolean;
  /** Called repeatedly, for a progress bar. An exception aborts the import. */
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * Imports a folder of CSV files atomically. Rows are matched by id, or by natural key without one, and updated where they differ in a
 * column of the file; stored rows that are not in the folder stay. A unique value stored under another id is refused, as ids never change.
 * Concurrent imports are serialised.
 *
 * Rows are first copied to temporary tables and checked: all values, then the rows against each other and the database unless a row had to
 * be left out. One transaction then writes, in which the database's constraints cover changes since the checks.
 *
 * @throws ImportError with all problems of the folder
 */
export async function importFolder(
  db: Database,
  folder: string,
  { dryRun = false, onProgress = () => undefined }: ImportOptions = {},
): Promise<ImportReport> {
  const entities = await findFiles(folder);
  const tables = await Promise.all(
    entities.map(async (entity) => {
      const source = join(folder, entity.file);
      // Reading an inaccessible file fails with the reason.
      const { size } = await stat(source).catch(() => ({ size: 0 }));
      return { format: folderFormat(entity, ENTITIES), source, size };
    }),
  );
  return importTables(db, tables, new ProblemList(), {
    dryRun,
    async prepare(session) {
      if (db.kind === 'embedded') return session; // Whose sessions are serialised.
      // Released with the session.
      await session.query(sql`select pg_advisory_lock(${advisoryLock('import')})`);
      // For sorting millions of staged rows; the connection is not shared.
      await session.query(sql`set work_mem = '64MB'`);
      return session;
    },
    check: checkTaxRegistrations,
    onRead: ({ format, size }, done) => onProgress({ file: format.entity.file, step: 'reading', done, total: size }),
    onCheck(files, isDone) {
      const total = files.reduce((sum, { rows }) => sum + rows, 0);
      onProgress({ file: 'all rows', step: 'checking', done: isDone ? total : 0, total });
    },
    async finish(session, staged, problems) {
      if (problems.count > 0) throw problems.toError(folder, FILE_NAMES);
      const merged = dryRun ? await countAll(session, staged) : await writeAll(session, staged, onProgress);
      // A server has autovacuum. Vacuuming enables index-only scans for the lists (docs/performance.md).
      if (db.kind === 'embedded' && !dryRun && db.diskState?.() !== 'low') {
        await session.query(sql`vacuum companies, departments, approval_policies, users`);
      }
      const files = staged.map(({ entity: { file }, rows }, index): FileReport => {
        const counts = merged[index] ?? { added: 0, changed: 0, removed: 0 };
        return { file, rows, ...counts, unchanged: rows - counts.added - counts.changed - counts.removed };
      });
      return { files };
    },
  }).catch((error: unknown) => {
    if (error instanceof DiskLowError) throw refusal(folder, error.message, error);
    throw sqlState(error) === undefined ? error : databaseFault(folder, error);
  });
}

/** Counts of a file's rows by what is, or would be, done with them. */
interface Merged extends MergedRows {
  removed: number;
}

async function countAll(session: Session, files: readonly StagedFile[]): Promise<Merged[]> {
  const counts: Merged[] = [];
  for (const file of files) {
    const ids = idsToRemove(file);
    const removed = ids ? await countRows(session, file.entity, ids) : 0;
    counts.push({ ...(await countMerge(session, rowsToMerge(file))), removed });
  }
  return counts;
}

async function writeAll(
  session: Session,
  files: readonly StagedFile[],
  onProgress: (progress: ImportProgress) => void,
): Promise<Merged[]> {
  const written: Merged[] = [];
  const actor: Actor = { kind: 'import', runId: randomUUID() };
  await session.transaction(async (transaction) => {
    // Departments and bands may move to another company before their users; companies are written before their defaults, departments
    // before their heads.
    await transaction.query(sql`set constraints all deferred`);
    for (const file of files) {
      const { entity, rows: total } = file;
      onProgress({ file: entity.file, step: 'writing', done: 0, total });
      const ids = idsToRemove(file);
      const removed = ids ? await removeRows(transaction, entity, ids, actor) : 0;
      written.push({ ...(await mergeRows(transaction, rowsToMerge(file), actor)), removed });
      onProgress({ file: entity.file, step: 'writing', done: total, total });
    }
    // Before the commit, so that a violation is reported as an error of this import.
    await transaction.query(sql`set constraints all immediate`);
    // The embedded database has no autovacuum to update the planner's statistics.
    for (const [index, { entity }] of files.entries()) {
      const { added = 0, changed = 0 } = written[index] ?? {};
      if (added + changed > 0) await transaction.query(sql`analyze ${raw(entity.table)}`);
    }
    await transaction.query(analyzeTrail);
  });
  return written;
}

/** Converts a database error after all checks: a conflict with a concurrent write, or a failure of the database. */
function databaseFault(folder: string, cause: unknown): unknown {
  // Class 42, such as a missing table or column: the schema is to blame, not the folder.
  if (sqlState(cause)?.startsWith('42')) return cause;
  const { message, detail } = cause as Error & { detail?: string };
  const said = detail === undefined || detail === '' ? message : `${message} (${detail})`;
  const advice = /^(23|40)/.test(sqlState(cause) ?? '')
    ? ' Something else changed the same rows at the same time: import the folder again.'
    : '';
  return refusal(folder, `the database answered: ${said}.${advice}`, cause);
}

function refusal(folder: string, reason: string, cause?: unknown): ImportError {
  return new ImportError(`Nothing was imported from ${folder}: ${reason}`, [], 1, cause);
}

/** Returns the entities whose files are in the folder. @throws ImportError for a missing or invalid folder, or inaccessible files */
async function findFiles(folder: string): Promise<Entity[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : `it cannot be read (${cause.message})`;
    throw refusal(folder, `${reason}.`, cause);
  });
  if (names.some(isUnfinishedExport)) {
    const reason =
      'an export into it was not finished. Export again, into another folder, or remove its unfinished files.';
    throw refusal(folder, reason);
  }
  const allowed = `The files of the import format are ${FILE_NAMES.join(', ')}.`;
  const csvFiles = names.filter((name) => /^[^.].*\.csv$/i.test(name)).toSorted();
  if (csvFiles.length === 0) throw refusal(folder, `it has no CSV file. ${allowed}`);
  const problems = new ProblemList();
  for (const file of csvFiles) {
    const reason = FILE_NAMES.includes(file)
      ? await whyUnreadable(join(folder, file))
      : `not a file of the import format: rename or remove it. ${allowed}`;
    if (reason !== undefined) problems.add({ file, reason });
  }
  if (problems.count > 0) throw problems.toError(folder, FILE_NAMES);
  return ENTITIES.filter(({ file }) => csvFiles.includes(file));
}
