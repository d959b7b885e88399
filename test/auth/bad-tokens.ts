import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { forgeToken, signByHand, tokenPart } from '../support/forged-tokens.ts';

export const NO_TOKEN = 'Bearer realm="orgdesk"';
const BAD_TOKEN = `${NO_TOKEN}, error="invalid_token", error_description="The access token is not valid here."`;
export const EXPIRED = `${NO_TOKEN}, error="invalid_token", error_description="The access token has expired."`;
const MALFORMED = `${NO_TOKEN}, error="invalid_token", error_description="The access token is not a signed JWT."`;
const TOO_LONG = `${NO_TOKEN}, error="invalid_token", error_description="The access token is longer than 8 KiB."`;
const GONE = `${NO_TOKEN}, error="invalid_token", error_description="The user of this access token is unknown or deactivated."`;
/** Seconds since 1970. */
export const now = () => Math.floor(Date.now() / 1000);

type BadToken = readonly [what: string, token: string | Promise<string>, challenge: string];

/** Tokens that are refused, each with its challenge. @param good a token of the person with that id and address */
export function badTokens({
  id,
  email,
  good,
  inactive,
}: {
  id: string;
  email: string;
  good: string;
  inactive: Promise<string>;
}): readonly BadToken[] {
  const [head = '', payload = '', signature = ''] = good.split('.');
  const token = (claims: Record<string, unknown>, secret?: string) => forgeToken({ sub: id, ...claims }, secret);
  const otherUser = '11111111-2222-4333-8444-555555555555';
  const forged = tokenPart({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: otherUser });
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const unsecured = new UnsecuredJWT({ sub: id }).setIssuer('orgdesk').setAudience('orgdesk').setExpirationTime('1h');

  return [
    ['none after the scheme', '', MALFORMED],
    ['garbage', 'garbage', MALFORMED],
    ['three words', 'a.b.c', BAD_TOKEN],
    ['one with a word after it', `${good} x`, MALFORMED],
    ['one with a comma after it', `${good},`, MALFORMED],
    ['one in quotes', `"${good}"`, MALFORMED],
    ['one in padded base64', `${good}=`, MALFORMED],
    ['one of five parts', `${good}.a.b`, MALFORMED],
    ['one without its signature', `${head}.${payload}.`, MALFORMED],
    [
      'one with another signature',
      `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      BAD_TOKEN,
    ],
    ['one with a shortened signature', good.slice(0, -8), BAD_TOKEN],
    ['one with a forged payload', `${head}.${forged}.${signature}`, BAD_TOKEN],
    ['one of the algorithm none', unsecured.encode(), MALFORMED],
    ['one of the algorithm none with a signature', `${tokenPart({ alg: 'none' })}.${payload}.${signature}`, BAD_TOKEN],
    ['one signed with another secret', token({}, 'another secret that is long enough too'), BAD_TOKEN],
    [
      'one signed by another algorithm with the secret',
      signByHand(tokenPart({ alg: 'HS512' }), payload, 'sha512'),
      BAD_TOKEN,
    ],
    [
      'one that brings its own key',
      new SignJWT({ sub: id }).setProtectedHeader({ alg: 'EdDSA', jwk }).sign(privateKey),
      BAD_TOKEN,
    ],
    [
      'one with an unknown critical extension',
      signByHand(tokenPart({ alg: 'HS256', crit: ['x'], x: 1 }), payload),
      BAD_TOKEN,
    ],
    ['one whose payload is no JSON', signByHand(head, 'bm90IGpzb24'), BAD_TOKEN],
    ['one whose payload is a list', signByHand(head, tokenPart([])), BAD_TOKEN],
    ['an expired one', token({ exp: now() - 1 }), EXPIRED],
    ['one that expires this very second', token({ exp: now() }), EXPIRED],
    ['one without an expiry', token({ exp: undefined }), BAD_TOKEN],
    ['one whose expiry is a text', token({ exp: '9999999999' }), BAD_TOKEN],
    ['one that is not yet valid', token({ nbf: now() + 600 }), BAD_TOKEN],
    ['one of another issuer', token({ iss: 'elsewhere' }), BAD_TOKEN],
    ['one of no issuer', token({ iss: undefined }), BAD_TOKEN],
    ['one for another audience', token({ aud: 'elsewhere' }), BAD_TOKEN],
    ['one for no audience', token({ aud: undefined }), BAD_TOKEN],
    ['one without a user', token({ sub: undefined }), BAD_TOKEN],
    ['one whose user is no UUID', token({ sub: email }), BAD_TOKEN],
    ['one whose user is SQL', token({ sub: `${id}' or '1'='1` }), BAD_TOKEN],
    ['one whose user is a number', token({ sub: 1 }), BAD_TOKEN],
    ['one whose user is a list', token({ sub: [id] }), BAD_TOKEN],
    ['one of a user that there is not', token({ sub: otherUser }), GONE],
    ['one of a deactivated user', inactive, GONE],
    ['one of more than 8 KiB', token({ padding: 'x'.repeat(6_000) }), TOO_LONG],
  ];
}
