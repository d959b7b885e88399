import { sqlState } from './database.ts';

/** An error of the connection to the database server, in the form that Node gives such errors. */
export function connectionError(
  code:
    | 'CONNECT_TIMEOUT'
    | 'CONNECTION_CLOSED'
    | 'CONNECTION_FAILED'
    | 'DATABASE_TIMEOUT'
    | 'DATABASE_BUSY'
    | 'DATABASE_UNWANTED'
    | 'DATABASE_STANDBY'
    | 'DATABASE_UNPREPARED',
  message: string,
): Error {
  return Object.assign(new Error(message), { code });
}

/** Statements and transactions that may wait for their turn at once. */
export const MAX_WAITING = 10_000;

export const queueFull = () =>
  connectionError('DATABASE_BUSY', `${MAX_WAITING} statements wait for the database already`);
export const waitedTooLong = () => connectionError('DATABASE_BUSY', 'The database did not become free in time');
export const notWanted = () => connectionError('DATABASE_UNWANTED', 'Whoever asked for it has gone');

/** Whether work was dropped because whoever asked for it has gone: no fault of the service. */
export function isUnwanted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'DATABASE_UNWANTED';
}

/**
 * SQLSTATE classes and codes of a server that cannot serve now (PostgreSQL, appendix A): connection, resources, a standby,
 * shutdown, and a statement that was cancelled because it took too long.
 */
const SERVER_UNAVAILABLE = /^(?:08|53|57P0|57014|25006|25P0[34])/;

/** Codes of the system and of the driver, those that begin with DATABASE being ours. */
const CONNECTION_FAULT =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT|DATABASE_)/;

/** Whether the connection to the database server failed, or could not be made. */
export function isConnectionFault(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // An AggregateError: several addresses of one host that all failed.
  const ofSystem = syscall === 'connect' || syscall === 'getaddrinfo' || error instanceof AggregateError;
  return code !== '' && (ofSystem || CONNECTION_FAULT.test(code));
}

/** Whether the database cannot serve at the moment: there is nothing wrong with what it was asked. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionFault(error) || SERVER_UNAVAILABLE.test(sqlState(error) ?? '');
}
