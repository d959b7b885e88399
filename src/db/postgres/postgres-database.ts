import type { Database, Session } from '../database.ts';
import { connectionError } from '../database-errors.ts';
import { type ConnectionOptions, openConnection } from './postgres-connection.ts';
import { listenOn } from './postgres-listener.ts';
import { openPool, type PoolOptions } from './postgres-pool.ts';

export interface PostgresOptions extends Omit<PoolOptions, 'refusesStandby'> {
  /** Address that bypasses a transaction pooler, for sessions and notifications; absent: there is no pooler. */
  directUrl?: string | undefined;
}

/** Overrides timeouts that the role or the database may define, for long work. */
const NO_DEADLINE = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' };

/**
 * Opens a pool of connections to a PostgreSQL server (15 or newer). Connections open on demand, and only to a primary: a standby may be far
 * behind after a failover.
 */
export function openPostgresDatabase({ directUrl, ...options }: PostgresOptions): Database {
  const pool = openPool({ ...options, isPooled: directUrl !== undefined, refusesStandby: true });
  const { connectTimeout } = options;
  const direct = { url: directUrl ?? options.url, connectTimeout };
  return {
    mayWrite: pool.mayWrite,
    query: pool.query,
    transaction: pool.transaction,
    poolFigures: pool.figures,
    kind: 'server',
    session: (work) => runSession(direct, work),
    listen: (channel, notified) => listenOn(direct, channel, notified),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function runSession<Result>(
  server: Pick<ConnectionOptions, 'url' | 'connectTimeout'>,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const connection = openConnection({ ...server, settings: NO_DEADLINE, refusesStandby: true });
  try {
    return await work(connection);
  } catch (error) {
    // The loss of the connection is the root cause of any later error.
    if (!connection.lost || error === connection.lost) throw error;
    throw Object.assign(connectionError('CONNECTION_CLOSED', 'The connection was lost'), { cause: error });
  } finally {
    await connection.end();
  }
}
