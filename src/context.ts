import { type TokenVerifier, tokenSigner, tokenVerifier } from './auth/access-token.ts';
import { type IdentityProvider, identityProvider } from './auth/identity-provider.ts';
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
  /** Who issues the access tokens, where that is not this service; asked from when it is started. */
  identityProvider: IdentityProvider | undefined;
  /** Signs an access token for a user id; the lifetime is in seconds. Rejects where an identity provider does that. */
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
  return { config, db, ...(await tokensOf(config)), [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() };
}

async function tokensOf(config: Config): Promise<Pick<Context, 'verifyToken' | 'signToken' | 'identityProvider'>> {
  const settings = { issuer: config.tokenIssuer, audience: config.tokenAudience };
  if (config.identityProvider) {
    const provider = identityProvider(config.identityProvider);
    return {
      identityProvider: provider,
      verifyToken: tokenVerifier(provider.keys, { ...settings, subjects: 'identities' }),
      signToken: async () => {
        throw new TypeError('Access tokens come from the identity provider');
      },
    };
  }
  const keys = config.jwtSecret === undefined ? await keysFromFolder(config.dataDir) : keysFromSecret(config.jwtSecret);
  return {
    identityProvider: undefined,
    verifyToken: tokenVerifier(keys, { ...settings, subjects: 'user ids' }),
    signToken: tokenSigner(keys, settings),
  };
}

async function openDatabase(config: Config, lockOptions: LockOptions): Promise<Database> {
  const { databaseUrl, databaseMaxConnections, databaseTimeout, dataDir, diskReserve } = config;
  return databaseUrl === undefined
    ? openEmbeddedDatabase(dataDir, lockOptions, { reserve: diskReserve })
    : openPostgresDatabase({ url: databaseUrl, maxConnections: databaseMaxConnections, timeLimit: databaseTimeout });
}
