import { access, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { UserError } from '../lib/errors.ts';
import { readParts } from '../lib/packed-parts.ts';
import { programFile } from '../lib/program.ts';
import { type LockOptions, lockDataFolder } from './data-folder-lock.ts';
import { diskReserve, type FreeSpace } from './disk-reserve.ts';
import { assertOwner, describeRights } from './folder-owner.ts';
import { type EmbeddedDatabase, openPGliteDatabase, type PGliteOptions } from './pglite-database.ts';
import { reservingDatabase } from './reserving-database.ts';

/** Bytes of a new database with the geography and the demo. */
const NEW_DATABASE = 200e6;
/** Bytes needed to open a database: the end of recovery may need another file of the write-ahead log. */
const OPENED_DATABASE = 40e6;

export interface OpeningOptions {
  /** Bytes to keep free on the disk of the folder; 0 or absent: it may be filled. */
  reserve?: number;
  /** Whether a commit waits until the disk has it; absent: it does. */
  sync?: boolean;
  /** Absent: the operating system is asked. */
  freeSpace?: FreeSpace;
  /** Receives a message for people before a database is created. */
  announce?: ((text: string) => void) | undefined;
  /** Receives each error that made the database restart, or made the restart fail. */
  failed?: PGliteOptions['failed'];
  /** Schedules the deadline checks; absent: by the system clock. */
  callRegularly?: PGliteOptions['callRegularly'];
}

/**
 * Opens the embedded database of a data folder, creating it if missing; holds the folder's lock until disposal.
 *
 * PGlite freezes on a full disk. So it is read-only while less than the reserve is free.
 *
 * @throws FolderInUseError if another process holds the folder
 * @throws DiskLowError if there is no space to create or to open it
 * @throws UserError if the database is damaged, or belongs to another user
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  lockOptions: LockOptions,
  { reserve = 0, sync = true, freeSpace, announce, ...options }: OpeningOptions = {},
): Promise<Database> {
  const lock = await lockDataFolder(dataDir, lockOptions);
  try {
    await assertOwn(dataDir, lockOptions.command);
    const disk = reserve > 0 ? diskReserve(dataDir, reserve, freeSpace) : undefined;
    if (!(await hasEmbeddedDatabase(dataDir))) {
      disk?.assertDiskSpace(NEW_DATABASE);
      announce?.(`First start: making the database in ${dataDir} …`);
    } else if (disk && disk.free() < Math.min(OPENED_DATABASE, reserve)) throw disk.refusal(OPENED_DATABASE);
    const pglite = await openOrMake({ ...options, sync, folder: databaseFolder(dataDir) });
    const db = disk ? reservingDatabase(pglite, disk) : pglite;
    return {
      ...db,
      async [Symbol.asyncDispose]() {
        await db[Symbol.asyncDispose]();
        await lock[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

/** Whether a data folder holds an embedded database. */
export function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return exists(join(databaseFolder(dataDir), 'PG_VERSION'));
}

/**
 * A folder without a database may belong to another user who lets this one write to it; only files that root creates there would shut the
 * owner out.
 */
async function assertOwn(dataDir: string, command: string): Promise<void> {
  const isMade = await exists(databaseFolder(dataDir));
  if (isMade || process.geteuid?.() === 0) await assertOwner(isMade ? databaseFolder(dataDir) : dataDir, command);
}

function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * A process killed while it creates the database leaves one that cannot be opened. So a marker file says that it is unfinished, until the
 * first successful open. A database with the marker holds no data, and is created anew.
 */
async function openOrMake(options: PGliteOptions & { folder: string }): Promise<EmbeddedDatabase> {
  const { folder } = options;
  const unfinished = `${folder}.unfinished`;
  if (await exists(unfinished)) await rm(folder, { recursive: true, force: true });
  const isNew = !(await exists(join(folder, 'PG_VERSION')));
  if (isNew) await writeFile(unfinished, '', { flush: true });
  try {
    // PGlite creates files that all may read and write: only the mode of the folder keeps other users out.
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
    if (isNew) await writeNewDatabase(folder, options.sync ?? false);
    const db = await openPGliteDatabase(options);
    await rm(unfinished, { force: true });
    return db;
  } catch (error) {
    const rights = await describeRights(folder).catch(() => '');
    throw new UserError(
      `The embedded database in ${folder} cannot be opened (${String(error)}). ${rights} ` +
        'Where its rights are in order, restore it from a copy, or set DATA_DIR to another folder.',
      { cause: error },
    );
  }
}

/** The files of a database with the schema and without rows. Their names are relative to its folder; a folder precedes what is in it. */
export interface DatabaseFiles {
  folders: string[];
  files: { name: string; content: Uint8Array }[];
}

/** Writes the files that the build has made: PostgreSQL's own `initdb` takes three seconds, and memory that stays. */
async function writeNewDatabase(folder: string, flush: boolean): Promise<void> {
  const { folders, files } = await readParts<DatabaseFiles>(await readFile(programFile('resources/database.br')));
  for (const name of folders) await mkdir(join(folder, name));
  await Promise.all(files.map(({ name, content }) => writeFile(join(folder, name), content, { flush })));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
