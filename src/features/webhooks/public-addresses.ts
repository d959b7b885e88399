import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that are public, and at which a cloud answers with what nobody else is to know. */
const METADATA = ['168.63.129.16'];

/** Whether an address is one of the public internet: neither loopback, private, link-local, multicast, reserved, nor one that holds such an IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside of an IPv6 one counts as itself; other forms of such are ranges of their own.
  const plain = ipaddr.process(address);
  return plain.range() === 'unicast' && isAssigned(plain) && !METADATA.includes(plain.toString());
}

/** Of IPv6 no more than 2000::/3 is given out (RFC 4291, section 2.4, and IANA's registry). */
function isAssigned(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !('parts' in address) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/** An address to which nothing is sent. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  constructor(host: string) {
    super(`${host} is not a public address.`);
  }
}

/** A host that has no address. */
export class UnknownHostError extends Error {
  override readonly name = 'UnknownHostError';
  constructor(host: string) {
    super(`${host} has no address.`);
  }
}

/**
 * The addresses of a host that may be connected to.
 *
 * @param host a name, or an address in the form in which `URL` has it
 * @throws ForbiddenAddressError where one of them may not be; UnknownHostError where there is none
 */
export async function permittedAddresses(
  host: string,
  permitsPrivate: boolean,
): Promise<{ address: string; family: number }[]> {
  const name = host.replace(/^\[|\]$/g, '');
  const family = isIP(name);
  const found = family === 0 ? await lookUp(name, { all: true }).catch(() => []) : [{ address: name, family }];
  if (found.length === 0) throw new UnknownHostError(host);
  if (!permitsPrivate && found.some(({ address }) => !isPublicAddress(address))) throw new ForbiddenAddressError(host);
  return found;
}

/** Has a connection made to the very addresses that were looked at: to look them up again could give others. */
export function alwaysAt(addresses: readonly { address: string; family: number }[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
