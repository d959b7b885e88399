/**
 * An error for the user of the command line, printed without a stack trace. Its message says what was wrong, where, and what to do.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Exit code of the process. */
  readonly exitCode: number;

  /** @param message empty: everything has been printed already */
  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number | undefined } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The write was refused because it would use up the disk reserve; none of it is in the database. */
export class DiskLowError extends UserError {}

/** Returns whether an error is a file system error. Those of writing to an open file (a full disk) have no path. */
export function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  return 'path' in error || error.syscall === 'write' || error.syscall === 'fsync';
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** Escapes control and invisible characters (`\u001b`, a no-break space as `\u00a0`), so that a text is safe to print to a terminal. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}
