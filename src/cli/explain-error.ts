import type { Config } from '../config.ts';
import { sqlState } from '../db/database.ts';
import { isConnectionFault, isDatabaseUnavailable } from '../db/database-errors.ts';
import { UserError } from '../lib/errors.ts';

/** SQLSTATE classes and codes of a server that does not let orgdesk work: authorisation, unknown database, privileges. */
const REFUSALS = /^(?:28|3D|42501)/;

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
  if (isConnectionFault(error)) {
    return new UserError(`${server} cannot be reached (${error.code}). ${hint}`, { cause: error });
  }
  if (isDatabaseUnavailable(error) || REFUSALS.test(sqlState(error) ?? '')) {
    return new UserError(`${server} refuses: ${error.message}. ${hint}`, { cause: error });
  }
  return error;
}
