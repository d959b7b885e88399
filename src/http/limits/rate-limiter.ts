import { LRUCache } from 'lru-cache';
import { ApiError } from '../../entities/api-error.ts';

/** What a key is allowed still. */
export interface Quota {
  remaining: number;
  /** Seconds after which it is allowed so many more at least. */
  seconds: number;
}

/** Counts what a caller does, and says when it is too much. */
export interface RateLimiter {
  /** Counts one more for the key, unless that would be too many. @throws ApiError `TOO_MANY_REQUESTS` where it is */
  take(key: string): Quota;
  /** Counts what another process has allowed the key, also where that is too much; less than 0 takes back what was counted. */
  add(key: string, count: number): void;
}

/** Milliseconds. */
const WINDOW = 60_000;

/** So many keys are counted at most within a window; then the one that has not been counted for the longest time is forgotten. */
const MAX_KEYS = 100_000;

/**
 * Allows `limit` a minute for each key: what was counted in this minute, and of the last one the share that lies less
 * than a minute back. What is refused is not counted.
 *
 * @param now the time in milliseconds
 */
export function createRateLimiter(limit: number, now: () => number = Date.now): RateLimiter {
  let window = 0;
  let current = newCounts();
  let previous = current;

  /** Begins a new window when it is time, and gives the time. */
  function turn(): number {
    const time = now();
    const number = Math.floor(time / WINDOW);
    if (number !== window) {
      previous = number === window + 1 ? current : newCounts();
      current = newCounts();
      window = number;
    }
    return time;
  }

  /** What was counted for the key in this window, and what is left of it. */
  function checked(key: string): { count: number; quota: Quota } {
    const time = turn();
    const count = current.peek(key) ?? 0;
    const before = previous.peek(key) ?? 0;
    const elapsed = (time % WINDOW) / WINDOW;
    const left = limit - before * (1 - elapsed) - count - 1;
    const seconds = Math.ceil(((1 - elapsed) * WINDOW) / 1000);
    if (left >= 0) return { count, quota: { remaining: Math.floor(left), seconds } };
    throw tooMany(secondsUntilAllowed(before, count, elapsed));
  }

  function secondsUntilAllowed(before: number, count: number, elapsed: number): number {
    const share = (counted: number, room: number) => 1 - Math.max(room, 0) / Math.max(counted, 1);
    const windows =
      count + 1 <= limit ? share(before, limit - count - 1) - elapsed : 1 - elapsed + share(count, limit - 1);
    return Math.max(1, Math.ceil((windows * WINDOW) / 1000));
  }

  return {
    take(key) {
      const { count, quota } = checked(key);
      current.set(key, count + 1);
      return quota;
    },
    add(key, count) {
      turn();
      current.set(key, Math.max(0, (current.peek(key) ?? 0) + count));
    },
  };
}

/** By size, as by number the cache would set aside memory for all keys at once. */
function newCounts(): LRUCache<string, number> {
  return new LRUCache({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
}

function tooMany(seconds: number): ApiError {
  return new ApiError('TOO_MANY_REQUESTS', `Too many requests: try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
