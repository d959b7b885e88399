import { BlockList, isIP } from 'node:net';

/** Parses addresses and ranges in CIDR notation (RFC 4632), such as `10.0.0.0/8` or `::1`; undefined where one is neither. */
export function parseAddressRanges(ranges: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length, ...rest] = range.split('/');
    const version = isIP(address);
    const bits = length === undefined ? undefined : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
    if (version === 0 || rest.length > 0) return undefined;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else if (bits <= (version === 4 ? 32 : 128)) list.addSubnet(address, bits, family);
    else return undefined;
  }
  return list;
}

/** Returns whether a text is an IP address in one of the ranges. IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) count as IPv4. */
export function isWithin(ranges: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && ranges.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
