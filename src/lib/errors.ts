/**
 * An error for the user of the command line, printed without a stack trace. Its message says what was wrong, where, and what to do.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}
