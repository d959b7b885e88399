import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../db/database.ts';
import { DiskLowError } from '../../embedded/disk-reserve.ts';
import type { Entity } from '../../entities/entity.ts';
import { ImportError } from '../check/import-error.ts';

/**
 * Bytes on the disk for each byte of the files: in staging tables alone (0.9 with the files of `bench:data`), and with tables, indexes, audit
 * trail and write-ahead log (8.7), with something to spare.
 */
const [STAGED, WRITTEN] = [2, 15];

/**
 * Makes sure that the disk of an embedded database has space for what an import may write. A statement that writes a whole file
 * cannot be stopped in the middle.
 *
 * @throws ImportError
 */
export async function assertImportSpace(
  db: Database,
  folder: string,
  entities: readonly Entity[],
  dryRun: boolean,
): Promise<void> {
  const sizes = await Promise.all(entities.map(({ file }) => sizeOf(join(folder, file))));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  try {
    assertDiskSpace(db, bytes, dryRun);
  } catch (error) {
    throw asImportError(error, folder);
  }
}

/** Makes sure that there is space for files of so many bytes. @throws DiskLowError */
export function assertDiskSpace(db: Database, bytes: number, dryRun: boolean): void {
  db.assertDiskSpace?.(bytes * (dryRun ? STAGED : WRITTEN));
}

/** For want of space: says that nothing was imported. Any other error as it is. */
export function asImportError(error: unknown, folder: string): unknown {
  if (!(error instanceof DiskLowError)) return error;
  return new ImportError(`Nothing was imported from ${folder}: ${error.message}`, [], 1, error);
}

/** In bytes; 0 where the file cannot be looked at: to read it will fail too, and say why. */
export function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
