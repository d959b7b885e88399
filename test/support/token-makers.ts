import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto';
import { TEST_SECRET } from './build-test-app.ts';

/** What signs tokens that a service takes, and whatever else it is given. */
export interface TokenMaker {
  /** What stands in the header and in the claims of a good token that lives for ten minutes. */
  header: Readonly<Record<string, unknown>>;
  claims: Readonly<Record<string, unknown>>;
  /** The good signature of a text, in base64url. */
  sign(text: string): string;
  /** What attackers know of the key; undefined for a secret. */
  publicKey: KeyObject | undefined;
}

/** Any JSON text as a part of a token. */
export function encodePart(text: string | Buffer): string {
  return Buffer.from(text).toString('base64url');
}

/** A token of these two parts, whatever they hold, with a good signature. Texts stand as they are, anything else as JSON. */
export function makeToken(maker: TokenMaker, header: unknown = maker.header, claims: unknown = maker.claims): string {
  const [head, payload] = [header, claims].map((part) =>
    encodePart(typeof part === 'string' ? part : JSON.stringify(part)),
  );
  return `${head}.${payload}.${maker.sign(`${head}.${payload}`)}`;
}

function goodClaims(issuer: string, audience: string, subject: string): TokenMaker['claims'] {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: audience, sub: subject, iat: now, exp: now + 600 };
}

const USER = '11111111-2222-4333-8444-555555555555';

/** For `JWT_SECRET`, as the tests set it. */
export function secretMaker(): TokenMaker {
  return {
    header: { alg: 'HS256', typ: 'JWT' },
    claims: goodClaims('orgdesk', 'orgdesk', USER),
    sign: (text) => createHmac('sha256', TEST_SECRET).update(text).digest('base64url'),
    publicKey: undefined,
  };
}

/** For the service's own key pair, from its file. */
export function ownKeyMaker(pem: string): TokenMaker {
  const key = createPrivateKey(pem);
  return {
    header: { alg: 'EdDSA', typ: 'JWT' },
    claims: goodClaims('orgdesk', 'orgdesk', USER),
    sign: (text) => signBytes(null, Buffer.from(text), key).toString('base64url'),
    publicKey: createPublicKey(key),
  };
}

/** For an identity provider; `jwk` is its public key, as it is published. */
export function providerMaker(issuer: string, audience: string): TokenMaker & { jwk: object } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    header: { alg: 'RS256', typ: 'at+jwt', kid: 'one' },
    claims: goodClaims(issuer, audience, 'ana'),
    sign: (text) => signBytes('sha256', Buffer.from(text), privateKey).toString('base64url'),
    publicKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' },
  };
}
