import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { isWithin, parseAddressRanges } from '../../lib/address-ranges.ts';

/** The part of a request that the caller's address is read from. */
export type AddressedRequest = Pick<FastifyRequest, 'raw'>;

/** Returns the client address of a request; empty when its connection is gone. */
export type AddressOf = (request: IncomingMessage) => string;

/** The prefix of an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** Returns a predicate that recognises the addresses of trusted proxies; false without any, or where a range is not valid. */
export function trustedProxies(ranges: readonly string[]): false | ((address: string) => boolean) {
  const trusted = parseAddressRanges(ranges);
  return ranges.length > 0 && trusted !== undefined && ((address) => isWithin(trusted, address));
}

/**
 * Returns the reader of client addresses: the peer of the connection, or behind a trusted proxy the last entry of
 * `X-Forwarded-For` that is not a trusted proxy. Where an entry on the way there is not an address, the peer counts.
 *
 * @param log warns of such an entry, at most once a minute
 */
export function addressReader(proxies: readonly string[], log: Pick<FastifyBaseLogger, 'warn'>): AddressOf {
  const isTrusted = trustedProxies(proxies);
  let reportedAt = Number.NEGATIVE_INFINITY;
  return ({ headers, socket }) => {
    const connection = (socket.remoteAddress ?? '').replace(MAPPED, '');
    const header = headers['x-forwarded-for'];
    if (typeof header !== 'string' || !isTrusted || !isTrusted(connection)) return connection;
    let address = connection;
    for (const entry of header.split(',').reverse()) {
      // A list may have empty elements (RFC 9110, section 5.6.1.2).
      const text = entry.trim();
      if (text === '') continue;
      const found = parseForwardedAddress(text);
      if (found === undefined) {
        if (Math.abs(performance.now() - reportedAt) >= REPORT_INTERVAL_MS) {
          reportedAt = performance.now();
          log.warn({ proxy: connection, entry: text.slice(0, MAX_LOGGED_ENTRY) }, UNREADABLE);
        }
        return connection;
      }
      address = found;
      if (!isTrusted(address)) break;
    }
    return address;
  };
}

const REPORT_INTERVAL_MS = 60_000;
/** Characters. */
const MAX_LOGGED_ENTRY = 64;
const UNREADABLE =
  'X-Forwarded-For of a trusted proxy holds what is no address: its requests count as coming from the proxy itself';
/** `[2001:db8::1]:443`, `[2001:db8::1]`, `192.0.2.1:443` or `192.0.2.1`. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\]|(?<v4>[^:]*))(?::\d{1,5})?$/;

/** Returns the address of an entry of `X-Forwarded-For` in canonical form; undefined for `unknown` and anything else that is no address. */
function parseForwardedAddress(entry: string): string | undefined {
  const text = entry.replace(/^"(.*)"$/, '$1');
  const { v4, v6 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = v4 ?? v6 ?? text;
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? address : new SocketAddress({ address, family: 'ipv6' }).address.replace(MAPPED, '');
}

/** Returns whether an address or host name is the loopback of this machine. */
export function isLoopback(host: string): boolean {
  const address = host.toLowerCase().replace(MAPPED, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Returns the key that a caller is counted by: the IPv4 address, or the /64 network of an IPv6 address, as one household
 * or server has all addresses of such a network (RFC 6177).
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - last.length).fill('0'), ...last];
  return `${all.slice(0, 4).join(':')}::/64`;
}
