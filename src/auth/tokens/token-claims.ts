import { ApiError } from '../../entities/api-error.ts';
import { isCanonicalUuid, mayBeStoredEmail } from '../../entities/characters.ts';
import type { TokenParts } from './token-form.ts';

/** Identity of a person at the issuer of tokens. */
export interface Identity {
  issuer: string;
  /** Name of the claim that names the person. */
  claim: string;
  subject: string;
  /** The connection of the tokens; absent: the platform's own provider. */
  connection?: { readonly id: string; readonly audience: string } | undefined;
}

/** Owner of a token: a user id of this service, or an identity that a user may be linked to. */
export type TokenOwner = { userId: string } | Identity;

/** Claims of a verified access token. */
export interface Claims {
  owner: TokenOwner;
  /** Expiry, in seconds since 1970. */
  expiresAt: number;
  /** When it begins, by the clock of this service: from `iat` or `nbf`, in seconds since 1970; -Infinity if it has neither. */
  validFrom: number;
  /** See {@link verifiedEmailOf}. */
  verifiedEmail: string | null | undefined;
  /** The e-mail address, verified or not. */
  email: string | undefined;
  /** `sub`, where another claim names the person. */
  sub: string | undefined;
}

export interface TokenSettings {
  issuer: string;
  audience: string;
  /** Meaning of `sub`: a user id in tokens that this service signed, or the issuer's name for a person. */
  subjects: 'user ids' | 'identities';
  /** Treats e-mail addresses without `email_verified` as verified. Absent: false. */
  trustsEmails?: boolean;
  /** Name of the claim that names a person; absent: `sub`. */
  subjectClaim?: string;
  /** What clients send, the client for which ID tokens are, and claims that all must have; absent: whatever the issuer signs. */
  use?: { token: 'access' | 'id'; clientId: string | null; demanded: Readonly<Record<string, string>> };
  /** The connection of the issuer; absent: the platform's own provider. */
  connection?: Identity['connection'];
}

/** Reason why a token is refused, for the log. */
export type RefusalReason =
  | (
      | 'form'
      | 'length'
      | 'key'
      | 'algorithm'
      | 'signature'
      | 'issuer'
      | 'audience'
      | 'lifetime'
      | 'use'
      | 'claims'
      | 'not yet valid'
      | 'subject'
    )
  | ('expired' | 'user unknown' | 'user inactive' | 'API key')
  | SignInRefusal;

/** Reasons why a person who is not linked cannot sign in. */
export const SIGN_IN_REFUSALS = [
  'address absent',
  'address not verified',
  'address unknown',
  'linked to another account',
  'subject is an address',
  'user inactive',
  'platform role',
  'role elsewhere',
  'audience',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

/** A claim that makes a token invalid. */
export class RefusedClaimError extends TypeError {
  readonly reason: RefusalReason;
  /** All claims of a token that another one than its signature refuses alone. */
  readonly claims: Claims | undefined;

  constructor(reason: RefusalReason, message: string, claims?: Claims) {
    super(message);
    this.reason = reason;
    this.claims = claims;
  }
}

/** Maximum clock differences to another instance of this service, and to a provider, in seconds. */
const [OWN_SKEW, CLOCK_SKEW] = [30, 60];
/** Maximum remaining lifetime of a token, in seconds. */
const MAX_LIFETIME = 24 * 60 * 60;
/** In characters (OpenID Connect Core 1.0, section 2). */
const MAX_SUBJECT_LENGTH = 255;

/**
 * Checks the claims of a token: `iss`, `aud`, `exp` and `sub` are required, `iat` and `nbf` are checked if present.
 *
 * @throws RefusedClaimError with reason `expired` only if nothing else is wrong
 */
export function readClaims({ claims }: TokenParts, settings: TokenSettings): Claims {
  const { issuer, audience, trustsEmails } = settings;
  const { iss, aud, exp, iat, nbf, sub, email } = claims;
  const now = Date.now() / 1000;
  const skew = settings.subjects === 'user ids' ? OWN_SKEW : CLOCK_SKEW;
  if (iss !== issuer) throw new RefusedClaimError('issuer', 'iss is another issuer');
  if (!isFiniteNumber(exp) || exp > now + MAX_LIFETIME + skew)
    throw new RefusedClaimError('lifetime', 'exp is missing, no number or too far ahead');
  for (const moment of [iat, nbf]) {
    if (moment !== undefined && !(isFiniteNumber(moment) && moment <= now + skew)) {
      throw new RefusedClaimError('not yet valid', 'iat or nbf is no number or ahead of now');
    }
  }
  const owner = readOwner(claims, settings);
  const validFrom = Math.max(...[iat, nbf].filter(isFiniteNumber)) - skew;
  const read: Claims = {
    owner,
    expiresAt: exp,
    validFrom,
    verifiedEmail: verifiedEmailOf(claims, trustsEmails),
    email: typeof email === 'string' && mayBeStoredEmail(email) ? email : undefined,
    sub: 'claim' in owner && owner.claim !== 'sub' && isName(sub) ? sub : undefined,
  };
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((one) => typeof one === 'string') || !audiences.includes(audience)) {
    throw new RefusedClaimError('audience', 'aud is for somebody else', exp > now ? read : undefined);
  }
  checkUse(claims, settings);
  if (exp <= now) throw new RefusedClaimError('expired', 'its time is over');
  return read;
}

/** Returns whether the times of an already verified token still hold; the clock may have been set back since. */
export function isTimely({ expiresAt, validFrom }: Claims): boolean {
  const now = Date.now() / 1000;
  return expiresAt > now && expiresAt <= now + MAX_LIFETIME + CLOCK_SKEW && validFrom <= now;
}

/**
 * Returns the verified e-mail address of a provider's claims (OpenID Connect Core 1.0, section 5.1). Undefined if address or
 * `email_verified` is missing; null if it is unverified or malformed.
 *
 * @param trustsEmails treats an address without `email_verified` as verified
 */
export function verifiedEmailOf(
  claims: Readonly<Record<string, unknown>>,
  trustsEmails = false,
): string | null | undefined {
  const { email, email_verified: verified } = claims;
  if (isMissing(email)) return undefined;
  if (isMissing(verified) && !trustsEmails) return undefined;
  // Entra ID, Cognito and others write the boolean as a string.
  const isVerified =
    isMissing(verified) || (typeof verified === 'string' ? verified.toLowerCase() === 'true' : verified === true);
  return isVerified && typeof email === 'string' && mayBeStoredEmail(email) ? email : null;
}

/** Providers omit a claim without a value, or send null or an empty string. */
function isMissing(claim: unknown): boolean {
  return claim === undefined || claim === null || claim === '';
}

/** Refuses ID tokens where access tokens are sent, and ID tokens for another client (OpenID Connect Core 1.0, sections 2 and 3.1.3.7). */
function checkUse(claims: TokenParts['claims'], { use, audience }: TokenSettings): void {
  if (use === undefined) return;
  const { at_hash, c_hash, nonce, typ, azp } = claims;
  for (const [name, value] of Object.entries(use.demanded)) {
    const present: readonly unknown[] = Object.hasOwn(claims, name) ? [claims[name]].flat() : [];
    if (!present.some((one) => typeof one !== 'object' && String(one) === value))
      throw new RefusedClaimError('claims', `${name} is not as demanded`);
  }
  // Keycloak's access tokens had a nonce, too.
  const isForClient = [at_hash, c_hash].some((hash) => hash !== undefined) || typ === 'ID';
  const isIdToken = isForClient || (nonce !== undefined && typ !== 'Bearer');
  if (use.token === 'access' && isIdToken)
    throw new RefusedClaimError('use', 'an ID token, where access tokens are expected');
  if (use.token === 'id' && azp !== undefined && azp !== audience && azp !== use.clientId)
    throw new RefusedClaimError('use', 'a token for another client');
}

function readOwner(claims: TokenParts['claims'], settings: TokenSettings): TokenOwner {
  const { issuer, subjects, subjectClaim: claim = 'sub', connection } = settings;
  const subject = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (subjects === 'user ids') {
    // Own tokens have the id in the lower case of the database.
    if (typeof subject !== 'string' || !isCanonicalUuid(subject) || subject !== subject.toLowerCase())
      throw new RefusedClaimError('subject', `${claim} is not a user id`);
    return { userId: subject };
  }
  if (!isName(subject)) throw new RefusedClaimError('subject', `${claim} is missing or no name`);
  return { issuer, claim, subject, connection };
}

/** Control characters and lone surrogates have no unambiguous form in the database. */
function isName(subject: unknown): subject is string {
  return (
    typeof subject === 'string' &&
    subject !== '' &&
    subject.length <= MAX_SUBJECT_LENGTH &&
    !/[\p{Cc}\p{Cs}]/u.test(subject)
  );
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

export const REALM = 'Bearer realm="orgdesk"';

/** Returns the error for a token that is malformed, expired, forged, or whose user is not admitted. @param reason for the log alone */
export function invalidToken(message: string, reason: RefusalReason, cause?: unknown): ApiError {
  return new ApiError('INVALID_TOKEN', message, {
    headers: { 'www-authenticate': `${REALM}, error="invalid_token", error_description="${message}"` },
    reason,
    cause,
  });
}

/** Returns the error for a token of a person who is not admitted. */
export function userRefused(reason: RefusalReason): ApiError {
  const message =
    reason === 'subject is an address'
      ? 'The identity provider names people by their e-mail address, which may change hands: another claim has to name them.'
      : 'The user of this access token is unknown or deactivated.';
  return invalidToken(message, reason);
}
