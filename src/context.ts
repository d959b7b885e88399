import { type TokenVerifier, tokenSigner, tokenVerifier } from './auth/access-token.ts';
import { keysFromFolder, keysFromSecret } from './auth/token-keys.ts';
import type { Config } from './config.ts';
import type { LockOptions } from './db/data-folder-lock.ts';
import type { Database } from './db/database.ts';
import { openEmbeddedDatabase } from './db/embedded-database.ts';
import { openPostgresDatabase } from './db/postgres-database.ts';

/** What the service and the commands work with. Disposing of it closes the database and gives up the data folder. */
export interface Context extends AsyncDisposable {
  config: Config;
  db: Database;
  verifyToken: TokenVerifier;
  /** Signs an access token for a user id; the lifetime is in seconds. */
  signToken: (userId: string, lifetime: number) => Promise<string>;
}

/**
 * Opens the configured database (on the embedded default under the lock of its folder) and the token keys.
 *
 * @param lockOptions what other processes are told, and may ask, that want the same data folder
 * @throws FolderInUseError where another process holds the data folder
 */
export async function createContext(config: Config, lockOptions: LockOptions): Promise<Context> {
  const db = await openDatabase(config, lockOptions);
  try {
    return await contextOf(config, db);
  } catch (error) {
    await db[Symbol.asyncDispose]();
    throw error;
  }
}

/** The context of a database that is open already. */
export async function contextOf(config: Config, db: Database): Promise<Context> {
  const keys = config.jwtSecret === undefined ? await keysFromFolder(config.dataDir) : keysFromSecret(config.jwtSecret);
  const settings = { issuer: config.tokenIssuer, audience: config.tokenAudience };
  return {
    config,
    db,
    verifyToken: tokenVerifier(keys, settings),
    signToken: tokenSigner(keys, settings),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

async function openDatabase(config: Config, lockOptions: LockOptions): Promise<Database> {
  const { databaseUrl, databaseMaxConnections, dataDir } = config;
  return databaseUrl === undefined
    ? openEmbeddedDatabase(dataDir, lockOptions)
    : openPostgresDatabase({ url: databaseUrl, maxConnections: databaseMaxConnections });
}
