import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, DroppedConnections } from './connections.ts';

/** How much may wait for those who do not read it. */
export interface UnreadBounds {
  /** Milliseconds without progress after which an answer is dropped. */
  stalled: number;
  /** Connections of one caller network whose answers stand still, at most; and the milliseconds from which on they count. */
  ofOneNetwork: number;
  countedAfter: number;
  /** Bytes that all readers together may keep in memory. */
  bytes: number;
}

export const UNREAD_BOUNDS: UnreadBounds = {
  stalled: 30_000,
  ofOneNetwork: 100,
  countedAfter: 5_000,
  bytes: 64 * 1024 * 1024,
};

/** Stands for the network of callers that are not counted. */
export const EXEMPT = '';

/** Bytes that a request takes until it is answered, roughly: Node's objects and its headers. */
const REQUEST_BYTES = 4 * 1024;

const withSharedBody = new WeakSet<ServerResponse>();

/** Says that the body of a response is shared by all who ask for it: it takes no memory of its own while its reader is slow. */
export function sharesItsBody(response: ServerResponse): void {
  withSharedBody.add(response);
}

/** A connection whose answer waits for its reader. */
interface Wait {
  connection: Connection;
  /** Bytes that the system has taken so far, and since when it has not taken more. */
  taken: number;
  since: number;
  /** In memory. */
  bytes: number;
}

/**
 * Cuts connections whose readers are slow: one that makes no progress, those of a caller network that has too many of them, and where all
 * together take too much memory those that have stood still the longest.
 *
 * @param networkOf the network of the caller whom a response is for; {@link EXEMPT}: not bounded by network
 * @param dropped counts them
 * @returns looks at all connections, at a time in milliseconds
 */
export function boundSlowReaders(
  busy: ReadonlySet<Connection>,
  networkOf: (response: ServerResponse) => string,
  dropped: DroppedConnections,
  bounds: UnreadBounds,
): (now: number) => void {
  let waits = new Map<Connection, Wait>();

  function waitOf(connection: Connection, now: number): Wait {
    const before = waits.get(connection);
    const taken = bytesTaken(connection.socket);
    const isStill = before?.taken === taken && unreadBytes(connection) > 0;
    return { connection, taken, since: isStill ? before.since : now, bytes: bytesInMemory(connection) };
  }

  function networkOfWait({ connection, since }: Wait, now: number): string {
    const [response] = connection.begun;
    return response === undefined || now - since < bounds.countedAfter ? EXEMPT : networkOf(response);
  }

  return (now) => {
    // One that has been dropped is busy until the system says that it is closed.
    const open = [...busy].filter(({ socket }) => !socket.destroyed);
    waits = new Map(open.map((connection) => [connection, waitOf(connection, now)]));
    let bytes = 0;
    const counts = new Map<string, number>();
    for (const wait of waits.values()) {
      bytes += wait.bytes;
      const network = networkOfWait(wait, now);
      if (network !== EXEMPT) counts.set(network, (counts.get(network) ?? 0) + 1);
    }
    const oldestFirst = [...waits.values()].sort((one, other) => one.since - other.since);
    for (const wait of oldestFirst) {
      const network = networkOfWait(wait, now);
      const count = counts.get(network) ?? 0;
      if (now - wait.since >= bounds.stalled) dropped.stalled += 1;
      else if (count > bounds.ofOneNetwork) dropped.network += 1;
      else if (bytes > bounds.bytes) dropped.memory += 1;
      else continue;
      counts.set(network, count - 1);
      bytes -= wait.bytes;
      wait.connection.socket.destroy();
    }
  };
}

/** Bytes of a connection's answers that the system has not taken. */
function unreadBytes({ begun }: Connection): number {
  let bytes = 0;
  for (const response of begun) bytes += response.writableLength;
  return bytes;
}

/** Bytes that the requests and answers of a connection keep in memory. */
function bytesInMemory({ begun, waiting }: Connection): number {
  let bytes = (begun.length + waiting.length) * REQUEST_BYTES;
  for (const response of begun) if (!withSharedBody.has(response)) bytes += response.writableLength;
  return bytes;
}

/**
 * Bytes that the system has taken of those written to a socket. What Node says in public of a write, which may be of megabytes, says that it is
 * done or that it is not; its own time limits look at the same properties, which have no public name.
 */
function bytesTaken(socket: Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
