import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { everybodyWithoutRoles } from '../../support/caller-rows.ts';
import { collectLog } from '../../support/collect-log.ts';
import { startKeyServer } from '../../support/key-server.ts';
import { makeToken, providerMaker, type TokenMaker } from '../../support/token-makers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const AUDIENCE = 'https://orgdesk.example/api';

const server = await startKeyServer({});
after(() => server[Symbol.asyncDispose]());
const maker = providerMaker(server.url, AUDIENCE);
const settings = { JWT_SECRET: '', TOKEN_AUDIENCE: AUDIENCE, JWKS_URL: `${server.url}/keys`, TOKEN_ISSUER: server.url };

/** The service where the provider publishes these entries. */
function buildWith(keys: readonly unknown[], more: Record<string, string> = {}): Promise<BareApp> {
  server.answer = { keys };
  return buildBareApp({ query: everybodyWithoutRoles, settings: { ...settings, ...more } });
}

/** The status of an answer: 403 where the token is taken, as everybody is without a role. */
async function knock({ app }: BareApp, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.inject({ url: '/api/companies/list', headers })).statusCode;
}

const withoutKid = { ...maker.jwk, kid: undefined };
const header = { ...maker.header, kid: undefined };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What may stand in a set next to a key. */
const NO_KEYS: Readonly<Record<string, unknown>> = {
  null: null,
  'a text': 'one',
  'a number': 1,
  'a list': [maker.jwk],
  'an empty object': {},
  'a kind alone': { kty: 'RSA' },
  'an unknown kind': { kty: 'LMS', kid: 'one' },
  'a kind that is no text': { kty: ['RSA'], kid: 'one' },
  'a key without its modulus': { ...maker.jwk, n: undefined },
  'a key whose modulus is a number': { ...maker.jwk, n: 7 },
  'a key whose modulus is no base64url': { ...maker.jwk, n: '***' },
  'a key with its private half': { ...rsa.privateKey.export({ format: 'jwk' }), kid: 'one' },
  'a point that is not on its curve': { kty: 'EC', crv: 'P-256', kid: 'one', x: 'AA', y: 'AA' },
  'a shared secret': { kty: 'oct', kid: 'one', k: 'c2VjcmV0' },
  'uses that are no list': { ...maker.jwk, key_ops: 'verify' },
};

describe('a set of keys in which one entry is no key', () => {
  for (const [what, entry] of Object.entries(NO_KEYS)) {
    it(`a key set that contains ${what} is used for its other keys, with or without a key id`, async () => {
      for (const [keys, token] of [
        [[entry, maker.jwk], makeToken(maker)],
        [[maker.jwk, entry], makeToken(maker)],
        [[entry, withoutKid], makeToken(maker, header)],
      ] as const) {
        await using service = await buildWith(keys);
        assert.equal(await knock(service, token), 403);
        assert.equal((await service.app.inject('/readyz')).statusCode, 200);
      }
    });
  }

  it('a key set of more than 500 entries is refused', async () => {
    for (const [entries, status] of [
      [500, 403],
      [501, 503],
    ] as const) {
      await using service = await buildWith([...Array(entries - 1).fill({}), maker.jwk]);
      assert.equal(await knock(service, makeToken(maker)), status);
    }
  });
});

describe('a set of keys in which several are of one name', () => {
  const second = providerMaker(server.url, AUDIENCE);
  const [first, other] = [maker.jwk, second.jwk];
  const withoutAlg = { ...maker.jwk, alg: undefined };
  for (const [what, keys] of Object.entries({
    'the identical entry twice': [first, first],
    'the same key once without alg': [withoutAlg, first],
    'another key before it': [other, first],
    'another key behind it': [first, other],
    'one for another algorithm before it': [{ ...other, alg: 'RS512' }, first],
  })) {
    it(`each key with the same key id is tried if the set contains ${what}`, async () => {
      await using service = await buildWith(keys);
      assert.equal(await knock(service, makeToken(maker)), 403);
      if (keys.includes(other)) assert.equal(await knock(service, makeToken(second)), 403);
      const forged = makeToken({ ...maker, sign: providerMaker(server.url, AUDIENCE).sign });
      assert.equal(await knock(service, forged), 401);
    });
  }

  it('a token without a key id is verified with all keys of the set', async () => {
    await using service = await buildWith([{ ...other, kid: 'two' }, first]);
    assert.equal(await knock(service, makeToken(maker, header)), 403);
    assert.equal(await knock(service, makeToken(second, header)), 403);
    assert.equal(
      await knock(service, makeToken({ ...maker, sign: providerMaker(server.url, AUDIENCE).sign }, header)),
      401,
    );
  });
});

it('the log reports a key set without a key for the algorithm, with the purposes of its keys', async () => {
  server.answer = { keys: [{ ...maker.jwk, alg: 'RS512' }] };
  const { log, lines } = collectLog();
  await using service = await buildBareApp({ log, settings: { ...settings, LOG_LEVEL: 'warn' } });
  assert.equal(service.context.identityProvider?.keys.state, 'no-keys');
  const warnings = lines.filter(({ level }) => level === 40);
  assert.equal(warnings.length, 1);
  assert.match(JSON.stringify(warnings), /No key of the set is for RS256: .*RS512/);
});

interface WeakKey {
  jwk: object;
  sign: TokenMaker['sign'];
  alg?: 'EdDSA';
}

function rsaOf(bits: number): WeakKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const sign = (text: string) => signBytes('sha256', Buffer.from(text), privateKey).toString('base64url');
  return { jwk: publicKey.export({ format: 'jwk' }), sign };
}

/** Under the exponent 1 a signature is the padded hash itself (RFC 8017, section 9.2): anybody can write it down. */
function rsaToThe(exponent: number): WeakKey {
  const e = Buffer.from(exponent.toString(16).padStart(6, '0'), 'hex').toString('base64url');
  const prefix = Buffer.from('003031300d060960864801650304020105000420', 'hex');
  const sign = (text: string) => {
    const end = Buffer.concat([prefix, createHash('sha256').update(text).digest()]);
    const begin = Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(254 - end.length, 0xff)]);
    return Buffer.concat([begin, end]).toString('base64url');
  };
  return { jwk: { ...rsa.publicKey.export({ format: 'jwk' }), e }, sign };
}

/** Under a point of small order the neutral point and 0 are a signature of one text in eight at least. */
function edwardsPoint(hex: string): WeakKey {
  const neutral = Buffer.alloc(64);
  neutral[0] = 1;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') };
  return { jwk, sign: () => neutral.toString('base64url'), alg: 'EdDSA' };
}

/** What is one less than the modulus, the modulus, and one more. */
const AROUND_MODULUS = ['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`);

/** Keys under which anybody can sign, or soon will. */
const WEAK: Readonly<Record<string, WeakKey>> = {
  'RSA of 1,024 bits': rsaOf(1024),
  'RSA of 2,047 bits': rsaOf(2047),
  ...Object.fromEntries([0, 1, 2, 4, 65_536].map((exponent) => [`RSA to the ${exponent}`, rsaToThe(exponent)])),
  ...Object.fromEntries(
    [
      `01${'00'.repeat(31)}`,
      `01${'00'.repeat(30)}80`,
      ...AROUND_MODULUS,
      '00'.repeat(32),
      `${'00'.repeat(31)}80`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    ].map((point) => [`the Ed25519 point ${point}`, edwardsPoint(point)]),
  ),
};

describe('a key under which anybody can sign', () => {
  for (const [what, { jwk, sign, alg = 'RS256' }] of Object.entries(WEAK)) {
    it(`the weak key ${what} is not used: its tokens get 401, and readiness reports no keys`, async () => {
      await using service = await buildWith([{ ...jwk, kid: 'one' }], { TOKEN_ALGORITHM: alg });
      for (let jti = 0; jti < 64; jti++) {
        const token = makeToken({ ...maker, sign }, { alg, kid: 'one' }, { ...maker.claims, jti });
        // The keys are still on their way on a busy machine.
        await waitUntil('the keys', async () => (await knock(service, token)) !== 503);
        assert.equal(await knock(service, token), 401);
      }
      const ready = await service.app.inject('/readyz');
      assert.equal(ready.statusCode, 503);
      assert.match(ready.json().message, /identityProvider no-keys/);
    });
  }

  it('a weak key does not replace a good key with the same key id', async () => {
    await using service = await buildWith([{ ...rsaToThe(1).jwk, kid: 'one' }, maker.jwk]);
    assert.equal(await knock(service, makeToken(maker)), 403);
    assert.equal(await knock(service, makeToken({ ...maker, sign: rsaToThe(1).sign })), 401);
  });
});
