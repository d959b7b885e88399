import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** What stands where a regular file is expected. It has what the file system's own errors have: see isFileFault. */
export class IrregularFileError extends Error {
  override readonly name = 'IrregularFileError';
  readonly syscall = 'open';
  readonly path: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}, and no regular file`);
    this.path = path;
  }
}

/** Absent on Windows, which has neither pipes nor terminals among its files. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

/**
 * Opens a regular file to read, through links too. Whatever else has its name is refused at once: opening a pipe waits for
 * somebody to write, in a thread that nobody can take back, and opening a device may already do something.
 *
 * @throws IrregularFileError, or the error of the file system
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  expectRegular(path, await stat(path));
  // There may be another file of this name by now.
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  try {
    expectRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Makes sure that a file which is to take the place of what has its name replaces a regular file, or nothing.
 *
 * @throws IrregularFileError, or the error of the file system
 */
export async function expectReplaceable(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found !== undefined) expectRegular(path, found);
}

function expectRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  throw new IrregularFileError(path, kindOf(stats));
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
