import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Sql } from 'sql-template-tag';
import type { Session } from '../database.ts';
import { connectionError, isConnectionFault } from '../database-errors.ts';
import { isOneOff } from '../sql/one-off.ts';
import { runTransaction } from './postgres-transaction.ts';

export interface ConnectionOptions {
  /** A connection string, `postgres://user:password@host:port/database`. */
  url: string;
  /** What stands for the socket to a server; absent: it is made. */
  stream?: Duplex;
  /** Settings of the server for this connection, by their names there. */
  settings?: Readonly<Record<string, string>>;
  /**
   * Whether statements are sent without waiting for the answers of earlier ones. Such a connection takes no COPY.
   */
  isPipelined?: boolean;
  /** Another way to copy into the same session; absent: the connection's own. */
  copyInto?: Session['copyInto'];
  /**
   * Whether a pooler stands between that lends a connection of the server by the transaction (PgBouncer): nothing is
   * prepared, the settings are made in each transaction, and each statement is in one.
   */
  isPooled?: boolean;
  /** Whether a server that is a standby will not do: the connection is dropped before it gets its first statement. */
  refusesStandby?: boolean;
  /** Called once, when the connection is lost, or could not be made. */
  onLost?: () => void;
  onNotification?: (channel: string) => void;
}

/**
 * One connection to a PostgreSQL server, made with its first statement and never made anew. Once it is lost, all that is
 * in flight on it fails, and all that comes. What has failed is never carried out later.
 */
export interface PostgresConnection extends Session {
  run(script: string): Promise<void>;
  /** Why it was lost; undefined while it is not. */
  readonly lost: Error | undefined;
  /** Cuts the connection at once; all that is in flight on it fails with the error. */
  drop(error: Error): void;
  /** Lets what is in flight end, for five seconds at most, and closes the connection. */
  end(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Of silence, after which the system looks whether the other side is there. */
const KEEP_ALIVE_MS = 10_000;
const END_TIMEOUT_MS = 5_000;

/** Statements that are kept prepared. Further ones are sent as they are. */
const MAX_PREPARED = 1_000;
const INVALID_STATEMENT_NAME = '26000';

export function openConnection(given: ConnectionOptions): PostgresConnection {
  const { url, stream, settings = {}, isPipelined = false, isPooled = false, refusesStandby = false } = given;
  let lost: Error | undefined;
  let connected: Promise<void> | undefined;
  const client = new Client({
    connectionString: addressWith(url, isPooled ? {} : settings),
    fallback_application_name: 'orgdesk',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    pipeline: isPipelined,
    // What stands for a server may be busy for long, and is there.
    ...(stream ? { stream: () => stream } : { connectionTimeoutMillis: CONNECT_TIMEOUT_MS }),
  });

  function lose(error: Error): void {
    if (lost !== undefined) return;
    lost = error;
    given.onLost?.();
  }
  function drop(error: Error): void {
    lose(error);
    client.connection.stream.destroy();
  }
  client.on('error', (error) => drop(isConnectionFault(error) ? error : closed(error)));
  client.on('end', () => lose(closed()));
  client.on('notification', ({ channel }) => given.onNotification?.(channel));
  // Servers say what they are before they take a statement. A primary becomes a standby only by a restart.
  client.connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
    if (refusesStandby && parameterName === 'in_hot_standby' && parameterValue === 'on') drop(isStandby());
  });

  /** Whatever fails on a lost connection fails because that was lost. */
  async function use<Result>(start: () => Promise<Result>): Promise<Result> {
    connected ??= client.connect().then(
      () => undefined,
      (error: unknown) => drop(connectError(error)),
    );
    await connected;
    if (lost !== undefined) throw lost;
    try {
      return await start();
    } catch (error) {
      throw lost ?? error;
    }
  }

  /** Names of prepared statements, by their texts. */
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
      return (await use(() => client.query<Row>({ text, values, name }))).rows;
    } catch (error) {
      if (isOutdated(error)) names.delete(text);
      throw error;
    }
  };
  const run = async (script: string): Promise<void> => void (await use(() => client.query(script)));
  const copyInto: Session['copyInto'] =
    given.copyInto ??
    ((target, pieces) => use(() => pipeline(pieces, client.query(copyFrom(`copy ${target.text} from stdin`)))));

  const begin = [
    'begin',
    ...Object.entries(isPooled ? settings : {}).map(([name, value]) => `set local ${name} = ${value}`),
  ].join('; ');
  /** The three are sent together. Where the statement fails, its commit is a rollback. */
  async function queryInTransaction<Row extends object>(statement: Sql): Promise<Row[]> {
    const [, rows] = await Promise.all([run(begin), send<Row>(statement), run('commit')]);
    return rows;
  }
  /** A statement that could not use what was prepared has not run. It is sent once more as it is. */
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
      if (connected !== undefined && lost === undefined) {
        await Promise.race([connected.then(() => client.end()), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
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
 * Whether an error says that a prepared statement does not fit the tables as they are now, or is not there: the one before
 * it on the connection was to prepare it, and failed.
 */
function isOutdated(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.routine === 'RevalidateCachedQuery' || error.code === INVALID_STATEMENT_NAME;
}

/** Why a connection could not be made: as the server or the system says, otherwise what the driver or TLS objects to. */
function connectError(error: unknown): Error {
  if (error instanceof Error && (isConnectionFault(error) || error instanceof DatabaseError)) return error;
  return connectionError('CONNECTION_FAILED', error instanceof Error ? error.message : String(error));
}

/** The address with further settings of the server, and with `sslmode` in the meaning of libpq. */
function addressWith(url: string, settings: Readonly<Record<string, string>>): string {
  const address = new URL(url);
  const query = address.searchParams;
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  if (options.length > 0) query.set('options', [query.get('options') ?? '', ...options].join(' ').trim());
  if (query.has('sslmode')) query.set('uselibpqcompat', 'true');
  return address.href;
}
