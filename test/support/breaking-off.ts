import { connect, type Socket } from 'node:net';

/** What clients do that break off. */
export interface BreakingOff {
  port: number;
  connections: number;
  /** How many are broken off at least, and for how long it goes on in any case. */
  number?: number;
  seconds?: number;
  /** Requests as text, any of which is sent at any time. */
  requests: readonly string[];
  /** A number from 0 to below 1, another each time. */
  random: () => number;
}

/** Requests that are sent ahead on a connection, at most. */
const MAX_AHEAD = 8;
/** Milliseconds, and bytes, within which a connection is broken off. */
const LONGEST = 300;
const MAX_BYTES = 4_000_000;

const WAYS = ['destroy', 'resetAndDestroy', 'destroySoon'] as const;

/**
 * Keeps so many connections open, each of which sends a few requests, reads some of the answers or none, and is broken off at a random moment, in one way or another;
 * another one takes its place.
 *
 * @returns how many have been broken off
 */
export async function breakOff(options: BreakingOff): Promise<number> {
  const { port, connections, number = 0, seconds = 0, requests, random } = options;
  const end = performance.now() + seconds * 1000;
  const upTo = (number: number) => Math.floor(random() * number);
  let brokenOff = 0;

  function oneConnection(): Promise<void> {
    const text = Array.from({ length: 1 + upTo(MAX_AHEAD) }, () => requests[upTo(requests.length)]).join('');
    const bytes = random() < 0.3 ? 0 : upTo(MAX_BYTES);
    const way = WAYS[upTo(WAYS.length)] ?? 'destroy';
    return new Promise((resolve) => {
      const socket: Socket = connect(port, '127.0.0.1');
      const breakIt = () => (socket.connecting ? socket.destroy() : socket[way]());
      const timer = setTimeout(breakIt, upTo(LONGEST));
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          clearTimeout(timer);
          brokenOff += 1;
          resolve();
        });
      socket.write(text);
      if (bytes > 0) {
        socket.on('data', () => {
          if (socket.bytesRead >= bytes) breakIt();
        });
      }
    });
  }

  async function oneClient(): Promise<void> {
    while (brokenOff < number || performance.now() < end) await oneConnection();
  }
  await Promise.all(Array.from({ length: connections }, oneClient));
  return brokenOff;
}

/** Numbers that are the same each time for a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
