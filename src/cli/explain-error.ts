import type { Config } from '../config.ts';
import { sqlState } from '../db/database.ts';
import { UserError } from '../lib/errors.ts';

/** SQLSTATE classes of a server that does not let orgdesk work: connection, authorisation, unknown database, shutting down. */
const REFUSALS = new Set(['08', '28', '3D', '57']);
const TOO_MANY_CONNECTIONS = '53300';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Says in words what is wrong with the data folder or the connection to the database server; gives any other error back as it is. */
export function explainError(error: unknown, { dataDir, databaseUrl }: Config): unknown {
  if (!(error instanceof Error)) return error;
  const { path } = error as NodeJS.ErrnoException;
  if (path?.startsWith(dataDir)) {
    return new UserError(`The data folder ${dataDir} cannot be used: ${error.message}. Check DATA_DIR.`, {
      cause: error,
    });
  }
  return databaseUrl === undefined ? error : explainServerError(error, databaseUrl);
}

function explainServerError(error: Error, databaseUrl: string): Error {
  // Without the name and the password that stand before the host.
  const { host, pathname } = new URL(databaseUrl);
  const server = `The database server ${host}${pathname}`;
  const hint = 'Check DATABASE_URL, and that the server is running.';
  if (isRefusal(sqlState(error))) {
    return new UserError(`${server} refuses: ${error.message}. ${hint}`, { cause: error });
  }
  if (isConnectionFault(error)) {
    return new UserError(`${server} cannot be reached (${error.code}). ${hint}`, { cause: error });
  }
  return error;
}

function isRefusal(state: string | undefined): boolean {
  if (state === undefined) return false;
  return REFUSALS.has(state.slice(0, 2)) || state === TOO_MANY_CONNECTIONS || state === INSUFFICIENT_PRIVILEGE;
}

function isConnectionFault(error: NodeJS.ErrnoException): error is NodeJS.ErrnoException & { code: string } {
  const { code = '', syscall } = error;
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'ECONNRESET') return true;
  // Several addresses of one host that all failed; the driver's own codes, CONNECT_TIMEOUT and CONNECTION_CLOSED among them.
  return (error instanceof AggregateError && code !== '') || code.startsWith('CONNECT');
}
