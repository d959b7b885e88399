import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../entities/api-error.ts';

/** Time that a request waits for a response of the identity provider, in milliseconds. */
const DEADLINE_MS = 1_000;

/** Returns the error for a request that needs the identity provider while it is unreachable. @param retryAfter in seconds */
export function unavailable(retryAfter: number): ApiError {
  return new ApiError('UNAVAILABLE', 'The service cannot reach its identity provider: try again shortly.', {
    headers: { 'retry-after': String(retryAfter) },
  });
}

/**
 * Resolves to the response of the provider, or rejects with `UNAVAILABLE` after a second. The call continues, so that later requests can
 * use its result.
 *
 * @param timeLimit milliseconds after which the call ends in any case
 */
export function answeredSoon<T>(answer: Promise<T>, timeLimit: number): Promise<T> {
  const late = sleep(DEADLINE_MS, undefined, { ref: false }).then(() => {
    throw unavailable(Math.ceil(timeLimit / 1000));
  });
  const first = Promise.race([answer, late]);
  // Prevents an unhandled rejection if nobody awaits the result.
  first.catch(() => undefined);
  return first;
}
