import { connectionError } from '../database-errors.ts';
import { type ConnectionOptions, openConnection, type PostgresConnection } from './postgres-connection.ts';

/** Interval of heartbeats on an idle connection. */
const HEARTBEAT_MS = 3_000;
/** Timeout of a heartbeat. */
const DEADLINE_MS = 2_000;
/** Pause before the next attempt to reconnect. */
const RETRY_MS = 500;

/**
 * Listens on a channel until disposed, and reconnects after a loss, including a silent one. Calls `notified` after each connect, as
 * notifications in between are lost.
 *
 * @throws if the first connection fails
 */
export async function listenOn(
  server: Pick<ConnectionOptions, 'url' | 'connectTimeout'>,
  channel: string,
  notified: () => void,
): Promise<AsyncDisposable> {
  let isOver = false;
  let wake = () => {};

  async function connectAndListen(timeout = DEADLINE_MS): Promise<PostgresConnection> {
    const connection = openConnection({ ...server, onNotification: notified, onLost: () => wake() });
    await listen(connection, timeout);
    notified();
    return connection;
  }

  /** LISTEN is idempotent, and so serves as heartbeat too. */
  async function listen(connection: PostgresConnection, timeout = DEADLINE_MS): Promise<void> {
    const late = () => connection.drop(connectionError('DATABASE_TIMEOUT', 'The database did not answer in time'));
    const timer = setTimeout(late, timeout);
    try {
      await connection.run(`listen "${channel}"`);
    } catch (error) {
      connection.drop(connectionError('CONNECTION_CLOSED', 'The channel could not be listened on'));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function delay(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  // At first there is no older connection that may have to be replaced soon.
  let connection = await connectAndListen(server.connectTimeout);
  async function resume(): Promise<void> {
    while (!isOver) {
      if (!connection.lost) await delay(HEARTBEAT_MS);
      if (isOver) return;
      try {
        if (connection.lost) connection = await connectAndListen();
        else await listen(connection);
      } catch {
        await delay(RETRY_MS);
      }
    }
  }
  const going = resume();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      wake();
      connection.drop(connectionError('CONNECTION_CLOSED', 'Nobody listens any more'));
      await going;
      connection.drop(connectionError('CONNECTION_CLOSED', 'Nobody listens any more'));
    },
  };
}
