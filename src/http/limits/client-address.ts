import type { ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isWithin, parseAddressRanges } from '../../lib/address-ranges.ts';

/** What says where a request comes from. */
export type AddressedRequest = Pick<FastifyRequest, 'raw' | 'ip'> & { ips?: FastifyRequest['ips'] };

/** An IPv4 address in the form in which an IPv6 socket shows it (RFC 4291, section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/** Says to Fastify whose `X-Forwarded-For` is believed: that of proxies at these addresses and in these ranges. Without any, nobody's. */
export function trustedProxies(ranges: readonly string[]): false | ((address: string) => boolean) {
  const trusted = parseAddressRanges(ranges);
  return ranges.length > 0 && trusted !== undefined && ((address) => isWithin(trusted, address));
}

/**
 * The address that a request comes from: that of the connection, or, where this is a trusted proxy's ({@link trustedProxies}), the last one in
 * `X-Forwarded-For` that is not. What is no address ends the search. Empty where the connection is gone.
 */
export function clientAddress({ ip, ips = [ip] }: AddressedRequest): string {
  return (ips.findLast((address) => isIP(address) !== 0) ?? '').replace(MAPPED, '');
}

/**
 * Remembers whose requests the responses answer, by what the callers count as. Nothing that holds a request is kept with a response: the
 * garbage collector would take it for something that is still used.
 *
 * @param networkOf what a caller counts as
 * @returns the same for a response, also where it was answered before the framework looked at the request: by the connection's address
 */
export function rememberCallers(
  app: FastifyInstance,
  networkOf: (request: AddressedRequest) => string,
): (response: ServerResponse) => string {
  const networks = new WeakMap<ServerResponse, string>();
  app.addHook('onRequest', (request, reply, done) => {
    networks.set(reply.raw, networkOf(request));
    done();
  });
  return (response) =>
    networks.get(response) ?? networkOf({ raw: response.req, ip: response.req.socket.remoteAddress ?? '' });
}

/** Whether an address, or the name of a host, is that of this very machine. */
export function isLoopback(host: string): boolean {
  const address = host.toLowerCase().replace(MAPPED, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * What counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, as one household or server has all
 * addresses of such a network (RFC 6177).
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = tail === undefined ? groups : [...groups, ...Array(8 - groups.length - last.length).fill('0'), ...last];
  return `${all.slice(0, 4).join(':')}::/64`;
}
