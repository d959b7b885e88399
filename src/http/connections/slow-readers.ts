import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, DroppedConnections } from './connections.ts';

/** Bounds on responses that their clients do not read. */
export interface UnreadBounds {
  /** Milliseconds without progress after which a connection is dropped. */
  stalled: number;
  /** Maximum of stalled connections per caller network, and the milliseconds without progress after which one counts as stalled. */
  ofOneNetwork: number;
  countedAfter: number;
  /** Maximum bytes that all connections together keep in memory. */
  bytes: number;
}

export const UNREAD_BOUNDS: UnreadBounds = {
  stalled: 30_000,
  ofOneNetwork: 100,
  countedAfter: 5_000,
  bytes: 64 * 1024 * 1024,
};

/** The network of callers that no limit applies to. */
export const EXEMPT = '';

/** Approximate bytes of a request until it is answered: Node's objects and its headers. */
const REQUEST_BYTES = 4 * 1024;

const withSharedBody = new WeakSet<ServerResponse>();

/** Marks a response whose body is shared with others: it takes no memory of its own while its reader is slow. */
export function sharesItsBody(response: ServerResponse): void {
  withSharedBody.add(response);
}

/** A busy connection and its progress. */
interface Wait {
  connection: Connection;
  /** Bytes that the operating system has taken so far, and the time since which it has taken no more. */
  taken: number;
  since: number;
  /** Bytes in memory. */
  bytes: number;
}

/**
 * Drops connections with slow readers: those without progress for too long, those beyond the bound of a caller network,
 * and the longest stalled ones while all together take too much memory.
 *
 * @param networkOf returns the caller network of a response; {@link EXEMPT}: no bound by network
 * @param dropped counts the dropped connections
 * @returns a function that checks all connections at a time in milliseconds
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
    // A dropped connection stays busy until its close event.
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

/** Returns the bytes of a connection's responses that the operating system has not taken yet. */
function unreadBytes({ begun }: Connection): number {
  let bytes = 0;
  for (const response of begun) bytes += response.writableLength;
  return bytes;
}

/** Returns the bytes that the requests and responses of a connection keep in memory. */
function bytesInMemory({ begun, waiting }: Connection): number {
  let bytes = (begun.length + waiting.length) * REQUEST_BYTES;
  for (const response of begun) if (!withSharedBody.has(response)) bytes += response.writableLength;
  return bytes;
}

/**
 * Returns the bytes written to a socket that the operating system has taken. The public API tells only whether a write,
 * possibly of megabytes, is complete; Node's own timeouts read these internal properties too.
 */
function bytesTaken(socket: Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
