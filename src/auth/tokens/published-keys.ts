import { KeyObject } from 'node:crypto';
import { createLocalJWKSet, type JWK } from 'jose';
import { isObject } from '../../entities/check-fields.ts';

/** Maximum entries of a key set: checking one takes 20 µs. */
const MAX_ENTRIES = 500;
/** Minimum size of an RSA modulus in bits (RFC 7518, section 3.3), and the maximum: a larger one, or exponent, is dear to verify. */
const [MIN_RSA_BITS, MAX_RSA_BITS, MAX_EXPONENT] = [2048, 8192, 2n ** 64n];

/**
 * The y-coordinates of the small-order points of edwards25519, in the form of {@link yCoordinateOf}, including non-canonical ones
 * (libsodium, `ge25519_has_small_order`). Anyone can forge signatures under such a point.
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
 * Returns the entries of a key set (RFC 7517, section 5) that verify signatures of the algorithm and cannot be forged without a private
 * key. Other entries are skipped.
 *
 * @throws TypeError if `keys` is no list, has more than 500 entries, or has entries but no object
 */
export async function readPublishedKeys(set: Readonly<Record<string, unknown>>, algorithm: string): Promise<JWK[]> {
  const { keys } = set;
  if (!Array.isArray(keys)) throw new TypeError('The key set has no list of keys');
  if (keys.length > MAX_ENTRIES) throw new TypeError(`The set of keys has more than ${MAX_ENTRIES} entries`);
  const entries: JWK[] = keys.filter(isObject);
  if (keys.length > 0 && entries.length === 0) throw new TypeError('No entry of the set of keys is an object');
  const fit = await Promise.all(entries.map((entry) => isVerifyingKey(entry, algorithm)));
  return entries.filter((_, index) => fit[index]);
}

/** Imports each entry as a separate set: jose rejects a whole set if one entry is no object, and an invalid key only when it is used. */
async function isVerifyingKey(entry: JWK, algorithm: string): Promise<boolean> {
  try {
    return needsPrivateKey(KeyObject.from(await createLocalJWKSet({ keys: [entry] })({ alg: algorithm })));
  } catch {
    return false;
  }
}

/** Returns whether signing for a key takes its private half: weak and degenerate keys can be forged. */
function needsPrivateKey(key: KeyObject): boolean {
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined && publicExponent !== undefined) {
    const isAffordable = modulusLength <= MAX_RSA_BITS && publicExponent < MAX_EXPONENT;
    return isAffordable && modulusLength >= MIN_RSA_BITS && publicExponent >= 3n && publicExponent % 2n === 1n;
  }
  return key.asymmetricKeyType !== 'ed25519' || !SMALL_ORDER_POINTS.has(yCoordinateOf(key));
}

/** Returns the y-coordinate in hexadecimal, little-endian; clears the topmost bit, the sign of x (RFC 8032, section 5.1.2). */
function yCoordinateOf(key: KeyObject): string {
  const point = Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url');
  point.writeUInt8(point.readUInt8(31) & 0x7f, 31);
  return point.toString('hex');
}
