/** Whether the error is of a file. Those of writing to an open one, as on a full disk, name no path. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  return 'path' in error || error.syscall === 'write' || error.syscall === 'fsync';
}
