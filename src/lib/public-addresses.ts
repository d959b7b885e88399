import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { HostAddress, ResolveHost } from './resolve-host.ts';

/** Public addresses of cloud metadata services, which reveal secrets of the host. */
const METADATA = ['168.63.129.16'];

/** Returns whether an address is public: not loopback, private, link-local, multicast or reserved, nor an IPv6 form of such an address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // IPv4-mapped IPv6 addresses are converted; other embeddings (6to4, NAT64, Teredo) have ranges of their own.
  const plain = ipaddr.process(address);
  return plain.range() === 'unicast' && isAssigned(plain) && !METADATA.includes(plain.toString());
}

/** Returns whether an address is assigned: of IPv6 only 2000::/3 is (RFC 4291, section 2.4, and IANA's registry). */
function isAssigned(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return !('parts' in address) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/** A host to which nothing is sent. The message does not tell a missing from a private address, so that internal names cannot be probed. */
export class ForbiddenHostError extends Error {
  override readonly name = 'ForbiddenHostError';
  constructor(host: string, permitsPrivate: boolean) {
    super(`${host} has no ${permitsPrivate ? '' : 'public '}address.`);
  }
}

/** Rules for the hosts of webhooks, and the resolver of their names. */
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
 * Returns the addresses of a host, all of which are permitted.
 *
 * @param hostname a name, or an address in the form of `URL.hostname`
 * @throws ForbiddenHostError where the host has no address, or any of them is not permitted
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

/** Returns a look-up for sockets that yields only checked addresses, so that a second resolution cannot differ (DNS rebinding). */
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
