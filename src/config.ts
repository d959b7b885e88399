import { resolve } from 'node:path';
import type { ProviderSettings } from './auth/identity-provider.ts';
import { type DatabaseSettings, readDatabase } from './config-database.ts';
import { readIdentityProvider } from './config-identity-provider.ts';
import { type MetricsSettings, readMetrics, readTracing } from './config-observability.ts';
import { type Environment, settingReader, wholeNumber } from './config-settings.ts';
import type { LimitSettings } from './http/limits.ts';
import { parseAddressRanges } from './lib/address-ranges.ts';
import { UserError } from './lib/errors.ts';
import type { TracingSettings } from './tracing/tracing-settings.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface Config extends LimitSettings, DatabaseSettings {
  port: number;
  host: string;
  /** The folder of the embedded database, the token keys and the lock; absolute. */
  dataDir: string;
  /** Bytes that are to stay free on the disk of the embedded database; 0: none. */
  diskReserve: number;
  /** Load the demo companies at start where there are no companies. */
  demoData: boolean;
  /** Milliseconds for which the service, told to stop, says that it is not ready before it stops listening. */
  drainDelay: number;
  logLevel: LogLevel;
  /** Where metrics can be read; absent: nowhere, and none are kept. */
  metrics: MetricsSettings | undefined;
  /** Where the spans of requests are sent; absent: there are none. */
  tracing: TracingSettings | undefined;
  /** Who issues the access tokens; absent: this service, or whoever has the secret. */
  identityProvider: ProviderSettings | undefined;
  /** Shared secret of HS256 tokens; absent: the service's own key pair in `dataDir`. */
  jwtSecret: string | undefined;
  /** `iss` and `aud` of access tokens. */
  tokenIssuer: string;
  tokenAudience: string;
  /** Origins whose pages may call the service from a browser. */
  corsOrigins: readonly string[];
  /** How long the tokens live that the command line prints, in seconds. */
  tokenLifetime: number;
}

const REQUESTS_A_MINUTE = 'requests a minute, a whole number up to 1000000000, or 0 for no limit';

/**
 * Reads the settings from environment variables, an empty one being an absent one.
 *
 * @throws UserError that names every wrong setting, what it holds and what is expected
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];

  const setting = settingReader(env, problems);
  const database = readDatabase(setting, problems);
  const { provider, issuer } = readIdentityProvider(env, setting, problems);
  const port = setting('PORT', 3000, 'a port number from 0 to 65535', wholeNumber(0, 65_535));
  const config: Config = {
    port,
    host: setting('HOST', '127.0.0.1', 'a host name or address', (text) => text),
    dataDir: setting('DATA_DIR', resolve('.data'), 'a folder', (text) => resolve(text)),
    diskReserve:
      1e6 * setting('DISK_RESERVE', 256, 'a whole number of megabytes up to 1000000', wholeNumber(0, 1_000_000)),
    ...database,
    demoData: setting('DEMO_DATA', database.databaseUrl === undefined, 'true or false', trueOrFalse),
    drainDelay: 1_000 * setting('DRAIN_DELAY', 0, 'a whole number of seconds from 0 to 300', wholeNumber(0, 300)),
    logLevel: setting<LogLevel>('LOG_LEVEL', 'info', `one of ${LOG_LEVELS.join(', ')}`, (text) =>
      LOG_LEVELS.find((level) => level === text),
    ),
    metrics: readMetrics(env, setting, problems, port),
    tracing: readTracing(env, setting, problems),
    identityProvider: provider,
    jwtSecret: setting<string | undefined>('JWT_SECRET', undefined, 'at least 32 bytes', (text) =>
      Buffer.byteLength(text) >= 32 ? text : undefined,
    ),
    tokenIssuer: issuer,
    tokenAudience: setting('TOKEN_AUDIENCE', 'orgdesk', 'a text', (text) => text),
    tokenLifetime: setting(
      'TOKEN_LIFETIME',
      43_200,
      'a whole number of seconds from 1 to 86400',
      wholeNumber(1, 86_400),
    ),
    trustProxy: setting<readonly string[]>(
      'TRUST_PROXY',
      [],
      'addresses or ranges such as 10.0.0.0/8, parted by commas',
      (text) => (parseAddressRanges(listed(text)) === undefined ? undefined : listed(text)),
    ),
    corsOrigins: setting<readonly string[]>(
      'CORS_ORIGINS',
      [],
      'origins such as https://app.example, parted by commas',
      (text) => (listed(text).every(isOrigin) ? listed(text) : undefined),
    ),
    rateLimits: {
      publicLists: setting('RATE_LIMIT_PUBLIC', 1_200, REQUESTS_A_MINUTE, wholeNumber(0, 1e9)),
      user: setting('RATE_LIMIT_USER', 600, REQUESTS_A_MINUTE, wholeNumber(0, 1e9)),
      badTokens: setting('RATE_LIMIT_BAD_TOKENS', 30, REQUESTS_A_MINUTE, wholeNumber(0, 1e9)),
    },
    maxRequestsUnderWay: setting(
      'MAX_REQUESTS_UNDER_WAY',
      1_000,
      'a whole number from 1 to 1000000',
      wholeNumber(1, 1_000_000),
    ),
  };
  if (problems.length > 0) {
    throw new UserError(`These settings are wrong:\n${problems.join('\n')}\nAll settings are described in README.md.`);
  }
  return config;
}

function listed(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function trueOrFalse(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
