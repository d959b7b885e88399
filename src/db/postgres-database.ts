import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import type { Sql } from 'sql-template-tag';
import type { Database, Session, Transactor } from './database.ts';

export interface PostgresOptions {
  /** A connection string, `postgres://user:password@host:port/database`. */
  url: string;
  /** Connections that are kept at most. */
  maxConnections: number;
}

/**
 * Statements are prepared once a connection and sent without waiting for the answers of earlier ones (pipelining);
 * `unsafe` is the driver's word for a statement whose text is ready: its values travel apart as parameters.
 */
async function query<Row extends object>(connection: Pick<postgres.Sql, 'unsafe'>, statement: Sql): Promise<Row[]> {
  const values = statement.values as postgres.ParameterOrJSON<never>[];
  return (await connection.unsafe(statement.text, values, { prepare: true })) as unknown as Row[];
}

/** Opens a pool of connections to a PostgreSQL server (15 or newer). Connections are made when they are first needed. */
export function openPostgresDatabase({ url, maxConnections }: PostgresOptions): Database {
  const sql = connect(url, { max: maxConnections });
  return {
    ...transactorOn(sql),
    kind: 'server',
    session: (work) => runSession(url, work),
    async listen(channel, notified) {
      // The driver listens again by itself after a lost connection, and calls the second callback each time it has.
      const listening = await sql.listen(channel, notified, notified);
      return { [Symbol.asyncDispose]: () => listening.unlisten() };
    },
    [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }),
  };
}

function connect(url: string, options: postgres.Options<Record<string, never>>): postgres.Sql {
  return postgres(url, {
    // Seconds.
    connect_timeout: 10,
    connection: { application_name: 'orgdesk' },
    // The statements cast what the drivers would disagree about: no list of types has to be fetched.
    fetch_types: false,
    onnotice: () => undefined,
    ...options,
  });
}

function transactorOn(sql: postgres.Sql): Transactor {
  return {
    query: (statement) => query(sql, statement),
    transaction: async (work) => {
      const result = await sql.begin(async (transaction) => ({
        value: await work({
          query: (statement) => query(transaction, statement),
          run: async (script) => void (await transaction.unsafe(script).simple()),
        }),
      }));
      return result.value;
    },
  };
}

async function runSession<Result>(url: string, work: (session: Session) => Promise<Result>): Promise<Result> {
  let lost = false;
  // One connection, which is never replaced by a fresh one because of its age.
  const onclose = () => {
    lost = true;
  };
  const sql = connect(url, { max: 1, max_lifetime: null, onclose });
  try {
    return await work({
      ...transactorOn(sql),
      copyInto: (target, pieces) => copyInto(sql, target, pieces),
    });
  } catch (error) {
    // The driver connects anew by itself, to a session without the temporary tables: that they are missing is not the reason.
    if (lost)
      throw Object.assign(new Error('The connection was lost', { cause: error }), { code: 'CONNECTION_CLOSED' });
    throw error;
  } finally {
    await sql.end({ timeout: 5 });
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
