import { listNextChanges, type NextChanges } from '../../audit/next-changes.ts';
import type { Database } from '../../db/database.ts';
import { type Delivery, disableWebhook, trimDeliveries } from './delivery-queries.ts';
import { envelopeOf, LEASE_SECONDS, type LeasedWebhook, releaseWebhook, renewLease } from './lease-queries.ts';
import { messageBody, messageId, messageType } from './messages.ts';
import { type DeliveryAttempt, isDelivered, type WebhookClient } from './webhook-client.ts';

/** Changes of one webhook read per batch: a change may have 7 kB, and many webhooks may hold a batch for long. */
const READ_BATCH = 10;
/** On average one in this many deliveries trims old ones. */
const TRIM_EVERY = 50;
/** Age of a lease, in milliseconds, from which it is renewed before an attempt, so that the attempt ends within the lease. */
const RENEW_AFTER_MS = (LEASE_SECONDS * 1000) / 3;

/** Dependencies of a sender. */
export interface DeliveryContext {
  db: Database;
  /** Id of the sender. */
  lease: string;
  client: WebhookClient;
  /** Records an attempt. Returns the position of the webhook; undefined: stop sending to it. */
  record: (delivery: Delivery) => Promise<string | undefined>;
  stop: AbortSignal;
  /** Monotonic clock, in milliseconds. */
  clock: () => number;
  onAttempt: (outcome: 'delivered' | 'failed') => void;
}

/** A leased webhook, and the changes to send to it. */
export interface HeldDelivery {
  webhook: LeasedWebhook;
  /** The first batch of changes. */
  next: NextChanges;
  /** Position up to which changes are sent. */
  head: string;
  /** Time of the lease, by the monotonic clock. */
  leasedAt: number;
}

/** Progress of a webhook, and the state of its lease. */
interface State {
  position: string;
  attempts: number;
  renewedAt: number;
  isHeld: boolean;
}

/**
 * Delivers the pending changes of a webhook in order, one at a time, until the head, a failure or the stop signal. The lease is renewed
 * with each batch read, each attempt recorded, and before an attempt if the last renewal is old.
 */
export async function deliverChanges(context: DeliveryContext, held: HeldDelivery): Promise<void> {
  const { db, lease, stop } = context;
  const { webhook, head, leasedAt } = held;
  const state: State = { position: webhook.position, attempts: webhook.attempts, renewedAt: leasedAt, isHeld: true };
  try {
    for (let { next } = held; ; ) {
      for (const item of next.items) {
        if (stop.aborted) return;
        const reached = next.isAll && item === next.items.at(-1) ? head : item.position;
        await deliverOne(context, { webhook, item, reached, releases: reached === head }, state);
        if (!state.isHeld) return;
      }
      if (isBefore(state.position, next.position)) state.position = next.position;
      if (next.isAll || stop.aborted) return;
      await renew(context, webhook.id, state);
      if (!state.isHeld) return;
      const follower = { ...webhook, position: state.position };
      const [following] = await listNextChanges(db, [follower], { upTo: head, limit: READ_BATCH });
      if (following === undefined) return;
      next = following;
    }
  } finally {
    if (state.isHeld) await releaseWebhook(db, lease, webhook.id, state.position);
  }
}

interface NextDelivery {
  webhook: LeasedWebhook;
  item: NextChanges['items'][number];
  /** Position of the webhook after this delivery, and whether it is the last one. */
  reached: string;
  releases: boolean;
}

async function deliverOne(
  context: DeliveryContext,
  { webhook, item, reached, releases }: NextDelivery,
  state: State,
): Promise<void> {
  const { db, client, record, stop, clock, onAttempt } = context;
  const { id, url } = webhook;
  const { change, position } = item;
  if (clock() - state.renewedAt > RENEW_AFTER_MS) await renew(context, id, state);
  // Another sender holds the lease, or the change has been skipped.
  if (!state.isHeld || !isBefore(state.position, position)) return;
  // Read for each message: one that is sent after a rotation is signed by the new secret.
  const envelope = await envelopeOf(db, id);
  const message = { id: messageId(id, change), url, body: messageBody(change), ...envelope };
  const outcome = await client.send(message, stop);
  // Aborted in flight: the next holder of the lease sends it again.
  if (stop.aborted) return;
  const isDone = isDelivered(outcome);
  onAttempt(isDone ? 'delivered' : 'failed');
  if (Math.random() < 1 / TRIM_EVERY) await trimDeliveries(db, id);
  const attempt = state.attempts + 1;
  const delivery = { webhookId: id, changeId: change.id, type: messageType(change), attempt, outcome };
  const recordedAt = clock();
  if (isDone) {
    const behind = await record({ ...delivery, progress: { position: reached, attempts: 0, delay: 0, releases } });
    const isHeld = behind !== undefined && !releases;
    Object.assign(state, { position: behind ?? state.position, attempts: 0, renewedAt: recordedAt, isHeld });
    return;
  }
  const before = String(BigInt(position) - 1n);
  const progress = { position: before, attempts: attempt, delay: retryDelay(attempt, outcome), releases: true };
  const behind = await record({ ...delivery, progress });
  state.isHeld = false;
  if (behind === undefined) return;
  // Attempts at a change that was skipped meanwhile do not count.
  const reason = disableReason(behind === before ? attempt : 0, outcome);
  if (reason !== undefined) await disableWebhook(db, id, reason);
}

/** Renews the lease, and takes over the stored position if changes have been skipped. */
async function renew({ db, lease, clock }: DeliveryContext, id: string, state: State): Promise<void> {
  const renewedAt = clock();
  const position = await renewLease(db, lease, id, state.position);
  if (position === undefined) {
    state.isHeld = false;
    return;
  }
  if (isBefore(state.position, position)) state.attempts = 0;
  Object.assign(state, { position, renewedAt });
}

function isBefore(position: string, other: string): boolean {
  return BigInt(position) < BigInt(other);
}

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
export function retryDelay(
  attempt: number,
  { retryAfter = 0 }: Partial<Pick<DeliveryAttempt, 'retryAfter'>> = {},
): number {
  const step = RETRY_SECONDS[attempt - 1] ?? 0;
  const next = RETRY_SECONDS[attempt] ?? step;
  return Math.max(step * (1 + Math.random() / 10), Math.min(retryAfter, next));
}

/** Returns the reason to disable a webhook after a failed attempt; undefined to keep it. */
function disableReason(
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
