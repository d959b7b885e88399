import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** An address of a host, as connections take it. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Gives the addresses of a name, none where it has none. Never rejects. */
export type ResolveHost = (name: string) => Promise<HostAddress[]>;

/** Milliseconds for one name, and until a name server is asked again, or the next one. */
const [DEADLINE_MS, RETRY_MS] = [3_000, 1_000];
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

export interface ResolverOptions {
  hostsFile?: string;
  /** Name servers to ask in the place of the system's, as `address:port`. */
  servers?: readonly string[];
}

/**
 * Resolves names by the file of hosts, else by DNS within three seconds. The system's own look-up has no deadline, and two that hang take
 * half of the threads that files and compression need too. A name is asked for as it is: search domains do not count.
 */
export function hostResolver({ hostsFile = '/etc/hosts', servers }: ResolverOptions = {}): ResolveHost {
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    // RFC 6761, section 6.3.
    if (/(?:^|\.)localhost$/.test(name)) return LOOPBACK.map(withFamily);
    const listed = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name);
    return listed.length > 0 ? listed : queryDns(name, servers);
  };
}

function addressesIn(hosts: string, name: string): HostAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((each) => each.toLowerCase() === name) ? [withFamily(address)] : [];
  });
}

async function queryDns(name: string, servers: readonly string[] | undefined): Promise<HostAddress[]> {
  // One for each look-up: it can be given up alone, and knows the system's name servers of this moment.
  const resolver = new Resolver({ timeout: RETRY_MS });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
  try {
    const none = (): string[] => [];
    const found = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]);
    return found.flat().map(withFamily);
  } finally {
    clearTimeout(deadline);
  }
}

function withFamily(address: string): HostAddress {
  return { address, family: isIP(address) };
}
