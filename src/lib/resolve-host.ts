import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** An address of a host, in the form that sockets take. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Returns the addresses of a name, or an empty list. Never rejects. */
export type ResolveHost = (name: string) => Promise<HostAddress[]>;

/** Milliseconds for one name in all, and until a query is repeated or sent to the next name server. */
const [DEADLINE_MS, RETRY_MS] = [3_000, 1_000];
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

export interface ResolverOptions {
  hostsFile?: string;
  /** Name servers to use instead of the system's, as `address:port`. */
  servers?: readonly string[];
}

/**
 * Resolves names by the hosts file, else by DNS within three seconds. The system's look-up (getaddrinfo) has no deadline, and two that
 * hang occupy half of the thread pool, which files and compression share. Search domains are not applied.
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
  const none = (): string[] => [];
  const found = await withResolver(
    (resolver) => Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)]),
    servers,
  );
  return found.flat().map(withFamily);
}

/** Returns the texts of the TXT records of a name; an empty list without any. Never rejects. */
export async function queryTexts(name: string): Promise<string[]> {
  const records = await withResolver((resolver) => resolver.resolveTxt(name).catch(() => []));
  return records.map((parts) => parts.join(''));
}

/** Asks name servers within three seconds. */
async function withResolver<Found>(
  ask: (resolver: Resolver) => Promise<Found>,
  servers?: readonly string[],
): Promise<Found> {
  // One resolver per look-up: it can be cancelled alone, and reads the current name servers of the system.
  const resolver = new Resolver({ timeout: RETRY_MS });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
  try {
    return await ask(resolver);
  } finally {
    clearTimeout(deadline);
  }
}

function withFamily(address: string): HostAddress {
  return { address, family: isIP(address) };
}
