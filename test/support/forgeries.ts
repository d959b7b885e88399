import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { encodePart, makeToken, type TokenMaker } from './token-makers.ts';

/** A forged or damaged token, and what is wrong with it. */
export type Forgery = readonly [what: string, token: string];

/**
 * Every kind of token that has to be refused, though it is as near to a good one of the maker as can be.
 *
 * @param trap an address that must not be asked for
 */
export function forgeries(maker: TokenMaker, trap: string): Forgery[] {
  return [...algorithms(maker), ...signatures(maker), ...forms(maker), ...headers(maker, trap), ...claims(maker)];
}

const json = JSON.stringify;

function algorithms(maker: TokenMaker): Forgery[] {
  const good = makeToken(maker);
  const payload = good.split('.')[1];
  const nones = ['none', 'None', 'NONE', 'nOnE'].flatMap((alg): Forgery[] => {
    const head = encodePart(json({ ...maker.header, alg }));
    return [
      [`alg ${alg} without a signature`, `${head}.${payload}.`],
      [`alg ${alg} with a signature`, makeToken(maker, { ...maker.header, alg })],
    ];
  });
  const others = ['HS256', 'HS512', 'RS256', 'RS512', 'PS256', 'ES256', 'EdDSA', 'hs256', '', null, 1, ['RS256']]
    .filter((alg) => alg !== maker.header.alg)
    .map((alg): Forgery => [`alg ${json(alg)} over the good signature`, makeToken(maker, { ...maker.header, alg })]);
  return [...nones, ...others, ...confusions(maker), ['no alg', makeToken(maker, { ...maker.header, alg: undefined })]];
}

/** The public key as if it were a shared secret. */
function confusions(maker: TokenMaker): Forgery[] {
  const { publicKey } = maker;
  const secrets: Record<string, string | Buffer> = { nothing: '', 'a short secret': 'secret', '/dev/null': '\0' };
  if (publicKey) {
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const jwk = publicKey.export({ format: 'jwk' });
    Object.assign(secrets, {
      'the public key as PEM': pem,
      'the public key as PEM without a line feed': String(pem).trimEnd(),
      'the public key as DER': publicKey.export({ type: 'spki', format: 'der' }),
      'the public key as JWK': json(jwk),
      'the bytes of the public key': Buffer.from(String(jwk.n ?? jwk.x), 'base64url'),
    });
  }
  return Object.entries(secrets).map(([what, secret]) => {
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
    return [`HS256 with ${what}`, makeToken({ ...maker, sign }, { ...maker.header, alg: 'HS256' })];
  });
}

function signatures(maker: TokenMaker): Forgery[] {
  const good = makeToken(maker);
  const [head = '', payload = '', signature = ''] = good.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const signed = (changed: Buffer) => `${head}.${payload}.${changed.toString('base64url')}`;
  const admin = encodePart(json({ ...maker.claims, sub: '00000000-0000-4000-8000-000000000001' }));
  return [
    ['another key', otherKey(maker)],
    ['the signature of another token', `${head}.${payload}.${maker.sign('x')}`],
    ['other claims under the signature', `${head}.${admin}.${signature}`],
    ['no signature', `${head}.${payload}.`],
    ['a truncated signature', signed(bytes.subarray(0, -1))],
    ['half a signature', signed(bytes.subarray(0, bytes.length / 2))],
    ['a longer signature', signed(Buffer.concat([bytes, Buffer.alloc(1)]))],
    ['a signature of zeros', signed(Buffer.alloc(bytes.length))],
    [
      'a signature with a flipped bit',
      signed(Buffer.from(bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte)))),
    ],
    ['bits behind the last byte of the signature', `${head}.${payload}.${withTrailingBits(signature)}`],
  ];
}

/** The same bytes, written otherwise: the bits of the last letter that belong to no byte are set. */
function withTrailingBits(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${text.slice(0, -1)}${alphabet[alphabet.indexOf(text.slice(-1)) | 1]}`;
}

function otherKey(maker: TokenMaker): string {
  const sign = (text: string): string => {
    if (!maker.publicKey)
      return createHmac('sha256', 'another secret that is long enough').update(text).digest('base64url');
    const isEd25519 = maker.publicKey.asymmetricKeyType === 'ed25519';
    const { privateKey } = isEd25519
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
    return signBytes(isEd25519 ? null : 'sha256', Buffer.from(text), privateKey).toString('base64url');
  };
  return makeToken({ ...maker, sign });
}

function forms(maker: TokenMaker): Forgery[] {
  const good = makeToken(maker);
  const [head = '', payload = '', signature = ''] = good.split('.');
  const signed = (first: string, second: string) => `${first}.${second}.${maker.sign(`${first}.${second}`)}`;
  return [
    ['nothing', ''],
    ['a word', 'token'],
    ['one part', head],
    ['two parts', `${head}.${payload}`],
    ['four parts', `${good}.${signature}`],
    ['five parts, as of a JWE', `${good}.${head}.${payload}`],
    ['an empty header', `.${payload}.${signature}`],
    ['an empty payload', `${head}..${maker.sign(`${head}.`)}`],
    ['the flattened JSON serialisation', json({ protected: head, payload, signature })],
    ['the general JSON serialisation', json({ payload, signatures: [{ protected: head, signature }] })],
    ['padding behind the signature', `${good}=`],
    ['padding behind the header', signed(`${head}=`, payload)],
    ['padding behind the payload', signed(head, `${payload}==`)],
    ['a space within', `${head}. ${payload}.${signature}`],
    ['a word behind', `${good} x`],
    ['a second token behind a comma', `${good},${good}`],
    ['quotes', `"${good}"`],
    ['a part in the other base64', signed(head, `${payload.slice(0, -1)}+`)],
    ['a percent sign', `${head}%2E${payload}.${signature}`],
    ['a header that is no JSON', makeToken(maker, 'alg')],
    ['a header that is a list', makeToken(maker, [maker.header])],
    ['a payload that is no JSON', makeToken(maker, maker.header, 'sub')],
    ['a payload that is a list', makeToken(maker, maker.header, [maker.claims])],
    ['a payload that is null', makeToken(maker, maker.header, 'null')],
    ['a payload with a byte order mark', makeToken(maker, maker.header, `\ufeff${json(maker.claims)}`)],
    ['a payload that is not UTF-8', signed(head, encodePart(Buffer.from(json({ ...maker.claims, x: 'é' }), 'latin1')))],
    ['a token in the payload', makeToken(maker, { ...maker.header, cty: 'JWT' }, good)],
    ['a token that is too long', makeToken(maker, maker.header, { ...maker.claims, x: 'x'.repeat(6_100) })],
    ['a token as long as headers may be', makeToken(maker, maker.header, { ...maker.claims, x: 'x'.repeat(11_000) })],
  ];
}

function headers(maker: TokenMaker, trap: string): Forgery[] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const brought = { jwk, jku: `${trap}/jku`, x5u: `${trap}/x5u`, x5c: ['MIIB'] };
  const byOwnKey = (header: object) =>
    makeToken(
      { ...maker, sign: (text) => signBytes(null, Buffer.from(text), privateKey).toString('base64url') },
      header,
    );
  const bringing = Object.entries(brought).flatMap(([name, value]): Forgery[] => [
    [`${name} under the good signature`, makeToken(maker, { ...maker.header, [name]: value })],
    [`${name} and a key of its own`, byOwnKey({ ...maker.header, alg: 'EdDSA', kid: 'mine', [name]: value })],
  ]);
  const more: readonly object[] = [
    { crit: ['exp'] },
    { crit: [] },
    { crit: ['b64'], b64: false },
    { b64: false },
    { b64: true },
    { typ: 'dpop+jwt' },
    { typ: 'logout+jwt' },
    { typ: 'JWE' },
    { typ: '' },
    { typ: 1 },
    { typ: ['JWT'] },
    { typ: null },
    { cty: 'JWT' },
    { enc: 'A256GCM' },
    { zip: 'DEF' },
    { kid: 1 },
    { kid: ['one'] },
    { kid: null },
  ];
  const kids = ['../../../../dev/null', "one' or '1'='1", `${trap}/kid`, '__proto__', 'one\u0000', '', 'x'.repeat(500)];
  return [
    ...bringing,
    ...more.map((change): Forgery => [`header ${json(change)}`, makeToken(maker, { ...maker.header, ...change })]),
    ...kids.map((kid): Forgery => [`kid ${json(kid.slice(0, 40))}`, byOwnKey({ ...maker.header, kid })]),
    ['alg twice', makeToken(maker, `{"alg":"none",${json(maker.header).slice(1)}`)],
    ['kid twice', makeToken(maker, `{"kid":"one","kid":"one",${json({ ...maker.header, kid: undefined }).slice(1)}`)],
  ];
}

function claims(maker: TokenMaker): Forgery[] {
  const now = Math.floor(Date.now() / 1000);
  const { iss, aud, sub } = maker.claims;
  const day = 24 * 60 * 60;
  const changes: readonly object[] = [
    { exp: undefined },
    { exp: now - 1 },
    { exp: now },
    { exp: 0 },
    { exp: -1 },
    { exp: null },
    { exp: true },
    { exp: String(now + 600) },
    { exp: [now + 600] },
    { exp: now + day + 120 },
    { exp: 4_102_444_800 },
    { nbf: now + 120 },
    { nbf: String(now) },
    { nbf: null },
    { iat: now + 120 },
    { iat: 'now' },
    { iat: null },
    { iss: undefined },
    { iss: 'https://elsewhere.example' },
    { iss: `${iss}/` },
    { iss: [iss] },
    { iss: null },
    { aud: undefined },
    { aud: 'elsewhere' },
    { aud: ['elsewhere'] },
    { aud: [] },
    { aud: [aud, 1] },
    { aud: [[aud]] },
    { aud: `${aud}x` },
    { aud: { 0: aud } },
    { aud: null },
    { aud: '*' },
    { sub: undefined },
    { sub: '' },
    { sub: 1 },
    { sub: null },
    { sub: [sub] },
    { sub: { id: sub } },
    { sub: 'x'.repeat(256) },
    { sub: 'a\u0000b' },
    { sub: '\ud800' },
    { sub: `${sub}\n` },
  ];
  const good = json(maker.claims);
  const raw: Readonly<Record<string, string>> = {
    'exp 1e999': good.replace(/"exp":\d+/, '"exp":1e999'),
    'nbf 1e999': good.replace('{', '{"nbf":1e999,'),
    'sub twice': good.replace('{', `{"sub":${json(sub)},`),
    'sub twice, once escaped': good.replace('{', '{"\\u0073ub":"x",'),
    'exp twice': good.replace('{', '{"exp":9999999999,'),
    'aud twice': good.replace('{', '{"aud":"elsewhere",'),
    'a claim twice further down': good.replace('{', '{"x":[{"y":1,"y":2}],'),
  };
  return [
    ...changes.map(
      (change): Forgery => [
        `claims ${json(change)?.slice(0, 60)} ${Object.keys(change)}`,
        makeToken(maker, maker.header, { ...maker.claims, ...change }),
      ],
    ),
    ...Object.entries(raw).map(([what, text]): Forgery => [what, makeToken(maker, maker.header, text)]),
  ];
}
