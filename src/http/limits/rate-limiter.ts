import { LRUCache } from 'lru-cache';
import { type ApiError, tryAgain } from '../../entities/api-error.ts';

/** The remaining quota of a key. */
export interface Quota {
  remaining: number;
  /** Seconds until at least that many more are allowed again. */
  seconds: number;
}

/** Counts requests per key, and refuses those above the limit. */
export interface RateLimiter {
  /** Counts one request of the key. @throws ApiError `TOO_MANY_REQUESTS` above the limit, without counting it */
  take(key: string): Quota;
  /** Checks whether one more request of the key is allowed. @throws ApiError `TOO_MANY_REQUESTS` */
  check(key: string): void;
  /** Reverts the count of one request of the key. */
  forgive(key: string): void;
}

/** Milliseconds. */
const WINDOW = 60_000;

/** Maximum of keys within a window; beyond it the least recently counted one is evicted. */
const MAX_KEYS = 100_000;

/**
 * Allows `limit` requests a minute per key, by a sliding window: the count of this minute, and of the last one the
 * share that is less than a minute old. Refused requests are not counted.
 *
 * @param now returns the time in milliseconds
 */
export function createRateLimiter(limit: number, now: () => number = Date.now): RateLimiter {
  let window = 0;
  let current = newCounts();
  let previous = current;

  /** Starts a new window when one is due. @returns the time in milliseconds */
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

  /** Returns the key's count in this window and its quota after one more request. @throws ApiError `TOO_MANY_REQUESTS` */
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
    check: (key) => void checked(key),
    forgive(key) {
      turn();
      current.set(key, Math.max(0, (current.peek(key) ?? 0) - 1));
    },
  };
}

/** Bounded by size, as a bound by number (`max`) would allocate memory for all keys up front. */
function newCounts(): LRUCache<string, number> {
  return new LRUCache({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
}

function tooMany(seconds: number): ApiError {
  return tryAgain('TOO_MANY_REQUESTS', `Too many requests: try again in ${seconds} s.`, seconds);
}
