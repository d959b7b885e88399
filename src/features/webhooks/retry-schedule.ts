import type { DeliveryAttempt } from './webhook-client.ts';

const [MINUTE, HOUR] = [60, 3600];
/** Delay in seconds after each failed attempt. If the attempt after the last delay fails too, the webhook is disabled. */
export const RETRY_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Returns the delay until the next attempt in seconds, with up to 10 % jitter. `Retry-After` may extend it up to the next step. */
export function retryDelay(attempt: number, { retryAfter = 0 }: Pick<DeliveryAttempt, 'retryAfter'>): number {
  const step = RETRY_SECONDS[attempt - 1] ?? 0;
  const next = RETRY_SECONDS[attempt] ?? step;
  return Math.max(step * (1 + Math.random() / 10), Math.min(retryAfter, next));
}

/** Returns the reason to disable a webhook after a failed attempt; undefined to keep it. */
export function disableReason(
  attempt: number,
  { status, error }: Pick<DeliveryAttempt, 'status' | 'error'>,
): string | undefined {
  if (status === 410) return 'The receiver answered 410: it is gone.';
  if (attempt <= RETRY_SECONDS.length) return undefined;
  return `${attempt} attempts to deliver one change have failed, the last with ${error ?? `status ${status}`}`.slice(
    0,
    500,
  );
}
