/** Returns whether an error is a file system error. Those of writing to an open file (a full disk) have no path. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  return 'path' in error || error.syscall === 'write' || error.syscall === 'fsync';
}
