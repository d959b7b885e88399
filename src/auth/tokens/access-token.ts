import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { compactVerify, errors, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../entities/api-error.ts';
import {
  type Claims,
  invalidToken,
  isTimely,
  type RefusalReason,
  RefusedClaimError,
  readClaims,
  type TokenSettings,
} from './token-claims.ts';
import { isCompactJws, MAX_TOKEN_LENGTH, readTokenParts } from './token-form.ts';
import type { TokenKeys, TokenRequest, VerifyingKeys } from './token-keys.ts';

/**
 * Verifies an access token. Rejects with `INVALID_TOKEN` if it is invalid in any respect, and with `UNAVAILABLE` if keys are missing or not
 * fetched in time.
 */
export type TokenVerifier = (token: string, request?: TokenRequest) => Promise<Claims>;

/** Capacity of the token cache in bytes; an entry takes the token's length and CLAIMS_SIZE. */
const MAX_REMEMBERED = 16 * 1024 * 1024;
const CLAIMS_SIZE = 512;

/** Returns why a token was refused: the reason, and in words what it would have to be, where the reason alone does not say so. */
export function refusalOf({ reason, cause }: ApiError): { reason: string; rule: string } {
  return { reason: reason ?? 'form', rule: cause instanceof TypeError ? cause.message : '' };
}

/** Returns a function that signs access tokens for user ids; `lifetime` is in seconds. */
export function tokenSigner(keys: TokenKeys, { issuer, audience }: Pick<TokenSettings, 'issuer' | 'audience'>) {
  return (userId: string, lifetime: number): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: keys.algorithm, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime(`${lifetime}s`)
      .sign(keys.signingKey);
}

/**
 * Returns a verifier: it checks form, audience, expiry, and the signature by the configured algorithm and a known key. Verified tokens are
 * cached while their times hold and until the keys change, so each signature is checked once.
 */
export function tokenVerifier(keys: VerifyingKeys, settings: TokenSettings): TokenVerifier {
  const remembered = new LRUCache<string, Claims>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (_, token) => token.length + CLAIMS_SIZE,
  });
  let rememberedBy = keys.version;
  return async (token, request) => {
    const { version } = keys;
    if (rememberedBy !== version) remembered.clear();
    rememberedBy = version;
    const known = remembered.get(token);
    if (known && isTimely(known)) return known;
    remembered.delete(token);
    const claims = await verify(token, request);
    // If the keys have changed meanwhile, the next request verifies the token again.
    if (keys.version === version) remembered.set(token, claims);
    return claims;
  };

  async function verify(token: string, request: TokenRequest | undefined): Promise<Claims> {
    if (token.length > MAX_TOKEN_LENGTH)
      throw invalidToken(`The access token is longer than ${MAX_TOKEN_LENGTH / 1024} KiB.`, 'length');
    if (!isCompactJws(token)) throw invalidToken('The access token is not a signed JWT.', 'form');
    if (settings.connection) request?.unproven?.(settings.connection.id);
    try {
      // Claims first: finding the key may need a request to the provider, and jose checks claims after the signature.
      const parts = readTokenParts(token, keys.algorithm);
      const claims = readClaims(parts, settings);
      await verifySignature(token, await keys.find(parts.header, request));
      return claims;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const reason = reasonOf(error);
      const message = reason === 'expired' ? 'The access token has expired.' : 'The access token is not valid here.';
      const isForged = error instanceof RefusedClaimError && error.claims !== undefined && !(await isGenuine(token));
      throw invalidToken(message, reason, isForged ? new RefusedClaimError(reason, error.message) : error);
    }
  }

  /** Returns whether a known key has signed a token; nothing is fetched. */
  async function isGenuine(token: string): Promise<boolean> {
    try {
      const { header } = readTokenParts(token, keys.algorithm);
      const known = await keys.find(header, { unknownKey: notFetched });
      await verifySignature(token, known);
      return true;
    } catch {
      return false;
    }
  }

  /** Tries each key, as several may share a `kid`. */
  async function verifySignature(token: string, candidates: Awaited<ReturnType<VerifyingKeys['find']>>): Promise<void> {
    let failure: unknown = new RefusedClaimError('key', 'an unknown key');
    for (const key of candidates) {
      try {
        if (keys.algorithm === 'HS256') verifyHmac(token, key as KeyObject);
        else await compactVerify(token, key, { algorithms: [keys.algorithm] });
        return;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/** Prevents the fetch of an unknown key. */
export function notFetched(): never {
  throw new RefusedClaimError('key', 'an unknown key');
}

/** Verifies HS256 (RFC 7518, section 3.2) synchronously: the WebCrypto queue, which jose uses, costs six times as much as the work. */
function verifyHmac(token: string, secret: KeyObject): void {
  const end = token.lastIndexOf('.');
  const expected = createHmac('sha256', secret).update(token.slice(0, end)).digest();
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof RefusedClaimError) return error.reason;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  return error instanceof errors.JOSEAlgNotAllowed ? 'algorithm' : 'form';
}
