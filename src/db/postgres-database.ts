import postgres from 'postgres';
import type { Sql } from 'sql-template-tag';
import type { Database } from './database.ts';

export interface PostgresOptions {
  /** A connection string, `postgres://user:password@host:port/database`. */
  url: string;
  /** Connections that are kept at most. */
  maxConnections: number;
}

type Session = Pick<postgres.Sql, 'unsafe'>;

/**
 * Statements are prepared once a connection and sent without waiting for the answers of earlier ones (pipelining);
 * `unsafe` is the driver's word for a statement whose text is ready: its values travel apart as parameters.
 */
async function query<Row extends object>(session: Session, statement: Sql): Promise<Row[]> {
  const values = statement.values as postgres.ParameterOrJSON<never>[];
  return (await session.unsafe(statement.text, values, { prepare: true })) as unknown as Row[];
}

/** Opens a pool of connections to a PostgreSQL server (15 or newer). Connections are made when they are first needed. */
export function openPostgresDatabase(options: PostgresOptions): Database {
  const sql = postgres(options.url, {
    max: options.maxConnections,
    // Seconds.
    connect_timeout: 10,
    connection: { application_name: 'orgdesk' },
    // The statements cast what the drivers would disagree about: no list of types has to be fetched.
    fetch_types: false,
    onnotice: () => undefined,
  });
  return {
    kind: 'server',
    query: (statement) => query(sql, statement),
    transaction: async (work) => {
      const result = await sql.begin(async (session) => ({
        value: await work({
          query: (statement) => query(session, statement),
          run: async (script) => void (await session.unsafe(script).simple()),
        }),
      }));
      return result.value;
    },
    async listen(channel, notified) {
      // The driver listens again by itself after a lost connection, and calls the second callback each time it has.
      const listening = await sql.listen(channel, notified, notified);
      return { [Symbol.asyncDispose]: () => listening.unlisten() };
    },
    [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }),
  };
}
