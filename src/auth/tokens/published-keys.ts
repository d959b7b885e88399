import { KeyObject } from 'node:crypto';
import { createLocalJWKSet, type JWK } from 'jose';

/** Entries of a set, 20 µs each: together they do not hold others up. */
const MAX_ENTRIES = 500;
/** Bits of an RSA modulus (RFC 7518, section 3.3). */
const MIN_RSA_BITS = 2048;

/**
 * The y-coordinates of the points of small order of edwards25519, as {@link yCoordinateOf} writes them, those beyond the modulus included
 * (libsodium, `ge25519_has_small_order`). Signatures under such a point can be made by anybody.
 */
const SMALL_ORDER_POINTS: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/**
 * The entries of a set of keys (RFC 7517, section 5) that verify signatures of the algorithm, and whose signatures need a private key. All
 * others are passed over, whatever they hold.
 *
 * @throws where it is no set: `keys` is no list, a list of more than 500 entries, or one of which no entry is an object
 */
export async function readPublishedKeys(set: Readonly<Record<string, unknown>>, algorithm: string): Promise<JWK[]> {
  const { keys } = set;
  if (!Array.isArray(keys)) throw new TypeError('What should be a set of keys has no list of keys');
  if (keys.length > MAX_ENTRIES) throw new TypeError(`The set of keys has more than ${MAX_ENTRIES} entries`);
  const entries = keys.filter(isObject);
  if (keys.length > 0 && entries.length === 0) throw new TypeError('No entry of the set of keys is an object');
  const fit = await Promise.all(entries.map((entry) => isVerifyingKey(entry, algorithm)));
  return entries.filter((_, index) => fit[index]);
}

function isObject(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In a set of its own: jose discards a set as a whole where one entry is no object, and an entry that is no key when it is asked for. */
async function isVerifyingKey(entry: JWK, algorithm: string): Promise<boolean> {
  try {
    return needsPrivateKey(KeyObject.from(await createLocalJWKSet({ keys: [entry] })({ alg: algorithm })));
  } catch {
    return false;
  }
}

/** Whether signatures under a key can be made by whoever has its private half alone. */
function needsPrivateKey(key: KeyObject): boolean {
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && publicExponent !== undefined) {
    return modulusLength >= MIN_RSA_BITS && publicExponent >= 3n && publicExponent % 2n === 1n;
  }
  return key.asymmetricKeyType !== 'ed25519' || !SMALL_ORDER_POINTS.has(yCoordinateOf(key));
}

/** In hexadecimal digits, little-endian; the topmost bit is the sign of the other coordinate (RFC 8032, section 5.1.2). */
function yCoordinateOf(key: KeyObject): string {
  const point = Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url');
  point.writeUInt8(point.readUInt8(31) & 0x7f, 31);
  return point.toString('hex');
}
