import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import type { Sql } from 'sql-template-tag';
import type { Session, Transaction } from './database.ts';
import { connectionError } from './database-errors.ts';

export interface ConnectionOptions {
  /** A connection string, `postgres://user:password@host:port/database`. */
  url: string;
  /** Settings of the server for this connection, by their names there. */
  settings?: Readonly<Record<string, string>>;
  /**
   * Whether a pooler stands between that lends a connection of the server by the transaction (PgBouncer): nothing is
   * prepared, the settings are made in each transaction, and each statement is in one.
   */
  isPooled?: boolean;
  /** Whether a server that is a standby will not do: the connection is cut before it gets its first statement. */
  refusesStandby?: boolean;
  /** Called once, when the connection is lost, or could not be made. */
  onLost?: () => void;
  onNotification?: () => void;
}

/**
 * One connection to a PostgreSQL server, made with its first statement and never made anew: once it is lost, all that is
 * under way on it fails, and all that comes. What has failed is never carried out later.
 */
export interface PostgresConnection extends Omit<Session, 'transaction'> {
  run(script: string): Promise<void>;
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Why it was lost; undefined while it is not. */
  readonly lost: Error | undefined;
  /** Cuts the connection at once; all that is under way on it fails with the error. */
  cut(error: Error): void;
  /** Lets what is under way end, for five seconds at most, and closes the connection. */
  end(): Promise<void>;
}

/** Seconds. */
const CONNECT_TIMEOUT = 10;
/** Seconds of silence after which the system looks whether the other side is there; it gives up after ten more. */
const KEEP_ALIVE = 10;

export function openConnection(given: ConnectionOptions): PostgresConnection {
  const { url, settings = {}, isPooled = false, refusesStandby = false, onLost, onNotification } = given;
  let socket: Socket | undefined;
  let lost: Error | undefined;
  /** The driver does not reject everything that it has taken when a connection is lost: what waits here is. */
  const pending = new Set<(error: Error) => void>();

  function lose(error: Error): void {
    if (lost !== undefined) return;
    lost = error;
    for (const reject of pending) reject(error);
    onLost?.();
  }
  function cut(error: Error): void {
    lose(error);
    socket?.destroy(error);
  }
  const options: postgres.Options<Record<string, never>> = {
    max: 1,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT,
    keep_alive: KEEP_ALIVE,
    connection: { application_name: 'orgdesk', ...(isPooled ? {} : settings) },
    // The statements cast what the drivers would disagree about: no list of types has to be fetched.
    fetch_types: false,
    onnotice: () => undefined,
    onclose: () => lose(closed()),
    // Servers say what they are before they take a statement. A primary becomes a standby only by a restart.
    onparameter: (name, value) => {
      if (refusesStandby && name === 'in_hot_standby' && value === 'on') cut(isStandby());
    },
  };
  const sql = postgres(url, {
    ...options,
    ...{ onnotify: onNotification },
    // A socket of ours can be cut. The driver asks for another one where it wants to connect anew.
    ...{
      socket: (parsed: Address) => {
        if (socket !== undefined || lost !== undefined) {
          lose(closed());
          throw lost;
        }
        socket = connectTo(parsed);
        socket.on('error', lose);
        return socket;
      },
    },
  });

  async function use<Result>(start: () => PromiseLike<Result>): Promise<Result> {
    if (lost !== undefined) throw lost;
    return new Promise((resolve, reject) => {
      pending.add(reject);
      start().then(
        (result) => {
          pending.delete(reject);
          resolve(result);
        },
        (error: unknown) => {
          pending.delete(reject);
          reject(error);
        },
      );
    });
  }
  /**
   * Statements are prepared once and sent without waiting for the answers of earlier ones (pipelining); `unsafe` is the
   * driver's word for a statement whose text is ready: its values travel apart as parameters.
   */
  const query = <Row extends object>({ text, values }: Sql): Promise<Row[]> =>
    use(() => sql.unsafe<Row[]>(text, values as postgres.ParameterOrJSON<never>[], { prepare: !isPooled }));
  const run = async (script: string): Promise<void> => void (await use(() => sql.unsafe(script).simple()));

  const begin = [
    'begin',
    ...Object.entries(isPooled ? settings : {}).map(([name, value]) => `set local ${name} = ${value}`),
  ];
  /** The three are sent together. Where the statement fails, its commit is a rollback. */
  async function queryInTransaction<Row extends object>(statement: Sql): Promise<Row[]> {
    const [, rows] = await Promise.all([run(begin.join('; ')), query<Row>(statement), run('commit')]);
    return rows;
  }
  const copyPieces: Session['copyInto'] = (target, pieces) => use(() => copyInto(sql, target, pieces));

  return {
    query: isPooled ? queryInTransaction : query,
    run,
    transaction: (work) => runTransaction({ query, run, copyInto: copyPieces }, begin.join('; '), work),
    copyInto: copyPieces,
    get lost() {
      return lost;
    },
    cut,
    async end() {
      await sql.end({ timeout: 5 });
      lose(closed());
    },
  };
}

function closed(): Error {
  return connectionError('CONNECTION_CLOSED', 'The connection to the database was closed');
}

function isStandby(): Error {
  return connectionError('DATABASE_STANDBY', 'The database server is a standby, and not the primary');
}

/** As the driver has read it from the connection string. */
interface Address {
  host: readonly string[];
  port: readonly number[];
  /** Of a unix socket. */
  path: string | false;
}

function connectTo({ host: [host = 'localhost'], port: [port = 5432], path }: Address): Socket {
  if (path) return connect({ path });
  // By this property the driver knows whom to expect at the other end of TLS.
  return Object.assign(connect({ host, port }), { host });
}

/** Runs a transaction on a connection that nobody else uses meanwhile. One with a failed statement is never committed. */
async function runTransaction<Result>(
  connection: Transaction,
  begin: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  let failure: { error: unknown } | undefined;
  const watched = async <Value>(start: () => Promise<Value>): Promise<Value> => {
    if (isOver) throw new TypeError('A statement came after the end of its transaction');
    try {
      return await start();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  await connection.run(begin);
  try {
    const result = await work({
      query: (statement) => watched(() => connection.query(statement)),
      run: (script) => watched(() => connection.run(script)),
      copyInto: (target, pieces) => watched(() => connection.copyInto(target, pieces)),
    });
    if (failure !== undefined) throw failure.error;
    isOver = true;
    await connection.run('commit');
    return result;
  } catch (error) {
    isOver = true;
    // Where the connection is lost the server rolls back by itself.
    await connection.run('rollback').catch(() => undefined);
    throw error;
  }
}

async function copyInto(sql: postgres.Sql, target: Sql, pieces: AsyncIterable<string>): Promise<void> {
  const copying = sql.unsafe(`copy ${target.text} from stdin`);
  // The driver answers with a stream as soon as rows may come. What the server objects to afterwards it gives to this
  // function of the query alone, which has no effect any more: the end of the stream would be waited for without end.
  const failed = new Promise<never>((_resolve, reject) => {
    Object.assign(copying, { reject });
  });
  failed.catch(() => undefined);
  const stream = await Promise.race([copying.writable(), failed]);
  const copied = pipeline(pieces, stream);
  copied.catch(() => undefined);
  try {
    await Promise.race([copied, failed]);
  } catch (error) {
    stream.destroy();
    throw error;
  }
}
