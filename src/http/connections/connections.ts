import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { removeFrom } from '../../lib/remove-from.ts';
import { whenOver } from './response-over.ts';

/** Connections dropped so far, by the bound that was exceeded. */
export type DroppedConnections = Record<'stalled' | 'network' | 'memory', number>;

/** A connection and its unfinished requests. */
export interface Connection {
  readonly socket: Socket;
  /** Responses of requests in progress, including those still being sent. */
  readonly begun: ServerResponse[];
  /** Queued requests, in order. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

interface OwnConnection extends Connection {
  /** Whether the last request has arrived: anything after it is ignored. */
  isOver: boolean;
  isPaused: boolean;
}

export interface Connections {
  /** Connections with unanswered requests. */
  readonly busy: ReadonlySet<Connection>;
  readonly listener: RequestListener;
}

/** Concurrent requests per connection. */
const MAX_CONCURRENT = 4;

/** Queued requests per connection before reading pauses. With fewer, reading goes on and notices when the client closes it. */
const MAX_WAITING = 16;

/** Queued requests of all connections beyond which those with a full queue are dropped. Each takes a few kilobytes. */
const MAX_WAITING_OF_ALL = 10_000;

/**
 * Limits pipelining (RFC 9112, section 9.3.2): passes a few requests of a connection to the listener, and the next one when
 * a response is over. A client that does not read its responses gets no further ones made; a closed connection's queue is dropped.
 *
 * Data after the last request of a connection is no request: after `Connection: close` (section 9.6), and after `Upgrade`,
 * where the parser skips the rest of the received chunk and would parse what follows as a request.
 */
export function limitPipelining(listener: RequestListener, dropped: DroppedConnections): Connections {
  const connections = new WeakMap<Socket, OwnConnection>();
  const busy = new Set<Connection>();
  let waitingOfAll = 0;

  function connectionOf(socket: Socket): OwnConnection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: OwnConnection = { socket, begun: [], waiting: [], isOver: false, isPaused: false };
    connections.set(socket, connection);
    // Node resumes a socket by itself, above all to read the body of a request.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause();
    });
    return connection;
  }

  function begin({ begun }: Connection, request: IncomingMessage, response: ServerResponse): void {
    begun.push(response);
    listener(request, response);
  }

  function end(connection: OwnConnection, response: ServerResponse): void {
    removeFrom(connection.begun, response);
    // Yields to the event loop: the system may take response after response at once, and other connections would starve.
    if (connection.waiting.length > 0) setImmediate(resume, connection);
    else if (connection.begun.length === 0) busy.delete(connection);
  }

  function resume(connection: OwnConnection): void {
    const { socket, begun, waiting } = connection;
    if (isClosing(socket)) waitingOfAll -= waiting.splice(0).length;
    while (waiting.length > 0 && mayBegin(begun)) {
      const [next] = waiting.splice(0, 1);
      waitingOfAll -= 1;
      if (next !== undefined) begin(connection, ...next);
    }
    if (connection.isPaused && waiting.length < MAX_WAITING) {
      connection.isPaused = false;
      socket.resume();
    }
    if (begun.length === 0) busy.delete(connection);
  }

  return {
    busy,
    listener(request, response) {
      const { socket } = request;
      const connection = connectionOf(socket);
      if (connection.isOver || isClosing(socket)) return;
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      if (!response.shouldKeepAlive) connection.isOver = true;
      const { begun, waiting } = connection;
      busy.add(connection);
      whenOver(response, () => end(connection, response));
      if (waiting.length === 0 && mayBegin(begun)) {
        begin(connection, request, response);
        return;
      }
      waiting.push([request, response]);
      waitingOfAll += 1;
      if (waiting.length < MAX_WAITING) return;
      if (waitingOfAll > MAX_WAITING_OF_ALL) {
        dropped.memory += 1;
        socket.destroy();
      } else if (!connection.isPaused) {
        connection.isPaused = true;
        socket.pause();
      }
    },
  };
}

/** Returns whether a request may start: not while a response is being sent, as its reader may be slow and it may be the last. */
function mayBegin(begun: readonly ServerResponse[]): boolean {
  if (begun.length >= MAX_CONCURRENT) return false;
  return !begun.some(({ headersSent }) => headersSent);
}

/** Returns whether the last response of a connection has been sent, or the connection is gone. */
function isClosing(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}
