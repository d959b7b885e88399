import { sqlState } from './database.ts';

/** Returns a connection error in the form of Node's system errors. */
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

/** Maximum length of the queue of statements and transactions. */
export const MAX_WAITING = 10_000;

export const queueFull = () =>
  connectionError('DATABASE_BUSY', `${MAX_WAITING} statements wait for the database already`);
export const waitedTooLong = () => connectionError('DATABASE_BUSY', 'The database did not become free in time');
export const notWanted = () => connectionError('DATABASE_UNWANTED', 'Whoever asked for it has gone');

/** Returns whether work was dropped because its caller has disconnected, which is no fault of the service. */
export function isUnwanted(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'DATABASE_UNWANTED';
}

/**
 * SQLSTATE classes and codes of a server that is temporarily unable to serve (PostgreSQL, appendix A): connection, resources, standby,
 * shutdown, a timeout of statement, lock or transaction, and a transaction that was rolled back because of another one.
 */
const SERVER_UNAVAILABLE = /^(?:08|53|57P0|57014|25006|25P0[34]|40P01|40001|55P03)/;

/** Codes of the system, of the driver and (DATABASE_…) of this service. */
const CONNECTION_FAULT =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT|DATABASE_)/;

/** Returns whether the connection to the database server failed, or could not be established. */
export function isConnectionFault(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // AggregateError: all addresses of a host failed.
  const ofSystem = syscall === 'connect' || syscall === 'getaddrinfo' || error instanceof AggregateError;
  return code !== '' && (ofSystem || CONNECTION_FAULT.test(code));
}

/** Returns whether the database is temporarily unavailable, so that the statement itself is not at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionFault(error) || SERVER_UNAVAILABLE.test(sqlState(error) ?? '');
}
