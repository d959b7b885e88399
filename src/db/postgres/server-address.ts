import { readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Modes of TLS as libpq has them (PostgreSQL documentation, "SSL Mode Descriptions"). */
export const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** Parameters that libpq takes from the environment where the address lacks them. */
const FROM_ENVIRONMENT = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

/** Value of `sslrootcert` for the certificates that the system trusts; here those of Node.js. */
const SYSTEM = 'system';

export interface ServerAddress {
  /** Connection string for the driver. */
  url: string;
  /** The connection string without TLS, where the mode permits a server that has none. */
  withoutTls: string | undefined;
}

/**
 * Reads an address as libpq does, where the driver differs.
 *
 * @param settings server settings to add, by their PostgreSQL names
 */
export function serverAddress(url: string, settings: Readonly<Record<string, string>>): ServerAddress {
  const address = new URL(url);
  const query = address.searchParams;
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  if (options.length > 0) query.set('options', [query.get('options') ?? '', ...options].join(' ').trim());
  for (const [name, variable] of Object.entries(FROM_ENVIRONMENT)) {
    const value = process.env[variable];
    if (value && !query.has(name)) query.set(name, value);
  }
  if (query.get('sslrootcert') === SYSTEM) {
    query.delete('sslrootcert');
    query.set('sslmode', 'verify-full');
  }
  if (address.password === '' && !query.has('password') && !process.env.PGPASSWORD) {
    const password = passwordFromFile(address);
    if (password !== undefined) address.password = encodeURIComponent(password);
  }
  if (!query.has('sslmode')) return { url: address.href, withoutTls: undefined };
  query.set('uselibpqcompat', 'true');
  const isOptional = query.get('sslmode') === 'allow' || query.get('sslmode') === 'prefer';
  if (!isOptional) return { url: address.href, withoutTls: undefined };
  query.set('sslmode', 'prefer');
  const withTls = address.href;
  query.set('sslmode', 'disable');
  return { url: withTls, withoutTls: address.href };
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
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(text);
  const hosts = [hostname, searchParams.get('host') ?? ''];
  const mode = searchParams.get('sslmode') ?? 'disable';
  return (
    /^postgres(ql)?:$/.test(protocol) &&
    [username, password, pathname, hostname].every(isPercentEncoded) &&
    !hosts.some((host) => /,|%2c/i.test(host)) &&
    TLS_MODES.some((known) => known === mode)
  );
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
