import { ApiError } from './api-error.ts';

/** Maximum pause before a retry, in seconds. A longer `Retry-After` is left to the caller. */
const MAX_PAUSE = 60;
const FIRST_PAUSE = 0.25;
const MAX_GUESS = 8;

/** Writes that the service guarantees to be idempotent. */
const DONE_ONCE =
  /^\/api\/[\w-]+\/(?:list|profile|update|update-profile|grant-role|revoke-role|revoke|record|skip|evaluate|check|set-substitute)$/;

/** Returns whether a POST adds rows: done twice, it would add them twice. */
export function isCreate(path: string): boolean {
  return /\/(?:create|save)$/.test(path);
}

/** Returns a new idempotency key. `crypto.randomUUID` is missing in pages without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns whether a POST without a key may be retried without knowing whether it was done: not if its own first attempt would break `If-Match`. */
export function isRepeatable(path: string, ifMatch: string | undefined): boolean {
  return ifMatch === undefined && DONE_ONCE.test(path);
}

/** Returns the pause before a retry, in seconds; undefined if a retry is useless or unsafe. @param attempts number of failed attempts */
export function pauseBefore(error: unknown, attempts: number, repeatable: boolean): number | undefined {
  const guess = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), MAX_GUESS) * (0.5 + Math.random() / 2);
  // `fetch` rejects with a TypeError if the response is missing or incomplete.
  if (error instanceof TypeError) return repeatable ? guess : undefined;
  if (!(error instanceof ApiError)) return undefined;
  const { status, code, retryAfter = guess } = error;
  const isNotBegun =
    status === 429 || code === 'OVERLOADED' || code === 'DISK_FULL' || code === 'IDEMPOTENCY_KEY_IN_USE';
  const isPassing = isNotBegun || (repeatable && (status === 502 || status === 503 || status === 504));
  if (!isPassing || retryAfter > MAX_PAUSE) return undefined;
  // Jitter: other clients got the same `Retry-After`.
  return retryAfter + Math.random() / 4;
}

/** Resolves after a pause; rejects with the signal's reason as soon as it is aborted. */
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
