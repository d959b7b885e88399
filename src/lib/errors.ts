/**
 * An error for the user of the command line, printed without a stack trace. Its message says what was wrong, where, and what to do.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** The write was refused because it would use up the disk reserve; none of it is in the database. */
export class DiskLowError extends UserError {}

/** Returns whether an error is a file system error. Those of writing to an open file (a full disk) have no path. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  return 'path' in error || error.syscall === 'write' || error.syscall === 'fsync';
}
