import { listNextChanges, type NextChanges } from '../../audit/next-changes.ts';
import type { Database } from '../../db/database.ts';
import { type Delivery, disableWebhook, trimDeliveries } from './delivery-queries.ts';
import { LEASE_SECONDS, type LeasedWebhook, releaseWebhook, renewLease } from './lease-queries.ts';
import { messageBody, messageId, messageType } from './messages.ts';
import { disableReason, retryDelay } from './retry-schedule.ts';
import { isDelivered, type WebhookClient } from './webhook-client.ts';

/** Changes of one webhook that are read at once: one may have 7 kB, and many webhooks may hold theirs for long. */
const READ_BATCH = 10;
/** One of so many deliveries clears old ones away. */
const TRIM_EVERY = 50;
/** Milliseconds after which a lease is renewed before an attempt, which then fits into what is left of it. */
const RENEW_AFTER_MS = (LEASE_SECONDS * 1000) / 3;

/** What a sender sends with. */
export interface DeliveryContext {
  db: Database;
  /** Names the sender. */
  lease: string;
  client: WebhookClient;
  /** Records an attempt. Returns how far the webhook has come; undefined: nothing more is to be sent to it. */
  record: (delivery: Delivery) => Promise<string | undefined>;
  stop: AbortSignal;
  /** Milliseconds of a clock that only goes forward. */
  clock: () => number;
  onAttempt: (outcome: 'delivered' | 'failed') => void;
}

/** A webhook that has been leased, and what is to be sent to it. */
export interface HeldDelivery {
  webhook: LeasedWebhook;
  /** What follows first. */
  next: NextChanges;
  /** The position up to which is sent. */
  head: string;
  /** When it was leased, by the clock. */
  leasedAt: number;
}

/** How far a webhook has come, and how sure it is that it is still held. */
interface State {
  position: string;
  attempts: number;
  renewedAt: number;
  isHeld: boolean;
}

/**
 * Delivers to a webhook what follows for it, in order and one at a time, until the head, a failure or the stop. The lease is renewed with each
 * batch that is read and each attempt that is recorded, and before an attempt where that was long ago.
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
  /** Where the webhook stands behind it, and whether nothing else follows. */
  reached: string;
  releases: boolean;
}

async function deliverOne(
  context: DeliveryContext,
  { webhook, item, reached, releases }: NextDelivery,
  state: State,
): Promise<void> {
  const { db, client, record, stop, clock, onAttempt } = context;
  const { id, url, secrets } = webhook;
  const { change, position } = item;
  if (clock() - state.renewedAt > RENEW_AFTER_MS) await renew(context, id, state);
  // Somebody else sends to it, or has skipped this change.
  if (!state.isHeld || !isBefore(state.position, position)) return;
  const message = { id: messageId(id, change.id), url, body: messageBody(change), secrets };
  const outcome = await client.send(message, stop);
  // Given up in the middle: it is sent again, by whoever resumes.
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
  // Of a change that was skipped meanwhile no attempt counts.
  const reason = disableReason(behind === before ? attempt : 0, outcome);
  if (reason !== undefined) await disableWebhook(db, id, reason);
}

/** Renews the lease, and moves on where changes have been skipped. */
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
