import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import sql, { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../db/database.ts';
import { schemaVersions } from '../db/migrator.ts';
import { readByCursor } from '../db/read-by-cursor.ts';
import { type AtomicFile, createAtomicFile, publish, removeDrafts } from '../lib/atomic-file.ts';
import { isFileFault, UserError } from '../lib/errors.ts';
import { type BackupHeader, FIRST_LINE, LAST_LINE } from './backup-format.ts';
import { listTables, selectCopyLines } from './tables.ts';

export interface BackupProgress {
  table: string;
  /** Rows done, of all tables. */
  done: number;
  total: number;
}

export interface BackupOptions {
  /** Whether to replace an existing file. */
  force?: boolean;
  /** Called periodically; throwing cancels the backup. */
  onProgress?: (progress: BackupProgress) => void;
}

export interface WrittenBackup extends BackupHeader {
  /** Size of the file. */
  bytes: number;
}

/** In bytes. */
const LARGEST_CHUNK = 256 * 1024;

/**
 * Writes a consistent snapshot of all data to one file (see backup-format.ts) with mode 0600. The file has a temporary name until it is
 * complete and synced.
 *
 * @throws UserError if the file exists, or cannot be written
 */
export async function writeBackup(
  db: Database,
  file: string,
  { force = false, onProgress = () => undefined }: BackupOptions = {},
): Promise<WrittenBackup> {
  const watched = (progress: BackupProgress) => {
    db.assertDiskSpace?.(0, dirname(file));
    onProgress(progress);
  };
  try {
    if (!force) await assertNoFile(file);
    await removeDrafts(file);
    await using target = await createAtomicFile(file, 0o600);
    const written = await writeTo(db, target, watched);
    if (!force) await assertNoFile(file);
    await publish(target);
    return written;
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`Nothing was backed up to ${file}: ${error.message}`, { cause: error });
  }
}

async function writeTo(
  db: Database,
  target: AtomicFile,
  onProgress: (progress: BackupProgress) => void,
): Promise<WrittenBackup> {
  const hash = createHash('sha256');
  let bytes = 0;
  const write = async (data: Buffer | string): Promise<void> => {
    hash.update(data);
    await target.append(data);
    bytes += Buffer.byteLength(data);
  };
  const header = await db.session((session) =>
    session.transaction((transaction) => writeRows(transaction, write, onProgress)),
  );
  await target.append(`${hash.digest('hex')}\n`);
  return { ...header, bytes: bytes + LAST_LINE };
}

/** Writes one snapshot: concurrent writes are left out. */
async function writeRows(
  transaction: Transaction,
  write: (data: Buffer | string) => Promise<void>,
  onProgress: (progress: BackupProgress) => void,
): Promise<BackupHeader> {
  await transaction.query(sql`set transaction isolation level repeatable read, read only`);
  await transaction.run(`set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'`);
  // Before the first look at the data.
  const takenAt = new Date().toISOString();
  const schemaVersion = await assertSchema(transaction);
  const tables = await listTables(transaction);
  const counts: number[] = [];
  for (const { name } of tables) counts.push(await countRows(transaction, name));
  const header: BackupHeader = {
    schemaVersion,
    takenAt,
    tables: tables.map(({ name, columns }, index) => ({
      name,
      columns: columns.map((column) => column.name),
      rows: counts[index] ?? 0,
    })),
  };
  await write(`${FIRST_LINE}${JSON.stringify(header)}\n`);

  const total = counts.reduce((sum, count) => sum + count, 0);
  async function* rows(): AsyncGenerator<string> {
    let done = 0;
    for (const table of tables) {
      for await (const rows of readByCursor<{ line: string }>(transaction, table.name, selectCopyLines(table))) {
        yield rows.map(({ line }) => `${line}\n`).join('');
        done += rows.length;
        onProgress({ table: table.name, done, total });
      }
    }
  }
  // The fastest level takes about as long as the database needs to return the rows.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: LARGEST_CHUNK });
  await pipeline(rows, gzip, async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) await write(chunk);
  });
  return header;
}

async function assertSchema(transaction: Transaction): Promise<number> {
  const { present, newest } = await schemaVersions(transaction);
  if (present === 0) throw new UserError('The database has no schema yet: there is nothing to back up.');
  if (present <= newest) return present;
  throw new UserError(
    `The database has schema version ${present}, this program knows ${newest}: back it up with a newer orgdesk.`,
  );
}

async function countRows(transaction: Transaction, table: string): Promise<number> {
  const [count] = await transaction.query<{ rows: string }>(sql`select count(*)::text as rows from ${raw(table)}`);
  return Number(count?.rows);
}

/** Throws if the path exists, also as a dangling symbolic link. */
async function assertNoFile(file: string): Promise<void> {
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UserError(`${file} is there already: name another file, or replace it with --force.`);
}
