import type { RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, type DroppedConnections, limitPipelining } from './connections.ts';
import { boundSlowReaders, EXEMPT, UNREAD_BOUNDS } from './slow-readers.ts';

/** Lines of a request's headers, at most. */
const MAX_HEADER_LINES = 1_000;

/** Milliseconds between two looks at all connections, and requests after which they are looked at in any case. */
const LOOK_INTERVAL = 1_000;
const REQUESTS_BETWEEN_LOOKS = 64;

/** Milliseconds. */
const ANSWERED_INTERVAL = 10;

export interface GuardedConnections {
  readonly listener: RequestListener;
  /** Connections that have been dropped as their readers were slow. */
  readonly dropped: Readonly<DroppedConnections>;
}

const guarded = new WeakMap<Server, ReadonlySet<Connection>>();

/** Waits until no connection of a guarded server has a request that is not answered, or an answer that has not been read. */
export async function allAnswered(server: Server): Promise<void> {
  while ((guarded.get(server)?.size ?? 0) > 0) await sleep(ANSWERED_INTERVAL);
}

/**
 * Puts a guard between an HTTP server and the listener of its requests: a connection gets few of them worked on at a time, its answers have to be read, and what stands in a
 * request's headers is seen whole or not at all.
 *
 * @param networkOf the network of the caller whom a response is for; absent: nobody is bounded by network
 */
export function guardConnections(
  server: Server,
  listener: RequestListener,
  networkOf: (response: ServerResponse) => string = () => EXEMPT,
  bounds = UNREAD_BOUNDS,
): GuardedConnections {
  const dropped: DroppedConnections = { stalled: 0, network: 0, memory: 0 };
  let requests = 0;
  const { busy, listener: turns } = limitPipelining((request, response) => {
    requests += 1;
    if (requests >= REQUESTS_BETWEEN_LOOKS) look();
    listener(request, response);
  }, dropped);
  const dropSlowReaders = boundSlowReaders(busy, networkOf, dropped, bounds);

  function look(): void {
    requests = 0;
    dropSlowReaders(performance.now());
  }

  guarded.set(server, busy);
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    timer = setInterval(look, LOOK_INTERVAL).unref();
  });
  server.on('close', () => clearInterval(timer));
  // Node would drop lines beyond a number of them without a word; their bytes are bounded (maxHeaderSize).
  server.maxHeadersCount = 0;
  return {
    dropped,
    listener(request, response) {
      if (request.rawHeaders.length <= 2 * MAX_HEADER_LINES) return turns(request, response);
      if (request.socket.writableEnded) return;
      // As the parser says it of too many bytes.
      const error = Object.assign(new Error('Too many header lines'), { code: 'HPE_HEADER_OVERFLOW' });
      server.emit('clientError', error, request.socket);
    },
  };
}
