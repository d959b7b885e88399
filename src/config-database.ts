import { type SettingReader, wholeNumber } from './config-settings.ts';

/** Where the data is, and how many processes of this service work on it. */
export interface DatabaseSettings {
  /** A PostgreSQL server; absent: the embedded database in the data folder. */
  databaseUrl: string | undefined;
  /** The same database past the pooler that `databaseUrl` leads to; absent: that leads to the server itself. */
  databaseDirectUrl: string | undefined;
  /** A streaming replica of it that lists may be read from. */
  databaseReplicaUrl: string | undefined;
  /** Of all workers together. */
  databaseMaxConnections: number;
  /** Milliseconds that a statement of a request may take on a server. */
  databaseTimeout: number;
  /** Processes that serve; more than one only on a server. */
  workers: number;
}

const ADDRESS = 'a PostgreSQL address with one host, such as postgres://user:password@host:5432/database';

/** Reads the settings of the database. What is wrong with them together is noted as a problem. */
export function readDatabase(setting: SettingReader, problems: string[]): DatabaseSettings {
  const address = (name: string) => setting<string | undefined>(name, undefined, ADDRESS, addressOfOneHost);
  const settings: DatabaseSettings = {
    databaseUrl: address('DATABASE_URL'),
    databaseDirectUrl: address('DATABASE_DIRECT_URL'),
    databaseReplicaUrl: address('DATABASE_REPLICA_URL'),
    databaseMaxConnections: setting(
      'DATABASE_MAX_CONNECTIONS',
      10,
      'a whole number from 1 to 1000',
      wholeNumber(1, 1_000),
    ),
    databaseTimeout: setting(
      'DATABASE_TIMEOUT',
      1_500,
      'a whole number of milliseconds from 100 to 60000',
      wholeNumber(100, 60_000),
    ),
    workers: setting('WORKERS', 1, 'a whole number from 1 to 256', wholeNumber(1, 256)),
  };
  // Where an address is wrong that has been said.
  if (problems.length === 0) problems.push(...contradictionsOf(settings));
  return settings;
}

function contradictionsOf(settings: DatabaseSettings): string[] {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, databaseMaxConnections, workers } = settings;
  const problems: string[] = [];
  if (databaseUrl === undefined) {
    if (databaseDirectUrl !== undefined) problems.push('  DATABASE_DIRECT_URL is set: expected only with DATABASE_URL');
    if (databaseReplicaUrl !== undefined)
      problems.push('  DATABASE_REPLICA_URL is set: expected only with DATABASE_URL');
    if (workers > 1) {
      problems.push(
        `  WORKERS is "${workers}": expected 1 without DATABASE_URL, as one process alone can use the embedded database`,
      );
    }
  } else if (workers > databaseMaxConnections) {
    problems.push(
      `  WORKERS is "${workers}": expected ${databaseMaxConnections} at most, as each needs one of the DATABASE_MAX_CONNECTIONS`,
    );
  }
  return problems;
}

function addressOfOneHost(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return /^postgres(ql)?:$/.test(protocol) && !/,|%2c/i.test(hostname) ? text : undefined;
}
