import { statfsSync, statSync } from 'node:fs';
import { DiskLowError } from '../lib/errors.ts';

/** Returns the bytes that this user can still write on the disk of a folder. */
export type FreeSpace = (folder: string) => number;

/** Space to keep free on the disk of a folder. */
export interface DiskReserve {
  /** Free bytes, at most 50 ms old. */
  free(): number;
  /** Whether less than the reserve is free. */
  isLow(): boolean;
  /** The error for a write refused for want of space; `needed` in bytes, if known. */
  refusal(needed?: number, cause?: unknown): DiskLowError;
  /**
   * Asserts that writing so many more bytes leaves the reserve intact.
   *
   * @param target folder to write to, if another one: it may be on another disk, which may be filled
   * @throws DiskLowError
   */
  assertDiskSpace(bytes: number, target?: string): void;
}

/** How long a measurement is cached; taking one costs some microseconds. */
const LOOK_HOLDS_MS = 50;

/**
 * @param folder must exist
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
