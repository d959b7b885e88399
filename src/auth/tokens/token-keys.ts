import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CryptoKey, JWSHeaderParameters } from 'jose';
import { assertOwner } from '../../embedded/folder-owner.ts';
import { createAtomicFile, publishIfAbsent } from '../../lib/atomic-file.ts';
import { UserError } from '../../lib/errors.ts';
import type { TraceContext } from '../../lib/trace-context.ts';

/** The part of a request that token verification needs. */
export interface TokenRequest {
  trace?: TraceContext | undefined;
  /** Called before an unknown key is fetched, as anyone can name one. @throws to prevent the fetch */
  unknownKey?: (() => void) | undefined;
  /** Called with the connection of a token before its signature is verified. @throws to prevent that */
  unproven?: ((connectionId: string) => void) | undefined;
  /** Called with each error by which a connection, or the platform's own provider, refuses a token. */
  refused?: ((error: unknown, connectionId?: string) => void) | undefined;
}

/** Keys that verify access tokens. */
export interface VerifyingKeys {
  /** The only accepted signature algorithm. */
  readonly algorithm: string;
  /** Changes with the keys: cached verifications become invalid. */
  readonly version: number;
  /** Returns the candidate keys for a token header; empty for an unknown key. */
  find(header: JWSHeaderParameters, request?: TokenRequest): Promise<readonly (CryptoKey | KeyObject)[]>;
}

/** Keys of access tokens that this service signs itself. */
export interface TokenKeys extends VerifyingKeys {
  readonly signingKey: KeyObject;
}

/**
 * Returns keys from a shared secret of at least 32 bytes, the size of the hash (RFC 7518, section 3.2).
 *
 * @param previous a former secret whose tokens stay valid
 */
export function keysFromSecret(secret: string, previous?: string): TokenKeys {
  const signingKey = createSecretKey(Buffer.from(secret));
  const keys = previous === undefined ? [signingKey] : [signingKey, createSecretKey(Buffer.from(previous))];
  return ownKeys('HS256', signingKey, keys);
}

function ownKeys(algorithm: string, signingKey: KeyObject, verifyingKeys: readonly KeyObject[]): TokenKeys {
  return { algorithm, version: 0, signingKey, find: async () => verifyingKeys };
}

/**
 * Returns the service's own Ed25519 key pair (RFC 8037), stored as PKCS #8 in `token-key.pem` of the data folder with mode 0600. Created if
 * absent; concurrent processes agree on the first one. Tokens by the key in `token-key.previous.pem`, if present, stay valid.
 */
export async function keysFromFolder(folder: string): Promise<TokenKeys> {
  const file = join(folder, 'token-key.pem');
  const previousFile = join(folder, 'token-key.previous.pem');
  const signingKey = readKey(file, (await readIfPresent(file)) ?? (await makeKeyFile(folder, file)));
  const pem = await readIfPresent(previousFile);
  const keys = pem === undefined ? [signingKey] : [signingKey, readKey(previousFile, pem)];
  return ownKeys('EdDSA', signingKey, keys.map(createPublicKey));
}

function readKey(file: string, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
    return key;
  } catch (error) {
    throw new UserError(
      `${file} does not hold an Ed25519 private key in PEM form. Remove it to have a new one made; tokens signed so far become invalid.`,
      { cause: error },
    );
  }
}

async function makeKeyFile(folder: string, file: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A service that does not run as root could not read files that root creates there.
  if (process.geteuid?.() === 0) await assertOwner(folder, 'orgdesk');
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await using made = await createAtomicFile(file, 0o600);
  await made.append(pem);
  // Published atomically: no process sees half a key, or overwrites another's.
  return (await publishIfAbsent(made)) ? pem : readFile(file, 'utf8');
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
