import type { DeliveryAttempt } from './webhook-client.ts';

const [MINUTE, HOUR] = [60, 3600];
/** Seconds to wait after each failed attempt. After the last of them the webhook is disabled. */
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

/** Returns the seconds until the next attempt: spread by a tenth; longer where the receiver asks for it, up to the step after. */
export function retryDelay(attempt: number, { retryAfter = 0 }: Pick<DeliveryAttempt, 'retryAfter'>): number {
  const step = RETRY_SECONDS[attempt - 1] ?? 0;
  const next = RETRY_SECONDS[attempt] ?? step;
  return Math.max(step * (1 + Math.random() / 10), Math.min(retryAfter, next));
}

/** Returns why a webhook is to be disabled after a failed attempt; undefined: it is not. */
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
