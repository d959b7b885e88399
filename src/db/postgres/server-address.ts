import { readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';

/** Modes of TLS as libpq has them (PostgreSQL documentation, "SSL Mode Descriptions"). */
export const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const TLS_MODE = new RegExp(`^(?:${TLS_MODES.join('|')})$`);

/** Parameters that libpq takes from the environment where the address lacks them. */
const FROM_ENVIRONMENT = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
} as const;
/** The same where the address has no host and no port. */
const PLACE_FROM_ENVIRONMENT = { host: 'PGHOST', port: 'PGPORT', service: 'PGSERVICE' } as const;

/** Accepted values of parameters of which libpq accepts more. */
const ACCEPTED: Readonly<Record<string, readonly [pattern: RegExp, expected: string]>> = {
  sslmode: [TLS_MODE, `one of ${TLS_MODES.join(', ')}`],
  target_session_attrs: [
    /^(?:any|primary|read-write|prefer-standby|standby|read-only)$/,
    'any, primary or read-write; of a replica prefer-standby, standby or read-only',
  ],
  host: [/^[^,]*$/, 'one host'],
  port: [/^\d{1,5}$/, 'one port'],
  hostaddr: [/^$/, 'the address as the host'],
  service: [/^$/, 'an address with a host instead of a service'],
};

/** Value of `sslrootcert` for the certificates that the system trusts; here those of Node.js. */
const SYSTEM = 'system';

export interface ServerAddress {
  config: ClientConfig;
  /** Whether the mode permits a server without TLS. */
  isTlsOptional: boolean;
}

/** Returns the URL of an address. As in libpq it may have a zone of IPv6, a user before no host, and its database as `dbname`. */
export function urlOf(address: string): URL {
  const [zoned = '', ip = '', zone = ''] =
    /(?<=^\w+:\/\/(?:[^/?#]*@)?)\[([\da-f:.]+)%(?:25)?([\w.-]+)\]/i.exec(address) ?? [];
  const url = new URL(
    address.replace(zoned, zoned && `[${ip}]`).replace(/^(\w+:\/\/[^/?#]*@)(?=[/?]|$)/, '$1localhost'),
  );
  // The last of several values counts.
  url.search = new URLSearchParams(Object.fromEntries(url.searchParams)).toString();
  const database = url.searchParams.get('dbname');
  if (database) url.pathname = encodeURIComponent(database);
  if (zoned && !url.searchParams.has('host')) url.searchParams.set('host', `${ip}%${zone}`);
  return url;
}

/**
 * Reads an address as libpq does, where the driver differs.
 *
 * @param settings server settings to add, by their PostgreSQL names
 * @throws Error for a parameter or a variable of the environment with another value than the accepted ones
 */
export function serverAddress(text: string, settings: Readonly<Record<string, string>>): ServerAddress {
  const address = urlOf(text);
  const query = address.searchParams;
  const variables = Object.entries({ ...FROM_ENVIRONMENT, ...(address.hostname ? {} : PLACE_FROM_ENVIRONMENT) });
  for (const [name, variable] of variables) {
    const value = process.env[variable];
    if (value && !query.has(name)) query.set(name, value);
  }
  for (const [name, [pattern, expected]] of Object.entries(ACCEPTED)) {
    const value = query.get(name) ?? '';
    if (value !== '' && !pattern.test(value)) {
      const variable = variables.find(([known, each]) => known === name && process.env[each] === value)?.[1];
      throw new Error(`${name} ${variable ? `(${variable}) ` : ''}is ${value}: expected ${expected}`);
    }
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  if (options.length > 0) query.set('options', [query.get('options') ?? '', ...options].join(' ').trim());
  if (query.get('sslrootcert') === SYSTEM) {
    query.delete('sslrootcert');
    query.set('sslmode', 'verify-full');
  }
  const isTlsOptional = query.get('sslmode') === 'allow' || query.get('sslmode') === 'prefer';
  if (isTlsOptional) query.set('sslmode', 'prefer');
  query.delete('uselibpqcompat');
  const { user, password, host, port, ssl, sslnegotiation, application_name } = parse(address.href, {
    useLibpqCompat: true,
  });
  const config = { user, host, ssl, sslnegotiation, application_name, options: query.get('options') } as ClientConfig;
  config.database = decodeURIComponent(address.pathname.slice(1));
  if (port) config.port = Number(port);
  config.password = password || (process.env.PGPASSWORD ? undefined : passwordFromFile(address));
  return { config, isTlsOptional };
}

/** Returns the password for an address from a file such as `~/.pgpass` (PostgreSQL, "The Password File"); undefined if it has none. */
function passwordFromFile({ hostname, port, pathname, username, searchParams }: URL): string | undefined {
  const { PGPASSFILE, PGHOST, PGPORT, PGUSER, PGDATABASE } = process.env;
  const path = PGPASSFILE || join(homedir(), '.pgpass');
  const user = decodeURIComponent(username) || searchParams.get('user') || PGUSER || userInfo().username;
  const host = searchParams.get('host') || decodeURIComponent(hostname) || PGHOST || 'localhost';
  const wanted = [
    host.startsWith('/') ? 'localhost' : host,
    searchParams.get('port') || port || PGPORT || '5432',
    decodeURIComponent(pathname.slice(1)) || PGDATABASE || user,
    user,
  ];
  try {
    // As libpq, takes no file that others can read.
    if ((statSync(path).mode & 0o077) !== 0) return undefined;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const fields = [...line.matchAll(/((?:\\.|[^\\:])*)(?::|$)/g)].map(([, field = '']) =>
        field.replace(/\\(.)/g, '$1'),
      );
      if (!line.startsWith('#') && wanted.every((value, index) => fields[index] === '*' || fields[index] === value))
        return fields[wanted.length] || undefined;
    }
  } catch {
    // There is no such file.
  }
  return undefined;
}

/** Returns whether a text is an address that {@link serverAddress} reads, of one host. */
export function isServerAddress(text: string): boolean {
  try {
    const { protocol, hostname, username, password, pathname, searchParams } = urlOf(text);
    // Throws for what is not percent-encoded.
    for (const part of [username, password, pathname, hostname]) decodeURIComponent(part);
    const hosts = [hostname, searchParams.get('host') ?? ''];
    return (
      /^postgres(ql)?:$/.test(protocol) &&
      !hosts.some((host) => /,|%2c/i.test(host)) &&
      TLS_MODE.test(searchParams.get('sslmode') ?? 'disable')
    );
  } catch {
    return false;
  }
}
