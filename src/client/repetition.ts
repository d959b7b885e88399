import { ApiError } from './api-error.ts';

/** Maximum pause before a retry, in seconds. A longer `Retry-After` is left to the caller. */
const MAX_PAUSE = 60;
const FIRST_PAUSE = 0.25;
const MAX_GUESS = 8;

/** Returns a new idempotency key. `crypto.randomUUID` is missing in pages without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the pause before a retry, in seconds; undefined if a retry is useless or unsafe. @param attempts number of failed attempts */
export function pauseBefore(error: unknown, attempts: number, repeatable: boolean): number | undefined {
  const guess = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), MAX_GUESS) * (0.5 + Math.random() / 2);
  if (!(error instanceof ApiError)) return repeatable && isWithoutAnswer(error) ? guess : undefined;
  const { status, code, retryAfter = guess } = error;
  const isNotBegun =
    status === 429 || code === 'OVERLOADED' || code === 'DISK_FULL' || code === 'IDEMPOTENCY_KEY_IN_USE';
  const isUnknown = status < 300 || status === 502 || status === 503 || status === 504;
  if (!(isNotBegun || (repeatable && isUnknown)) || retryAfter > MAX_PAUSE) return undefined;
  // Jitter: other clients got the same `Retry-After`.
  return retryAfter + Math.random() / 4;
}

/** Returns whether there is no answer, or none within the time limit: `fetch` rejects with a TypeError if it is missing or incomplete. */
function isWithoutAnswer(error: unknown): boolean {
  if (error instanceof TypeError) return !isRedirect(error);
  return error instanceof Error && error.name === 'TimeoutError';
}

/** Returns whether a write was answered by a redirect, which is not followed. */
export function isRedirect({ message, cause }: Error): boolean {
  return /redirect/i.test(`${message} ${cause instanceof Error ? cause.message : ''}`);
}

/** Resolves after a pause; rejects with the signal's reason as soon as it is aborted. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return within(
    signal,
    (given) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, seconds * 1000);
        given.addEventListener('abort', () => clearTimeout(timer), { once: true });
      }),
  );
}

/**
 * Rejects as soon as the signal is aborted or the time is over, whether or not the work heeds the signal that it is given.
 *
 * @param milliseconds absent: no limit
 */
export async function within<Result>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
  milliseconds?: number,
): Promise<Result> {
  if (signal?.aborted) throw signal.reason;
  const own = new AbortController();
  const end = () => own.abort(signal?.reason);
  const late = () => own.abort(new DOMException(`No answer within ${milliseconds} ms`, 'TimeoutError'));
  const timer = milliseconds === undefined ? undefined : setTimeout(late, milliseconds);
  signal?.addEventListener('abort', end, { once: true });
  const over = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(own.signal), over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
