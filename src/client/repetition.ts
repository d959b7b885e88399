import { ApiError } from './api-error.ts';

/** Seconds that are waited at most before a request is sent again. A longer `Retry-After` is for the caller to wait for. */
const MAX_PAUSE = 60;
const FIRST_PAUSE = 0.25;
const MAX_GUESS = 8;

/** Changes that the service promises to do once, however often they are sent. */
const DONE_ONCE = /^\/api\/[\w-]+\/(?:list|profile|update|update-profile|grant-role|revoke-role|revoke|record|skip)$/;

/**
 * Whether a POST may be sent again where nobody knows if it was done. A create is known again by the id that it brings; of a change with
 * `If-Match` the second one would be refused, as if somebody else had made the first.
 */
export function isRepeatable(path: string, body: object | undefined, ifMatch: string | undefined): boolean {
  if (ifMatch !== undefined) return false;
  return DONE_ONCE.test(path) || (path.endsWith('/create') && body !== undefined && 'id' in body);
}

/**
 * Seconds to wait before a request that failed is sent again; undefined where that would not help, or might do something twice.
 *
 * @param attempts that have failed so far
 */
export function pauseBefore(error: unknown, attempts: number, repeatable: boolean): number | undefined {
  const guess = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), MAX_GUESS) * (0.5 + Math.random() / 2);
  // No answer came, or none that is whole: `fetch` says so by a TypeError.
  if (error instanceof TypeError) return repeatable ? guess : undefined;
  if (!(error instanceof ApiError)) return undefined;
  const { status, code, retryAfter = guess } = error;
  const isNotBegun = status === 429 || code === 'OVERLOADED' || code === 'DISK_FULL';
  const isPassing = isNotBegun || (repeatable && (status === 502 || status === 503 || status === 504));
  if (!isPassing || retryAfter > MAX_PAUSE) return undefined;
  // A little later than the others who were told the same.
  return retryAfter + Math.random() / 4;
}

/** Waits. Rejects with the signal's reason as soon as it is aborted. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', end, { once: true });
  });
}
