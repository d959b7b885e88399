import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { removeFrom } from '../../lib/remove-from.ts';
import { whenOver } from './response-over.ts';

/** Connections that have been dropped, by the bound that did it. */
export type DroppedConnections = Record<'stalled' | 'network' | 'memory', number>;

/** A connection, and what becomes of its requests. */
export interface Connection {
  readonly socket: Socket;
  /** The responses of requests that are worked on, or whose answers are on their way. */
  readonly begun: ServerResponse[];
  /** Requests that nobody has looked at, in order. */
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

interface OwnConnection extends Connection {
  /** Whether what comes is no request any more: one before it was the last. */
  isOver: boolean;
  isPaused: boolean;
}

export interface Connections {
  /** Those that have requests, of which not all are answered. */
  readonly busy: ReadonlySet<Connection>;
  readonly listener: RequestListener;
}

/** Requests of one connection that are worked on at a time. */
const MAX_AT_ONCE = 4;

/** So many may wait before no more is read from their connection, but for what has been read already. With fewer it is noticed when the client closes it. */
const MAX_WAITING = 16;

/** So many may wait on all connections before those that have more than their share are dropped. Each takes a few kilobytes. */
const MAX_WAITING_OF_ALL = 10_000;

/**
 * Hands the requests of a connection to the listener a few at a time, and the next one when an answer is over. Whoever sends many without
 * reading the answers (pipelining: RFC 9112, section 9.3.2) lets nobody work on them. Those that wait are forgotten when the connection is closed.
 *
 * Nothing behind the last request of a connection is one: not behind `Connection: close` (section 9.6), and not behind `Upgrade`, where the parser
 * skips the rest of what has arrived and takes what comes after that for the beginning of a request.
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
    // Node goes on reading by itself, for the sake of a request's body above all.
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
    // In a turn of the event loop of its own: the system may take answer after answer at once, and other connections would wait.
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

/** Not behind an answer that is on its way: its reader may be slow, and it may be the last one. */
function mayBegin(begun: readonly ServerResponse[]): boolean {
  if (begun.length >= MAX_AT_ONCE) return false;
  return !begun.some(({ headersSent }) => headersSent);
}

/** Whether the last answer of a connection has been sent, or it is gone. */
function isClosing(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}
