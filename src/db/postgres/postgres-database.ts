import type { Database, Session } from '../database.ts';
import { connectionError } from '../database-errors.ts';
import { openConnection } from './postgres-connection.ts';
import { listenOn } from './postgres-listener.ts';
import { openPool, type PoolOptions } from './postgres-pool.ts';

export interface PostgresOptions extends Omit<PoolOptions, 'refusesStandby'> {
  /** The way past a pooler that lends connections by the transaction, for what needs one of its own; absent: there is none. */
  directUrl?: string | undefined;
}

/** Long work has no deadline, whatever the role or the database would give it. */
const NO_DEADLINE = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' };

/**
 * Opens a pool of connections to a PostgreSQL server (15 or newer). Connections are made when they are first needed, and to
 * a primary alone: what a standby says may be old, after a failover by far.
 */
export function openPostgresDatabase({ directUrl, ...options }: PostgresOptions): Database {
  const pool = openPool({ ...options, isPooled: directUrl !== undefined, refusesStandby: true });
  const url = directUrl ?? options.url;
  return {
    mayWrite: pool.mayWrite,
    query: pool.query,
    transaction: pool.transaction,
    poolFigures: pool.figures,
    kind: 'server',
    session: (work) => runSession(url, work),
    listen: (channel, notified) => listenOn(url, channel, notified),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function runSession<Result>(url: string, work: (session: Session) => Promise<Result>): Promise<Result> {
  const connection = openConnection({ url, settings: NO_DEADLINE, refusesStandby: true });
  try {
    return await work(connection);
  } catch (error) {
    // Whatever came of it: that the connection was lost is the reason.
    if (!connection.lost || error === connection.lost) throw error;
    throw Object.assign(connectionError('CONNECTION_CLOSED', 'The connection was lost'), { cause: error });
  } finally {
    await connection.end();
  }
}
