import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HostAddress, ResolveHost } from './resolve-host.ts';

/** Public addresses at which a cloud answers with what nobody else is to know. */
const METADATA = ['168.63.129.16'];

/** Returns whether an address is public: neither loopback, private, link-local, multicast or reserved, nor one that holds such an IPv4 address. */
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

/** A host to which nothing is sent. Whether it has no address or one that is not public is not told: internal names are not to be guessed. */
export class ForbiddenHostError extends Error {
  override readonly name = 'ForbiddenHostError';
  constructor(host: string, permitsPrivate: boolean) {
    super(`${host} has no ${permitsPrivate ? '' : 'public '}address.`);
  }
}

/** Which hosts may be connected to, and how their names are resolved. */
export interface HostRules {
  /** Whether private addresses are permitted, and plain `http`. */
  permitsPrivate: boolean;
  resolveHost: ResolveHost;
}

/** Returns the host of a URL, an IPv6 address without its brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Returns the addresses of a host to which connections may be made.
 *
 * @param hostname a name, or an address in the form in which `URL` has it
 * @throws ForbiddenHostError where there is none, or one is not permitted
 */
export async function permittedAddresses(
  hostname: string,
  { permitsPrivate, resolveHost }: HostRules,
): Promise<HostAddress[]> {
  const host = hostOf({ hostname });
  const family = isIP(host);
  const found = family === 0 ? await resolveHost(host) : [{ address: host, family }];
  const isPermitted = found.length > 0 && (permitsPrivate || found.every(({ address }) => isPublicAddress(address)));
  if (!isPermitted) throw new ForbiddenHostError(hostname, permitsPrivate);
  return found;
}

/** Returns a look-up for connections: each is made to the very addresses that were checked, or not at all. */
export function checkedLookup(rules: HostRules): LookupFunction {
  return (host, { all }, callback) => {
    permittedAddresses(host, rules).then(
      (found) => {
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
