import { createHmac, randomBytes } from 'node:crypto';
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
import { setDefaultCountry } from '../entities/phone.ts';

/** Resources shared by the service and the commands. Disposing closes the database and releases the data folder. */
export interface Context extends AsyncDisposable {
  config: Config;
  db: Database;
  /** For lists that may be a few seconds stale; undefined: they are read from the primary. */
  replica: Replica | undefined;
  verifyToken: TokenVerifier;
  /** A secret of the service that its database has not, and that all processes share: it encrypts kept answers. */
  seal: Buffer;
  /** Issuer of the access tokens, unless this service signs them; contacted once started. */
  identityProvider: IdentityProvider | undefined;
  /** Signs an access token for a user id; the lifetime is in seconds. Rejects if an identity provider issues the tokens. */
  signToken: (userId: string, lifetime: number) => Promise<string>;
}

/** Callbacks while the database is opened, and later. */
type Opening = Pick<OpeningOptions, 'announce' | 'failed'>;

/**
 * Opens the configured database (the embedded default under the lock of its folder) and the token keys.
 *
 * @param lockOptions what other processes that want the same data folder are told, and may ask
 * @param opening callbacks: announcement of slow steps before they begin, and the reason if an embedded database was reopened
 * @throws FolderInUseError if another process holds the data folder
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

/** Builds the context of an open database, and sets the default country of this process. */
export async function contextOf(config: Config, db: Database, replica?: Replica): Promise<Context> {
  setDefaultCountry(config.defaultCountry);
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

async function tokensOf(
  config: Config,
): Promise<Pick<Context, 'verifyToken' | 'signToken' | 'identityProvider' | 'seal'>> {
  const settings = { issuer: config.tokenIssuer, audience: config.tokenAudience };
  if (config.identityProvider) {
    const { trustsEmails, subjectClaim } = config.identityProvider;
    const provider = identityProvider(config.identityProvider);
    // The password of the database is not within it. Without one, answers of other processes cannot be read.
    const { password } = new URL(config.databaseUrl ?? 'postgres:');
    return {
      seal: sealOf(password === '' ? randomBytes(32) : password),
      identityProvider: provider,
      verifyToken: tokenVerifier(provider.keys, { ...settings, subjects: 'identities', trustsEmails, subjectClaim }),
      signToken: async () => {
        throw new TypeError('Access tokens come from the identity provider');
      },
    };
  }
  const { dataDir, jwtSecret, jwtSecretPrevious } = config;
  const keys = jwtSecret === undefined ? await keysFromFolder(dataDir) : keysFromSecret(jwtSecret, jwtSecretPrevious);
  const secret = keys.signingKey.type === 'secret' ? keys.signingKey.export() : keys.signingKey.export(PKCS8);
  return {
    seal: sealOf(secret),
    identityProvider: undefined,
    verifyToken: tokenVerifier(keys, { ...settings, subjects: 'user ids' }),
    signToken: tokenSigner(keys, settings),
  };
}

const PKCS8 = { type: 'pkcs8', format: 'der' } as const;

function sealOf(secret: string | Buffer): Buffer {
  return createHmac('sha256', 'orgdesk kept answers').update(secret).digest();
}

async function openDatabase(config: Config, lockOptions: LockOptions, opening: Opening): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, databaseMaxConnections, databaseTimeout } = config;
  const { dataDir, diskReserve: reserve, embeddedSync: sync } = config;
  if (databaseUrl === undefined) return openEmbeddedDatabase(dataDir, lockOptions, { reserve, sync, ...opening });
  return openPostgresDatabase({
    url: databaseUrl,
    directUrl: databaseDirectUrl,
    maxConnections: databaseMaxConnections,
    statementTimeout: databaseTimeout,
  });
}

/** The statement timeout of the replica is half the usual one, so that the primary can still answer in time after it. */
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
