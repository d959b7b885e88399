import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../db/database.ts';
import { DiskLowError } from '../../embedded/disk-reserve.ts';
import type { Entity } from '../../entities/entity.ts';
import { ImportError } from '../check/import-error.ts';

/**
 * Bytes of disk space per byte of the files, with a safety margin: for staging tables alone (measured with the files of `bench:data`: 0.9),
 * and with tables, indexes, audit trail and write-ahead log (8.7).
 */
const [STAGED, WRITTEN] = [2, 15];

/**
 * Asserts that the disk of an embedded database has space for an import, as a statement that writes a whole file cannot be stopped
 * halfway.
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

/** Asserts that there is disk space to import files of that many bytes. @throws DiskLowError */
export function assertDiskSpace(db: Database, bytes: number, dryRun: boolean): void {
  db.assertDiskSpace?.(bytes * (dryRun ? STAGED : WRITTEN));
}

/** Converts a DiskLowError to an ImportError; returns other errors unchanged. */
export function asImportError(error: unknown, folder: string): unknown {
  if (!(error instanceof DiskLowError)) return error;
  return new ImportError(`Nothing was imported from ${folder}: ${error.message}`, [], 1, error);
}

/** Returns the size of a file in bytes; 0 where it is inaccessible, as reading it will then fail with the reason. */
export function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
