import { compactVerify, type JWSHeaderParameters, SignJWT } from 'jose';
import { ApiError } from '../lib/errors.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import { type Claims, ExpiredError, readClaims, type TokenSettings } from './token-claims.ts';
import { isCompactJws, readTokenParts } from './token-form.ts';
import type { TokenKeys, VerifyingKeys } from './token-keys.ts';

/**
 * Verifies an access token. Rejects with `INVALID_TOKEN` for one that is not good in every respect, and with `UNAVAILABLE` where there
 * are no keys to verify any with. The trace is that of the request that the token came with.
 */
export type TokenVerifier = (token: string, trace?: TraceContext) => Promise<Claims>;

export const REALM = 'Bearer realm="orgdesk"';

const MAX_REMEMBERED_TOKENS = 10_000;

/** The error of a token that is not good: malformed, expired, forged, or its user may not come in any more. */
export function invalidToken(message: string, cause?: unknown): ApiError {
  return new ApiError('INVALID_TOKEN', message, {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token", error_description="${message}"` },
    cause,
  });
}

/** Signs access tokens for users; `lifetime` is in seconds. */
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
 * Verifies access tokens: of the strict form, for this audience, not expired, signed with the configured algorithm and a known key.
 * Verified tokens are remembered until they run out or the keys change, so that a signature is checked once a token.
 */
export function tokenVerifier(keys: VerifyingKeys, settings: TokenSettings): TokenVerifier {
  const remembered = new Map<string, Claims>();
  let rememberedBy = keys.version;
  return async (token, trace) => {
    const { version } = keys;
    if (rememberedBy !== version) remembered.clear();
    rememberedBy = version;
    const known = remembered.get(token);
    if (known && known.expiresAt > Date.now() / 1000) return known;
    remembered.delete(token);
    const claims = await verify(token, trace);
    // Where the keys have changed meanwhile, the next request verifies it anew.
    if (keys.version !== version) return claims;
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_REMEMBERED_TOKENS && oldest !== undefined) remembered.delete(oldest);
    remembered.set(token, claims);
    return claims;
  };

  async function verify(token: string, trace: TraceContext | undefined): Promise<Claims> {
    if (!isCompactJws(token)) throw invalidToken('The access token is not a signed JWT.');
    try {
      const parts = readTokenParts(token, keys.algorithm);
      const claims = readClaims(parts, settings);
      const key = await keys.find(parts.header as JWSHeaderParameters, trace);
      if (!key) throw new TypeError('an unknown key');
      await compactVerify(token, key, { algorithms: [keys.algorithm] });
      return claims;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof ExpiredError) throw invalidToken('The access token has expired.', error);
      throw invalidToken('The access token is not valid here.', error);
    }
  }
}
