import type { Database, Session } from './database.ts';
import { connectionError } from './database-errors.ts';
import { openConnection } from './postgres-connection.ts';
import { listenOn } from './postgres-listener.ts';
import { openPool, type PoolOptions } from './postgres-pool.ts';

/**
 * Opens a pool of connections to a PostgreSQL server (15 or newer). Connections are made when they are first needed, and to
 * a primary alone: what a standby says may be old, after a failover by far.
 */
export function openPostgresDatabase(options: Omit<PoolOptions, 'refusesStandby'>): Database {
  const pool = openPool({ ...options, refusesStandby: true });
  return {
    query: pool.query,
    transaction: pool.transaction,
    poolFigures: pool.figures,
    kind: 'server',
    session: (work) => runSession(options.url, work),
    listen: (channel, notified) => listenOn(options.url, channel, notified),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

async function runSession<Result>(url: string, work: (session: Session) => Promise<Result>): Promise<Result> {
  const connection = openConnection({ url, refusesStandby: true });
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
