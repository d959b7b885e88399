import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { isFileFault, UserError } from './errors.ts';

/** Something other than a regular file has the expected path. Carries the properties of file system errors, for isFileFault. */
export class IrregularFileError extends Error {
  override readonly name = 'IrregularFileError';
  readonly syscall = 'open';
  readonly path: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}, and no regular file`);
    this.path = path;
  }
}

/** The last two are absent on Windows, whose file system has neither pipes nor terminals. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * Opens a regular file for reading, following links. Other kinds are refused beforehand: opening a pipe blocks a pool thread until
 * somebody writes, and opening a device may have side effects.
 *
 * @throws IrregularFileError, or the error of the file system
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  assertRegular(path, await stat(path));
  // The file may have been replaced since: check again on the handle.
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    assertRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const MEBIBYTE = 1024 * 1024;

/** Reads a regular file of limited size. @throws UserError */
export async function readRegularFile(path: string, maxBytes = MEBIBYTE): Promise<Buffer> {
  try {
    await using file = await openRegularFile(path);
    if ((await file.stat()).size > maxBytes) throw new UserError(`${path} is larger than ${maxBytes / MEBIBYTE} MiB.`);
    return await file.readFile();
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`${path} cannot be read: ${error.message}.`, { cause: error });
  }
}

/**
 * Asserts that a path is free or names a regular file, so that it may be replaced.
 *
 * @throws IrregularFileError, or the error of the file system
 */
export async function assertReplaceable(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined) assertRegular(path, found);
}

function assertRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  throw new IrregularFileError(path, kindOf(stats));
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
