import { errors } from 'jose';
import { isObject } from '../../entities/check-fields.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';

/** Parts of a parsed token, not yet verified. */
export interface TokenParts {
  header: Readonly<Record<string, unknown>>;
  claims: Readonly<Record<string, unknown>>;
}

/** In bytes; an Entra ID token with 200 groups has 7 KiB. */
export const MAX_TOKEN_LENGTH = 8 * 1024;
/** JWS compact serialisation: three parts of unpadded base64url (RFC 7515, section 3.1). */
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Types of access tokens (RFC 7519, section 5.1; RFC 9068, section 2.1) in lower case; they are case-insensitive. */
const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

/**
 * Refused header parameters: they choose a key, or make the payload something else than plain claims (RFC 7515, sections 4.1.2 to 4.1.10;
 * RFC 7797; RFC 7519, section 5.2).
 */
const REFUSED_PARAMETERS = ['crit', 'jku', 'jwk', 'x5u', 'x5c', 'b64', 'cty', 'enc', 'zip'];

/** Returns whether a text has the form of a signed token. */
export function isCompactJws(token: string): boolean {
  return COMPACT_JWS.test(token);
}

/** Returns the claims of a token of which nothing is checked yet; undefined where it is malformed. */
export function peekClaims(token: string): TokenParts['claims'] | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !isCompactJws(token)) return undefined;
  try {
    return readJsonObject(Buffer.from(token.split('.')[1] ?? '', 'base64url'));
  } catch {
    return undefined;
  }
}

/** Returns the names of the claims of a token of which nothing is checked yet, sorted; none where it is malformed. */
export function claimNames(token: string): string[] {
  return Object.keys(peekClaims(token) ?? {}).sort();
}

/** Parses a signed token, with checks of its form that jose omits. @throws TypeError, SyntaxError or an error of jose */
export function readTokenParts(token: string, algorithm: string): TokenParts {
  const [header, claims, signature] = token.split('.').map(decodeCanonically);
  if (!header || !claims || !signature) throw new TypeError('not three parts');
  const parts = { header: readJsonObject(header), claims: readJsonObject(claims) };
  checkHeader(parts.header);
  if (parts.header.alg !== algorithm) throw new errors.JOSEAlgNotAllowed('another algorithm');
  // RSA keys below 2,048 bits are refused.
  if (/^[RP]S/.test(algorithm) && signature.length < 256) throw new errors.JWSSignatureVerificationFailed();
  return parts;
}

function checkHeader(header: TokenParts['header']): void {
  const { typ, kid } = header;
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.has(typ.toLowerCase())))
    throw new TypeError('another type');
  if (kid !== undefined && typeof kid !== 'string') throw new TypeError('kid is not a string');
  const refused = REFUSED_PARAMETERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new TypeError(`${refused} in the header`);
}

/** Decodes canonical base64url only: another encoding of the same bytes would be a different token with the same signature. */
function decodeCanonically(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new TypeError('not canonical base64url');
  return bytes;
}

function readJsonObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  const value = parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  if (!isObject(value)) throw new TypeError('not a JSON object');
  return value;
}
