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

/** The host of an address, an IPv6 one without its brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * The addresses of a host that may be connected to.
 *
 * @param hostname a name, or an address in the form in which `URL` has it
 * @throws ForbiddenAddressError where one of them may not be; UnknownHostError where there is none
 */
export async function permittedAddresses(
  hostname: string,
  permitsPrivate: boolean,
): Promise<{ address: string; family: number }[]> {
  const name = hostOf({ hostname });
  const family = isIP(name);
  const found = family === 0 ? await lookUp(name, { all: true }).catch(() => []) : [{ address: name, family }];
  if (found.length === 0) throw new UnknownHostError(hostname);
  if (!permitsPrivate && found.some(({ address }) => !isPublicAddress(address)))
    throw new ForbiddenAddressError(hostname);
  return found;
}

/** Looks names up for connections: each is made to the very addresses that were looked at, or not at all. */
export function checkedLookup(permitsPrivate: boolean): LookupFunction {
  return (host, { all }, callback) => {
    permittedAddresses(host, permitsPrivate).then(
      (found) => {
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
