import type { Config } from '../config/config.ts';
import { sqlState } from '../db/database.ts';
import { isConnectionFault, isDatabaseUnavailable } from '../db/database-errors.ts';
import { urlOf } from '../db/postgres/server-address.ts';
import { UserError } from '../lib/errors.ts';

/** SQLSTATE classes of a refused login: authorisation, unknown database. */
const REFUSALS = /^(?:28|3D)/;
const INSUFFICIENT_PRIVILEGE = '42501';
const TOO_MANY_CONNECTIONS = '53300';
/** What the driver says where the server asks for a password, and none is given. */
const NO_PASSWORD = /client password must be a string|empty password returned/;
/** Error of PgBouncer for a session-level setting. */
const POOLER = /unsupported startup parameter/;

type ConnectionConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>;

/**
 * Returns whether a connection fails because of the settings (an unsuitable pooler, TLS, user or password), so that retrying is useless.
 */
export function isSettingsFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return POOLER.test(error.message) || (isConnectionFault(error) && error.code === 'CONNECTION_FAILED');
}

/** Turns an error of the data folder or of the connection to the database server into a UserError; returns any other as it is. */
export function explainError(error: unknown, config: ConnectionConfig): unknown {
  const { dataDir, databaseUrl, databaseDirectUrl } = config;
  if (!(error instanceof Error)) return error;
  const { path } = error as NodeJS.ErrnoException;
  if (path?.startsWith(dataDir)) {
    return new UserError(`The data folder ${dataDir} cannot be used: ${error.message}. Check DATA_DIR.`, {
      cause: error,
    });
  }
  if (databaseUrl === undefined) return error;
  return explainServerError(error, databaseDirectUrl === undefined ? [databaseUrl] : [databaseUrl, databaseDirectUrl]);
}

function explainServerError(error: Error, addresses: readonly string[]): Error {
  // Omits user and password.
  const places = addresses.map(urlOf).map(({ host, pathname }) => `${host}${pathname}`);
  const server = `The database server ${[...new Set(places)].join(' or ')}`;
  const settings = addresses.length === 1 ? 'DATABASE_URL' : 'DATABASE_URL and DATABASE_DIRECT_URL';
  const hint = `Check ${settings}, and that the server is running.`;
  if (POOLER.test(error.message)) {
    return new UserError(
      `${server} is a pooler that refuses: ${error.message}. Set DATABASE_DIRECT_URL to the address past it (docs/database.md).`,
      { cause: error },
    );
  }
  if (sqlState(error) === INSUFFICIENT_PRIVILEGE) {
    return new UserError(
      `${server} refuses: ${error.message}. The role that ${settings} names has no right to this: use one that has, ` +
        'such as the owner of the tables (docs/database.md).',
      { cause: error },
    );
  }
  if (sqlState(error) === TOO_MANY_CONNECTIONS) {
    return new UserError(
      `${server} has no connection left for this role (${error.message}): lower DATABASE_MAX_CONNECTIONS of its instances, or raise the ` +
        'limit of the server, the database or the role.',
      { cause: error },
    );
  }
  if (NO_PASSWORD.test(error.message)) {
    const message = `${server} asks for a password, and ${settings} has none: put it there (postgres://user:password@host/database).`;
    return new UserError(message, { cause: error });
  }
  if (isConnectionFault(error)) {
    const message =
      error.code === 'DATABASE_STANDBY'
        ? `${server} is a standby, which takes no changes. Let ${settings} lead to the primary.`
        : `${server} cannot be reached (${error.code === 'CONNECTION_FAILED' ? error.message : error.code}). ${hint}`;
    return new UserError(message, { cause: error });
  }
  if (isDatabaseUnavailable(error) || REFUSALS.test(sqlState(error) ?? '')) {
    return new UserError(`${server} refuses: ${error.message}. ${hint}`, { cause: error });
  }
  return error;
}
