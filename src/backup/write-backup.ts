import { createHash, randomBytes } from 'node:crypto';
import { access, type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import sql, { raw } from 'sql-template-tag';
import type { Database, Transaction } from '../db/database.ts';
import { schemaVersions } from '../db/migrator.ts';
import { UserError } from '../lib/errors.ts';
import { isFileFault } from '../lib/file-faults.ts';
import { type BackupHeader, FIRST_LINE, LAST_LINE } from './backup-format.ts';
import { type BackedUpTable, listTables, selectCopyLines } from './tables.ts';

export interface BackupProgress {
  table: string;
  /** Rows of all tables. */
  done: number;
  total: number;
}

export interface BackupOptions {
  /** Whether a file of this name is replaced. */
  force?: boolean;
  /** Called now and then. What it throws gives the backup up. */
  onProgress?: (progress: BackupProgress) => void;
}

export interface WrittenBackup extends BackupHeader {
  /** The size of the file. */
  bytes: number;
}

/** Rows that are in memory at once. */
const BATCH = 2000;
const LARGEST_CHUNK = 256 * 1024;

/**
 * Writes all data into one file (see backup-format.ts) of mode 0600: one state of the database. Until it is whole and safe on the
 * disk it has another name.
 *
 * @throws UserError where there is a file of this name already, or it cannot be written
 */
export async function writeBackup(
  db: Database,
  file: string,
  { force = false, onProgress = () => undefined }: BackupOptions = {},
): Promise<WrittenBackup> {
  const partial = join(dirname(file), `${basename(file)}.${randomBytes(4).toString('hex')}.partial`);
  const watched = (progress: BackupProgress) => {
    db.expectSpace?.(0, dirname(file));
    onProgress(progress);
  };
  try {
    if (!force) await expectNoFile(file);
    await removeUnfinished(file);
    const written = await writeTo(db, partial, watched);
    if (!force) await expectNoFile(file);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return written;
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`Nothing was backed up to ${file}: ${error.message}`, { cause: error });
  } finally {
    await rm(partial, { force: true });
  }
}

async function writeTo(
  db: Database,
  partial: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<WrittenBackup> {
  const handle = await open(partial, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    const write = async (data: Buffer | string): Promise<void> => {
      hash.update(data);
      await handle.appendFile(data);
      bytes += Buffer.byteLength(data);
    };
    const header = await db.session((session) =>
      session.transaction((transaction) => writeRows(transaction, write, onProgress)),
    );
    await handle.appendFile(`${hash.digest('hex')}\n`);
    await handle.sync();
    return { ...header, bytes: bytes + LAST_LINE };
  } finally {
    await handle.close();
  }
}

/** Of one state of the database: what others write meanwhile is not in it. */
async function writeRows(
  transaction: Transaction,
  write: (data: Buffer | string) => Promise<void>,
  onProgress: (progress: BackupProgress) => void,
): Promise<BackupHeader> {
  await transaction.query(sql`set transaction isolation level repeatable read, read only`);
  await transaction.run(`set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'`);
  // Before the first look at the data.
  const takenAt = new Date().toISOString();
  const schemaVersion = await expectSchema(transaction);
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
      for await (const lines of batchesOf(transaction, table)) {
        yield `${lines.join('\n')}\n`;
        done += lines.length;
        onProgress({ table: table.name, done, total });
      }
    }
  }
  // The fastest: it takes about as long as the database takes to give the rows.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: LARGEST_CHUNK });
  await pipeline(rows, gzip, async (compressed: AsyncIterable<Buffer>) => {
    for await (const chunk of compressed) await write(chunk);
  });
  return header;
}

async function expectSchema(transaction: Transaction): Promise<number> {
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

async function* batchesOf(transaction: Transaction, table: BackedUpTable): AsyncGenerator<string[]> {
  const cursor = raw(`backup_${table.name}`);
  await transaction.query(sql`declare ${cursor} no scroll cursor for ${selectCopyLines(table)}`);
  for (;;) {
    const batch = await transaction.query<{ line: string }>(sql`fetch ${raw(String(BATCH))} from ${cursor}`);
    if (batch.length === 0) break;
    yield batch.map(({ line }) => line);
    // The embedded database works in this thread: whoever needs no database gets a turn.
    await setImmediate();
  }
  await transaction.query(sql`close ${cursor}`);
}

async function expectNoFile(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UserError(`${file} is there already: name another file, or replace it with --force.`);
}

/** What a killed backup left. One that goes on at this moment will find its file missing and fail. */
async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}.`) || !/\.[0-9a-f]{8}\.partial$/.test(name)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/** So that the new name too survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
    // Not every system lets folders be opened or synchronised; the file itself is safe.
  } finally {
    await handle?.close();
  }
}
