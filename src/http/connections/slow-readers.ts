import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, DroppedConnections } from './connections.ts';

/** Bounds on responses that their clients do not read. */
export interface UnreadBounds {
  /** Milliseconds without progress after which a connection is dropped. */
  stalled: number;
  /** Milliseconds without progress after which a connection counts for the maximum of its network and of all. */
  countedAfter: number;
  ofOneNetwork: number;
  ofAll: number;
}

export const UNREAD_BOUNDS: UnreadBounds = { stalled: 30_000, countedAfter: 5_000, ofOneNetwork: 100, ofAll: 1_000 };

/** The network of callers that no limit applies to. */
export const EXEMPT = '';

/**
 * Drops connections with slow readers: those without progress for too long, and those beyond a maximum of connections
 * without progress.
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
  /** For each connection the bytes taken by the operating system, and the time since which it has taken no more. */
  let progress = new Map<Connection, { taken: number; since: number }>();

  function excess(response: ServerResponse, standing: Map<string, number>): keyof DroppedConnections | undefined {
    const countOf = (network: string) => {
      const count = (standing.get(network) ?? 0) + 1;
      standing.set(network, count);
      return count;
    };
    const network = networkOf(response);
    if (network !== EXEMPT && countOf(network) > bounds.ofOneNetwork) return 'network';
    return countOf('all') > bounds.ofAll ? 'memory' : undefined;
  }

  return (now) => {
    const before = progress;
    const standing = new Map<string, number>();
    progress = new Map();
    for (const connection of busy) {
      const { socket, begun } = connection;
      // A dropped connection stays busy until its close event.
      if (socket.destroyed) continue;
      const unread = begun.find(({ writableLength }) => writableLength > 0);
      const [taken, last] = [bytesTaken(socket), before.get(connection)];
      const since = unread !== undefined && last?.taken === taken ? last.since : now;
      progress.set(connection, { taken, since });
      if (unread === undefined || now - since < bounds.countedAfter) continue;
      const reason = now - since >= bounds.stalled ? 'stalled' : excess(unread, standing);
      if (reason === undefined) continue;
      dropped[reason] += 1;
      socket.destroy();
    }
  };
}

/**
 * Returns the bytes written to a socket that the operating system has taken. The public API tells only whether a write,
 * possibly of megabytes, is complete; Node's own timeouts read these internal properties too.
 */
function bytesTaken(socket: Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null }): number {
  const { _handle: handle } = socket;
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
