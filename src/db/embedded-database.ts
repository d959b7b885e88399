import { join } from 'node:path';
import { type LockOptions, lockDataFolder } from './data-folder-lock.ts';
import type { Database } from './database.ts';
import { openPGliteDatabase } from './pglite-database.ts';

/**
 * Opens the embedded database of a data folder, under the folder's lock until it is disposed of.
 *
 * @throws FolderInUseError where another process has the folder
 */
export async function openEmbeddedDatabase(dataDir: string, lockOptions: LockOptions): Promise<Database> {
  const lock = await lockDataFolder(dataDir, lockOptions);
  try {
    const db = await openPGliteDatabase({ folder: join(dataDir, 'postgres') });
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
