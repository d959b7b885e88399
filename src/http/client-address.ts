import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { isWithin } from '../lib/address-ranges.ts';

/** An IPv4 address in the form in which an IPv6 socket shows it (RFC 4291, section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * The address that a request comes from: that of the connection, or, where this is a trusted proxy's, the last one in
 * `X-Forwarded-For` that is not. What stands before that may be the caller's invention.
 */
export function clientAddress(request: IncomingMessage, trusted: BlockList | undefined): string {
  const direct = (request.socket.remoteAddress ?? '').replace(MAPPED, '');
  const forwarded = request.headers['x-forwarded-for'];
  if (trusted === undefined || forwarded === undefined || !isWithin(trusted, direct)) return direct;
  let address = direct;
  for (const hop of String(forwarded).split(',').reverse()) {
    const before = hop.trim().replace(MAPPED, '');
    if (isIP(before) === 0) break;
    address = before;
    if (!isWithin(trusted, address)) break;
  }
  return address;
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
