import { mayBeStoredEmail } from '../../entities/email.ts';
import { isCanonicalUuid } from '../../entities/uuid.ts';
import type { TokenParts } from './token-form.ts';

/** What a person is known by to the party that issues tokens. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** Whom a token is of: a user of this service by id, or whoever is linked to an identity. */
export type TokenOwner = { userId: string } | Identity;

/** What a verified access token says. */
export interface Claims {
  owner: TokenOwner;
  /** When it runs out, in seconds since 1970. */
  expiresAt: number;
  /** The later of `iat` and `nbf`, likewise; -Infinity where it says neither. */
  validFrom: number;
  /** See {@link verifiedEmailOf}. */
  verifiedEmail: string | null | undefined;
}

export interface TokenSettings {
  issuer: string;
  audience: string;
  /** What `sub` is: the id of a user in tokens of our own making, or how the issuer calls a person. */
  subjects: 'user ids' | 'identities';
  /** Addresses of which the issuer does not say whether it has verified them count as verified. Absent: they do not. */
  trustsEmails?: boolean;
}

/** Why a token is refused. */
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
      | 'not yet valid'
      | 'subject'
    )
  | ('expired' | 'user unknown' | 'user inactive' | 'API key');

/** Something that a token says does not let it in. */
export class RefusedClaimError extends TypeError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Seconds by which another party's clock may be ahead of ours. */
const CLOCK_SKEW = 30;
/** Seconds from now that a token may live at most. */
const MAX_LIFETIME = 24 * 60 * 60;
/** OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT_LENGTH = 255;

/**
 * Checks the claims of a token: `iss`, `aud`, `exp` and `sub` must be there, and `iat` and `nbf` hold where they are.
 *
 * @throws RefusedClaimError: `expired` where nothing else is wrong
 */
export function readClaims({ claims }: TokenParts, settings: TokenSettings): Claims {
  const { issuer, audience, subjects, trustsEmails } = settings;
  const { iss, aud, exp, iat, nbf, sub } = claims;
  const now = Date.now() / 1000;
  if (iss !== issuer) throw new RefusedClaimError('issuer', 'another issuer');
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((one) => typeof one === 'string') || !audiences.includes(audience)) {
    throw new RefusedClaimError('audience', 'another audience');
  }
  if (!isFiniteNumber(exp) || exp > now + MAX_LIFETIME)
    throw new RefusedClaimError('lifetime', 'exp is missing, no number or too far ahead');
  for (const moment of [iat, nbf]) {
    if (moment !== undefined && !(isFiniteNumber(moment) && moment <= now + CLOCK_SKEW)) {
      throw new RefusedClaimError('not yet valid', 'iat or nbf is no number or ahead of now');
    }
  }
  const owner = readOwner(sub, issuer, subjects);
  if (exp <= now) throw new RefusedClaimError('expired', 'its time is over');
  const validFrom = Math.max(...[iat, nbf].filter(isFiniteNumber));
  return { owner, expiresAt: exp, validFrom, verifiedEmail: verifiedEmailOf(claims, trustsEmails) };
}

/** Whether the times of a token that was good once still let it in: this clock may have been set back since. */
export function isTimely({ expiresAt, validFrom }: Claims): boolean {
  const now = Date.now() / 1000;
  return expiresAt > now && expiresAt <= now + MAX_LIFETIME && validFrom <= now + CLOCK_SKEW;
}

/**
 * Returns the verified e-mail address in what a provider says of a person (OpenID Connect Core 1.0, section 5.1); undefined where it does not
 * say the address, or not whether it has verified it; null for one that it has not verified, or that is no address.
 *
 * @param trustsEmails an address of which it does not say that counts as verified
 */
export function verifiedEmailOf(
  claims: Readonly<Record<string, unknown>>,
  trustsEmails = false,
): string | null | undefined {
  const { email, email_verified: verified } = claims;
  if (isMissing(email)) return undefined;
  if (isMissing(verified) && !trustsEmails) return undefined;
  // Entra ID, Cognito and others write the boolean as a text.
  const isVerified =
    isMissing(verified) || (typeof verified === 'string' ? verified.toLowerCase() === 'true' : verified === true);
  return isVerified && typeof email === 'string' && mayBeStoredEmail(email) ? email : null;
}

/** Providers that have no value of a claim leave it out, or write null or an empty text. */
function isMissing(claim: unknown): boolean {
  return claim === undefined || claim === null || claim === '';
}

function readOwner(sub: unknown, issuer: string, subjects: TokenSettings['subjects']): TokenOwner {
  if (typeof sub !== 'string') throw new RefusedClaimError('subject', 'sub is missing or not a string');
  if (subjects === 'user ids') {
    // Our own tokens have it as the database writes it.
    if (!isCanonicalUuid(sub) || sub !== sub.toLowerCase())
      throw new RefusedClaimError('subject', 'sub is not a user id');
    return { userId: sub };
  }
  // Control characters and halves of surrogate pairs could not be told apart from something else in the database.
  if (sub === '' || sub.length > MAX_SUBJECT_LENGTH || /[\p{Cc}\p{Cs}]/u.test(sub))
    throw new RefusedClaimError('subject', 'sub is no name');
  return { issuer, subject: sub };
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
