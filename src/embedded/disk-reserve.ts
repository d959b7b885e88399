import { statfsSync, statSync } from 'node:fs';
import { UserError } from '../lib/errors.ts';

/** Gives the bytes that this user can still write on the disk of a folder. */
export type FreeSpace = (folder: string) => number;

/** What was to be written would not leave the disk its reserve. Nothing of it is in the database. */
export class DiskLowError extends UserError {}

/** The space that is to stay free on the disk of a folder. */
export interface DiskReserve {
  /** Bytes that are free, or were at most 50 ms ago. */
  free(): number;
  /** Whether less is free than is to stay free. */
  isLow(): boolean;
  /** The error for what was not written for want of space; `needed` in bytes, where it is known. */
  refusal(needed?: number, cause?: unknown): DiskLowError;
  /**
   * Makes sure that so many bytes more leave the reserve as it is.
   *
   * @param target a folder to be written to, where it is another one: another disk may be filled
   * @throws DiskLowError
   */
  assertDiskSpace(bytes: number, target?: string): void;
}

/** For which a look holds. One takes some microseconds. */
const LOOK_HOLDS_MS = 50;

/**
 * @param folder exists
 * @param reserve bytes
 */
export function diskReserve(folder: string, reserve: number, freeSpace: FreeSpace = freeSpaceOf): DiskReserve {
  let free = Number.POSITIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function look(): number {
    const now = performance.now();
    if (now - lookedAt >= LOOK_HOLDS_MS) [free, lookedAt] = [freeSpace(folder), now];
    return free;
  }

  function refusal(needed = 0, cause?: unknown): DiskLowError {
    const why = needed > 0 ? `, and this needs about ${inMegabytes(needed)}` : '';
    return new DiskLowError(
      `The disk of ${folder} has too little space: ${inMegabytes(look())} are free, ` +
        `${inMegabytes(reserve)} are to stay free (DISK_RESERVE)${why}. Make room on it.`,
      { cause },
    );
  }

  return {
    free: look,
    isLow: () => look() < reserve,
    refusal,
    assertDiskSpace(bytes, target = folder) {
      if (look() - bytes < reserve && areOnOneDisk(folder, target)) throw refusal(bytes);
    },
  };
}

function freeSpaceOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function areOnOneDisk(folder: string, other: string): boolean {
  return folder === other || statSync(folder).dev === statSync(other).dev;
}

function inMegabytes(bytes: number): string {
  return `${Math.max(0, Math.ceil(bytes / 1e6))} MB`;
}
