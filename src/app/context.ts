import { type TokenVerifier, tokenSigner, tokenVerifier } from '../auth/tokens/access-token.ts';
import { type IdentityProvider, identityProvider } from '../auth/tokens/identity-provider.ts';
import { keysFromFolder, keysFromSecret } from '../auth/tokens/token-keys.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { openPostgresDatabase } from '../db/postgres/postgres-database.ts';
import { openPool } from '../db/postgres/postgres-pool.ts';
import { openReplica, type Replica } from '../db/postgres/replica.ts';
import type { LockOptions } from '../embedded/data-folder-lock.ts';
import { type OpeningOptions, openEmbeddedDatabase } from '../embedded/embedded-database.ts';

/** What the service and the commands work with. Disposing of it closes the database and gives up the data folder. */
export interface Context extends AsyncDisposable {
  config: Config;
  db: Database;
  /** Where lists are read that may be a few seconds old; undefined: from the database. */
  replica: Replica | undefined;
  verifyToken: TokenVerifier;
  /** Who issues the access tokens, where that is not this service; asked from when it is started. */
  identityProvider: IdentityProvider | undefined;
  /** Signs an access token for a user id; the lifetime is in seconds. Rejects where an identity provider does that. */
  signToken: (userId: string, lifetime: number) => Promise<string>;
}

/** What is told while the database is opened, and later on. */
type Opening = Pick<OpeningOptions, 'announce' | 'failed'>;

/**
 * Opens the configured database (on the embedded default under the lock of its folder) and the token keys.
 *
 * @param lockOptions what other processes are told, and may ask, that want the same data folder
 * @param opening is told in words what takes long, before it begins, and of an embedded database why it was opened anew
 * @throws FolderInUseError where another process holds the data folder
 */
export async function createContext(config: Config, lockOptions: LockOptions, opening: Opening = {}): Promise<Context> {
  const db = await openDatabase(config, lockOptions, opening);
  try {
    return await contextOf(config, db, replicaOf(config, db));
  } catch (error) {
    await db[Symbol.asyncDispose]();
    throw error;
  }
}

/** The context of a database that is open already. */
export async function contextOf(config: Config, db: Database, replica?: Replica): Promise<Context> {
  return {
    config,
    db,
    replica,
    ...(await tokensOf(config)),
    async [Symbol.asyncDispose]() {
      await replica?.[Symbol.asyncDispose]();
      await db[Symbol.asyncDispose]();
    },
  };
}

async function tokensOf(config: Config): Promise<Pick<Context, 'verifyToken' | 'signToken' | 'identityProvider'>> {
  const settings = { issuer: config.tokenIssuer, audience: config.tokenAudience };
  if (config.identityProvider) {
    const { trustsEmails } = config.identityProvider;
    const provider = identityProvider(config.identityProvider);
    return {
      identityProvider: provider,
      verifyToken: tokenVerifier(provider.keys, { ...settings, subjects: 'identities', trustsEmails }),
      signToken: async () => {
        throw new TypeError('Access tokens come from the identity provider');
      },
    };
  }
  const { dataDir, jwtSecret, jwtSecretPrevious } = config;
  const keys = jwtSecret === undefined ? await keysFromFolder(dataDir) : keysFromSecret(jwtSecret, jwtSecretPrevious);
  return {
    identityProvider: undefined,
    verifyToken: tokenVerifier(keys, { ...settings, subjects: 'user ids' }),
    signToken: tokenSigner(keys, settings),
  };
}

async function openDatabase(config: Config, lockOptions: LockOptions, opening: Opening): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseMaxConnections, databaseTimeout, dataDir, diskReserve } = config;
  if (databaseUrl === undefined)
    return openEmbeddedDatabase(dataDir, lockOptions, { reserve: diskReserve, ...opening });
  return openPostgresDatabase({
    url: databaseUrl,
    directUrl: databaseDirectUrl,
    maxConnections: databaseMaxConnections,
    statementTimeout: databaseTimeout,
  });
}

/** What a replica does not answer in half the time is asked of the primary, and still answered in time. */
function replicaOf(config: Config, db: Database): Replica | undefined {
  const { databaseReplicaUrl, databaseDirectUrl, databaseMaxConnections, databaseTimeout } = config;
  if (databaseReplicaUrl === undefined) return undefined;
  const pool = openPool({
    url: databaseReplicaUrl,
    isPooled: databaseDirectUrl !== undefined,
    maxConnections: databaseMaxConnections,
    statementTimeout: Math.ceil(databaseTimeout / 2),
  });
  return openReplica(db, pool);
}
