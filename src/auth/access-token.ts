import { errors, jwtVerify, SignJWT } from 'jose';
import { ApiError } from '../lib/errors.ts';
import type { TokenKeys } from './token-keys.ts';

/** What a verified access token says. */
export interface Claims {
  /** The id of the user that the token was made for. */
  userId: string;
  /** When it runs out, in seconds since 1970. */
  expiresAt: number;
}

/** Verifies an access token. Rejects with `INVALID_TOKEN` for one that is not good in every respect. */
export type TokenVerifier = (token: string) => Promise<Claims>;

export interface TokenSettings {
  issuer: string;
  audience: string;
}

export const REALM = 'Bearer realm="orgdesk"';

const MAX_TOKEN_LENGTH = 4096;
const MAX_REMEMBERED_TOKENS = 10_000;
/** JWS compact serialisation: three parts of unpadded base64url (RFC 7515, section 3.1). */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The error of a token that is not good: malformed, expired, forged, or its user may not come in any more. */
export function invalidToken(message: string, cause?: unknown): ApiError {
  return new ApiError('INVALID_TOKEN', message, {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token", error_description="${message}"` },
    cause,
  });
}

/** Signs access tokens for users; `lifetime` is in seconds. */
export function tokenSigner(keys: TokenKeys, { issuer, audience }: TokenSettings) {
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
 * Verifies access tokens: signed with the configured algorithm and key, by the issuer, for the audience, not expired, for a user id.
 * Verified tokens are remembered until they run out, so that a signature is checked once a token.
 */
export function tokenVerifier(keys: TokenKeys, { issuer, audience }: TokenSettings): TokenVerifier {
  const remembered = new Map<string, Claims>();
  return async (token) => {
    const known = remembered.get(token);
    if (known && known.expiresAt > Date.now() / 1000) return known;
    remembered.delete(token);
    if (token.length > MAX_TOKEN_LENGTH || !COMPACT_JWS.test(token)) {
      throw invalidToken('The access token is not a signed JWT.');
    }
    const claims = await verify(token);
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED_TOKENS && oldest !== undefined) remembered.delete(oldest);
    remembered.set(token, claims);
    return claims;
  };

  async function verify(token: string): Promise<Claims> {
    try {
      const { payload } = await jwtVerify(token, keys.verifyingKey, {
        algorithms: [keys.algorithm],
        issuer,
        audience,
        requiredClaims: ['sub', 'exp'],
      });
      if (typeof payload.sub !== 'string' || !UUID.test(payload.sub)) throw new TypeError('sub is not a user id');
      if (payload.exp === undefined) throw new TypeError('exp is missing');
      return { userId: payload.sub, expiresAt: payload.exp };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw invalidToken('The access token has expired.', error);
      throw invalidToken('The access token is not valid here.', error);
    }
  }
}
