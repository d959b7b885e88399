import type { RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteConnection } from '../../lib/yield-to-event-loop.ts';
import { type Connection, type DroppedConnections, limitPipelining } from './connections.ts';
import { boundSlowReaders, EXEMPT, UNREAD_BOUNDS } from './slow-readers.ts';

/** Maximum header lines of a request. */
const MAX_HEADER_LINES = 1_000;

/** Milliseconds between two checks of all connections. */
const LOOK_INTERVAL = 1_000;

/** Poll interval of {@link allAnswered} in milliseconds. */
const ANSWERED_INTERVAL = 10;

export interface GuardedConnections {
  readonly listener: RequestListener;
  /** Connections dropped so far because their readers were slow. */
  readonly dropped: Readonly<DroppedConnections>;
}

const guarded = new WeakMap<Server, ReadonlySet<Connection>>();

/** Waits until no connection of a guarded server has an unanswered request or an unread response. */
export async function allAnswered(server: Server): Promise<void> {
  while ((guarded.get(server)?.size ?? 0) > 0) await sleep(ANSWERED_INTERVAL);
}

/**
 * Wraps the request listener of an HTTP server: limits the concurrent requests of a connection, drops slow readers, and
 * refuses requests with too many header lines, which Node would truncate.
 *
 * @param networkOf returns the caller network of a response; absent: there is no bound by network
 */
export function guardConnections(
  server: Server,
  listener: RequestListener,
  networkOf: (response: ServerResponse) => string = () => EXEMPT,
  bounds = UNREAD_BOUNDS,
): GuardedConnections {
  const dropped: DroppedConnections = { stalled: 0, network: 0, memory: 0 };
  const { busy, listener: turns } = limitPipelining(listener, dropped);
  const dropSlowReaders = boundSlowReaders(busy, networkOf, dropped, bounds);

  guarded.set(server, busy);
  server.on('connection', noteConnection);
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    timer = setInterval(() => dropSlowReaders(performance.now()), LOOK_INTERVAL).unref();
  });
  server.on('close', () => clearInterval(timer));
  // 0: unlimited. Node would silently drop the lines beyond a limit; their bytes are bounded by maxHeaderSize.
  server.maxHeadersCount = 0;
  return {
    dropped,
    listener(request, response) {
      if (request.rawHeaders.length <= 2 * MAX_HEADER_LINES) return turns(request, response);
      if (request.socket.writableEnded) return;
      // The code that the parser uses for too many bytes.
      const error = Object.assign(new Error('Too many header lines'), { code: 'HPE_HEADER_OVERFLOW' });
      server.emit('clientError', error, request.socket);
    },
  };
}
