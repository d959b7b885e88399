import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Sql } from 'sql-template-tag';
import type { Session } from '../database.ts';
import { connectionError, isConnectionFault } from '../database-errors.ts';
import { isOneOff } from '../sql/sql-fragments.ts';
import { runTransaction } from './postgres-transaction.ts';
import { serverAddress } from './server-address.ts';

export interface ConnectionOptions {
  /** A connection string, `postgres://user:password@host:port/database`. */
  url: string;
  /** Replaces the socket to a server; absent: a socket is opened. */
  stream?: Duplex;
  /** Server settings of this connection, by their PostgreSQL names. */
  settings?: Readonly<Record<string, string>>;
  /** Whether to pipeline: send statements before earlier ones are answered. Such a connection cannot COPY. */
  isPipelined?: boolean;
  /** Replaces COPY into the same session; absent: the connection's own. */
  copyInto?: Session['copyInto'];
  /**
   * Whether the server is behind a transaction pooler (PgBouncer): nothing is prepared, every statement runs in a transaction, and settings
   * are repeated in each.
   */
  isPooled?: boolean;
  /** Milliseconds for a connection to be established; absent: ten seconds, or no limit with a given stream. */
  connectTimeout?: number | undefined;
  /** Whether to drop the connection before its first statement if the server is a standby. */
  refusesStandby?: boolean;
  /** Called once when the connection is lost or cannot be established, with the reason. */
  onLost?: (reason: Error) => void;
  onNotification?: (channel: string) => void;
}

/**
 * A connection to a PostgreSQL server, opened by its first statement and never reopened. Once lost, all statements in flight and later ones
 * fail; failed ones are never retried later.
 */
export interface PostgresConnection extends Session {
  /** Establishes the connection now. Rejects if it cannot be. */
  connect(): Promise<void>;
  run(script: string): Promise<void>;
  /** Reason of the loss; undefined while connected or not yet opened. */
  readonly lost: Error | undefined;
  /** Closes the connection at once; all statements in flight fail with the error. */
  drop(error: Error): void;
  /** Waits up to five seconds for statements in flight, then closes the connection. */
  end(): Promise<void>;
}

/**
 * Server settings of every connection, whatever the role, database or server has: values on the wire and the outcome of statements depend on
 * them.
 */
const SESSION_SETTINGS = {
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  default_transaction_isolation: 'read committed',
  idle_session_timeout: '0',
  lock_timeout: '0',
  standard_conforming_strings: 'on',
};
/** PostgreSQL 17 and newer alone have it. */
const TRANSACTION_TIMEOUT = { since: 17, statement: 'set transaction_timeout = 0' };

export const CONNECT_TIMEOUT_MS = 10_000;
/** TCP keep-alive: idle time before the first probe. */
const KEEP_ALIVE_MS = 10_000;
const END_TIMEOUT_MS = 5_000;

/** What the driver says of a server without TLS. */
const WITHOUT_TLS = /does not support SSL connections/;

/** Maximum number of prepared statements; further ones are sent unprepared. */
const MAX_PREPARED = 1_000;
const INVALID_STATEMENT_NAME = '26000';

export function openConnection(given: ConnectionOptions): PostgresConnection {
  const { url, stream, isPipelined = false, isPooled = false, refusesStandby = false } = given;
  const settings: Readonly<Record<string, string>> = stream
    ? (given.settings ?? {})
    : { ...SESSION_SETTINGS, ...given.settings };
  let lost: Error | undefined;
  let connected: Promise<Client> | undefined;
  let client: Client | undefined;
  let majorVersion = 0;
  let isEstablished = false;

  function lose(error: Error): void {
    if (lost !== undefined) return;
    lost = error;
    given.onLost?.(error);
  }
  function drop(error: Error): void {
    lose(error);
    client?.connection.stream.destroy();
  }

  function openClient(config: ClientConfig): Client {
    const opened = new Client({
      ...config,
      fallback_application_name: 'orgdesk',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      pipeline: isPipelined,
      // No connect timeout for a given stream: the embedded server behind it may be busy for long, but does not vanish.
      ...(stream ? { stream: () => stream } : { connectionTimeoutMillis: given.connectTimeout ?? CONNECT_TIMEOUT_MS }),
    });
    opened.on('error', (error) => opened === client && drop(isConnectionFault(error) ? error : closed(error)));
    opened.on('end', () => opened === client && lose(closed()));
    opened.on('notification', ({ channel }) => given.onNotification?.(channel));
    // Servers report version and role before they accept a statement. A primary becomes a standby only by a restart.
    opened.connection.on('parameterStatus', ({ parameterName, parameterValue = '' }: Record<string, string>) => {
      if (parameterName === 'server_version') majorVersion = Number.parseInt(parameterValue, 10);
      if (refusesStandby && parameterName === 'in_hot_standby' && parameterValue === 'on') drop(isStandby());
    });
    return opened;
  }

  async function establish(): Promise<Client> {
    const address = serverAddress(url, isPooled ? {} : settings);
    client = openClient(address.config);
    try {
      await client.connect();
    } catch (error) {
      if (!address.isTlsOptional || !WITHOUT_TLS.test(String(error))) throw error;
      client = openClient({ ...address.config, ssl: false });
      await client.connect();
    }
    const { since, statement } = TRANSACTION_TIMEOUT;
    if (majorVersion >= since && !isPooled && !stream) await client.query(statement);
    return client;
  }

  async function connect(): Promise<Client> {
    connected ??= establish().catch((error: unknown) => {
      drop(connectError(error));
      throw error;
    });
    const established = await connected.catch(() => undefined);
    if (lost !== undefined || established === undefined) throw lost ?? closed();
    isEstablished = true;
    return established;
  }

  let previous: Promise<unknown> = Promise.resolve();
  /** Runs work on the connection, after earlier work unless it pipelines; once it is lost, failures report the loss. */
  async function use<Result>(start: (client: Client) => Promise<Result>): Promise<Result> {
    const established = await connect();
    try {
      if (isPipelined) return await start(established);
      // The driver's own queue goes with its version 9.
      const result = previous.then(() => start(established));
      previous = result.catch(() => undefined);
      return await result;
    } catch (error) {
      throw lost ?? error;
    }
  }

  /** Names of prepared statements by text. */
  const names = new Map<string, string>();
  let lastName = 0;
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size === MAX_PREPARED) return known;
    const name = `s${++lastName}`;
    names.set(text, name);
    return name;
  }
  const send = async <Row extends object>(
    statement: Sql,
    isPrepared = !isPooled && !isOneOff(statement),
  ): Promise<Row[]> => {
    const { text, values } = statement;
    const name = isPrepared ? nameOf(text) : undefined;
    try {
      return (await use((client) => client.query<Row>({ text, values, name }))).rows;
    } catch (error) {
      if (isOutdated(error)) names.delete(text);
      throw error;
    }
  };
  const run = async (script: string): Promise<void> => void (await use((client) => client.query(script)));
  const copyInto: Session['copyInto'] =
    given.copyInto ??
    ((target, pieces) => use((client) => pipeline(pieces, client.query(copyFrom(`copy ${target.text} from stdin`)))));

  const begin = [
    'begin',
    ...Object.entries(isPooled ? settings : {}).map(
      ([name, value]) => `set local ${name.replace('default_transaction', 'transaction')} = '${value}'`,
    ),
  ].join('; ');
  /** Sends all three at once. If the statement fails, its commit is a rollback. */
  async function queryInTransaction<Row extends object>(statement: Sql): Promise<Row[]> {
    const [, rows] = await Promise.all([run(begin), send<Row>(statement), run('commit')]);
    return rows;
  }
  /** Runs a statement; resends it unprepared if its prepared form was outdated, as it has not run then. */
  async function query<Row extends object>(statement: Sql): Promise<Row[]> {
    try {
      return await send<Row>(statement);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      return send<Row>(statement, false);
    }
  }

  return {
    mayWrite: true,
    connect: async () => void (await connect()),
    query: isPooled ? queryInTransaction : query,
    run,
    transaction: (work) =>
      runTransaction({ mayWrite: true, query: (statement) => send(statement), run, copyInto }, begin, work),
    copyInto,
    get lost() {
      return lost;
    },
    drop,
    async end() {
      // One that is being opened has done nothing yet: a server that does not answer would hold up the end.
      if (connected !== undefined && lost === undefined && (isEstablished || stream !== undefined)) {
        await Promise.race([
          connected.then((client) => client.end()),
          sleep(END_TIMEOUT_MS, undefined, { ref: false }),
        ]);
      }
      drop(closed());
    },
  };
}

function closed(cause?: Error): Error {
  return Object.assign(connectionError('CONNECTION_CLOSED', 'The connection to the database was closed'), { cause });
}

function isStandby(): Error {
  return connectionError('DATABASE_STANDBY', 'The database server is a standby, and not the primary');
}

/**
 * Returns whether a prepared statement no longer fits the tables, or does not exist because the pipelined statement that was to prepare it
 * failed.
 */
function isOutdated(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.routine === 'RevalidateCachedQuery' || error.code === INVALID_STATEMENT_NAME;
}

/** SQLSTATEs of a connection whose settings the server does not accept. */
const REFUSED_SETTINGS = /^(?:22|42(?!501))/;

/** Returns the reason for a failed connect: the error of server or system, or else that of driver, TLS or settings. */
function connectError(error: unknown): Error {
  const isServers = error instanceof DatabaseError && !REFUSED_SETTINGS.test(error.code ?? '');
  if (isServers || (error instanceof Error && isConnectionFault(error))) return error;
  return connectionError('CONNECTION_FAILED', error instanceof Error ? error.message : String(error));
}
