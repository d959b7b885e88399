/**
 * An error for the person at the command line: its message says what was wrong, where, and what to do,
 * and is printed without a stack trace.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}
