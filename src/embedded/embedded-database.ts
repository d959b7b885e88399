import { access, chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/database.ts';
import { UserError } from '../lib/errors.ts';
import { type LockOptions, lockDataFolder } from './data-folder-lock.ts';
import { diskReserve, type FreeSpace } from './disk-reserve.ts';
import { describeRights, expectOwner } from './folder-owner.ts';
import { type EmbeddedDatabase, openPGliteDatabase, type PGliteOptions } from './pglite-database.ts';
import { reservingDatabase } from './reserving-database.ts';

/** Bytes that a new database takes with the geography and the demo. */
const NEW_DATABASE = 200e6;
/** Bytes that it takes to open a database: the end of a recovery may need a further file of the write-ahead log. */
const OPENED_DATABASE = 40e6;

export interface OpeningOptions {
  /** Bytes that are to stay free on the disk of the folder; 0 or absent: it may be filled. */
  reserve?: number;
  /** Absent: the system is asked. */
  freeSpace?: FreeSpace;
  /** Is told in words that a database is made, before it is. */
  announce?: ((text: string) => void) | undefined;
  /** Is told why the database was opened anew, and why that failed. */
  failed?: PGliteOptions['failed'];
  /** Looks at the deadlines; absent: by the system's clock. */
  callRegularly?: PGliteOptions['callRegularly'];
}

/**
 * Opens the embedded database of a data folder, under the folder's lock until it is disposed of. Makes it where there is none.
 *
 * On a full disk PGlite freezes. So it writes nothing while less than the reserve is free.
 *
 * @throws FolderInUseError where another process has the folder
 * @throws DiskLowError where there is no space to make or to open it
 * @throws UserError where the database is damaged, or another user's
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  lockOptions: LockOptions,
  { reserve = 0, freeSpace, announce, ...options }: OpeningOptions = {},
): Promise<Database> {
  const lock = await lockDataFolder(dataDir, lockOptions);
  try {
    await expectOwn(dataDir, lockOptions.command);
    const disk = reserve > 0 ? diskReserve(dataDir, reserve, freeSpace) : undefined;
    if (!(await hasEmbeddedDatabase(dataDir))) {
      disk?.assertDiskSpace(NEW_DATABASE);
      announce?.(`First start: making the database in ${dataDir} …`);
    } else if (disk && disk.free() < Math.min(OPENED_DATABASE, reserve)) throw disk.refusal(OPENED_DATABASE);
    const pglite = await openOrMake({ ...options, folder: databaseFolder(dataDir) });
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

/** A folder without a database may be somebody else's who lets this user write to it; what root would make there is nobody's else. */
async function expectOwn(dataDir: string, command: string): Promise<void> {
  const isMade = await exists(databaseFolder(dataDir));
  if (isMade || process.geteuid?.() === 0) await expectOwner(isMade ? databaseFolder(dataDir) : dataDir, command);
}

function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/**
 * A process that is killed while it makes the database leaves half of one, which cannot be opened. So a file beside it
 * says that it is unfinished, until it has been opened once. A database found with that file holds no data, and is made anew.
 */
async function openOrMake(options: PGliteOptions & { folder: string }): Promise<EmbeddedDatabase> {
  const { folder } = options;
  const unfinished = `${folder}.unfinished`;
  if (await exists(unfinished)) await rm(folder, { recursive: true, force: true });
  if (!(await exists(join(folder, 'PG_VERSION')))) await writeFile(unfinished, '', { flush: true });
  try {
    // PGlite makes files that all may read and write: the rights of the folder are what keeps them out.
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
