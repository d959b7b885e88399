import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../entities/api-error.ts';

/** Milliseconds that a request waits for what an identity provider is asked. */
const DEADLINE_MS = 1_000;

/** The error of a request that cannot be answered without the identity provider, to be tried again after so many seconds. */
export function unavailable(retryAfter: number): ApiError {
  return new ApiError('UNAVAILABLE', 'The service cannot reach its identity provider: try again shortly.', {
    headers: { 'retry-after': String(retryAfter) },
  });
}

/**
 * Gives what the provider answers, or rejects with `UNAVAILABLE` after a second. The question is not given up by that: its answer is
 * there for whoever comes later.
 *
 * @param timeLimit milliseconds after which the question is over in any case
 */
export function answeredSoon<T>(answer: Promise<T>, timeLimit: number): Promise<T> {
  const late = sleep(DEADLINE_MS, undefined, { ref: false }).then(() => {
    throw unavailable(Math.ceil(timeLimit / 1000));
  });
  const first = Promise.race([answer, late]);
  // It may be that nobody waits.
  first.catch(() => undefined);
  return first;
}
