import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { listNextChanges, type NextChanges } from '../../audit/changes.ts';
import { publishSome } from '../../audit/publish.ts';
import type { Database } from '../../db/database.ts';
import { groupWrites } from '../../lib/batch-loader.ts';
import { type Courier, isDelivered, openCourier, type Try } from './deliver.ts';
import {
  type Delivery,
  disableWebhook,
  type LeasedWebhook,
  leaseDueWebhooks,
  recordDeliveries,
  releaseWebhook,
  trimDeliveries,
} from './delivery-queries.ts';

/** Milliseconds between two looks for what is to be sent. */
const INTERVAL_MS = 500;
/** Webhooks that one process sends to at once, at most. */
const MAX_AT_ONCE = 64;
/** Changes that are read at once, about, of all webhooks together: a change may have 7 kB. */
const READ_AT_ONCE = 50;
/** One of so many deliveries clears old ones away. */
const TRIMMED_EVERY = 50;

const [MINUTE, HOUR] = [60, 3600];
/** Seconds after each failed try; after the last of them the webhook is switched off. */
export const RETRY_SECONDS = [
  ...[5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
] as const;

export interface SenderOptions {
  /** Whether private addresses and plain `http` are allowed. */
  permitsPrivate: boolean;
  /** Milliseconds that a receiver has to answer in, where it is not as usual. */
  deadline?: number;
  /** Is told of what goes wrong in the sender itself. */
  failed: (error: unknown) => void;
  /** Is told how each try went. */
  tried?: (outcome: 'delivered' | 'failed') => void;
}

/**
 * Sends the changes of the feed to the webhooks that are due, in order and one at a time for each, until it is disposed of. Any number of
 * processes may do so: a lease keeps a webhook to one of them.
 */
export function sendWebhooks(db: Database, options: SenderOptions): AsyncDisposable {
  const stop = new AbortController();
  // Each message in flight hears of it.
  setMaxListeners(0, stop.signal);
  const lease = randomUUID();
  const courier = openCourier(options.permitsPrivate, options.deadline);
  const record = groupWrites((deliveries: readonly Delivery[]) => recordDeliveries(db, lease, deliveries));
  const busy = new Map<string, Promise<void>>();

  async function look(): Promise<void> {
    const head = await publishedHead(db);
    const due = await leaseDueWebhooks(db, lease, head, MAX_AT_ONCE - busy.size);
    const next = await nextChanges(db, due, head);
    for (const [place, webhook] of due.entries()) {
      const sending = sendTo(
        db,
        { webhook, next: next[place], lease, courier, record, head, stop: stop.signal },
        options,
      )
        .catch(options.failed)
        .finally(() => busy.delete(webhook.id));
      busy.set(webhook.id, sending);
    }
  }

  const running = (async () => {
    while (!stop.signal.aborted) {
      if (busy.size < MAX_AT_ONCE) await look().catch(options.failed);
      await sleep(INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await Promise.all(busy.values());
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      courier[Symbol.dispose]();
    },
  };
}

/** Publishes what is committed, and says how far the feed has come. */
async function publishedHead(db: Database): Promise<string> {
  await publishSome(db);
  const [feed] = await db.query<{ position: string }>(sql`select position::text as position from change_feed`);
  return feed?.position ?? '0';
}

/** What follows in the feed for each webhook, up to the head. */
function nextChanges(
  db: Database,
  webhooks: readonly Pick<LeasedWebhook, 'companyId' | 'position'>[],
  head: string,
): Promise<NextChanges[]> {
  const limit = Math.ceil(READ_AT_ONCE / Math.max(1, webhooks.length));
  return listNextChanges(db, webhooks, { upTo: head, limit });
}

interface Sending {
  webhook: LeasedWebhook;
  lease: string;
  courier: Courier;
  /** Writes down a delivery. @returns whether the webhook is still active and held */
  record: (delivery: Delivery) => Promise<boolean>;
  /** The position up to which is sent. */
  head: string;
  stop: AbortSignal;
}

/** @param next what follows first */
async function sendTo(
  db: Database,
  { next: first, ...sending }: Sending & { next: NextChanges | undefined },
  options: SenderOptions,
): Promise<void> {
  const { webhook, lease, head, stop } = sending;
  const entities = webhook.entities?.split(' ');
  let { attempts, position } = webhook;
  let isHeld = true;
  try {
    for (let next = first; next !== undefined; ) {
      const wanted = next.items.filter(({ change }) => entities?.includes(change.entity) ?? true);
      for (const [place, item] of wanted.entries()) {
        if (stop.aborted) return;
        const isLast = next.isAll && place === wanted.length - 1;
        const after = await sendChange(db, { ...sending, ...item, attempts, isLast }, options);
        isHeld = after !== 'released';
        if (after !== 'held') return;
        attempts = 0;
      }
      position = next.isAll ? head : (next.items.at(-1)?.position ?? position);
      if (next.isAll) return;
      [next] = await nextChanges(db, [{ ...webhook, position }], head);
    }
  } finally {
    if (isHeld) await releaseWebhook(db, lease, webhook.id, position);
  }
}

/** @returns how this sender stands to the webhook then */
async function sendChange(
  db: Database,
  sending: Sending & NextChanges['items'][number] & { attempts: number; isLast: boolean },
  { tried }: SenderOptions,
): Promise<'held' | 'released' | 'given up'> {
  const { webhook, record, courier, head, stop, change, position, attempts, isLast } = sending;
  const { id, url, secrets } = webhook;
  const type = `${change.entity}.${change.action}`;
  const body = JSON.stringify({ type, timestamp: change.changedAt, data: change });
  const outcome = await courier.deliver({ id: messageId(id, change.id), url, body, secrets }, stop);
  // Given up in the middle: it is tried again, by whoever goes on.
  if (stop.aborted) return 'given up';
  const attempt = attempts + 1;
  const delivery = { webhookId: id, changeId: change.id, type, attempt, outcome };
  const isDone = isDelivered(outcome);
  tried?.(isDone ? 'delivered' : 'failed');
  if (Math.random() < 1 / TRIMMED_EVERY) await trimDeliveries(db, id);
  if (isDone) {
    const progress = { position: isLast ? head : position, attempts: 0, delay: 0, releases: isLast };
    const isOn = await record({ ...delivery, progress });
    return isLast ? 'released' : isOn ? 'held' : 'given up';
  }
  const before = String(BigInt(position) - 1n);
  const progress = { position: before, attempts: attempt, delay: delayAfter(attempt, outcome), releases: true };
  await record({ ...delivery, progress });
  const reason = whySwitchedOff(attempt, outcome);
  if (reason !== undefined) await disableWebhook(db, id, reason);
  return 'released';
}

/** The same for every try of a change to a webhook. */
export function messageId(webhookId: string, changeId: string): string {
  return `msg_${webhookId.replaceAll('-', '')}_${changeId}`;
}

/** Seconds until the next try: spread by a tenth; longer where the receiver asks for it, up to the step after. */
function delayAfter(attempt: number, { retryAfter = 0 }: Try): number {
  const step = RETRY_SECONDS[attempt - 1] ?? 0;
  const next = RETRY_SECONDS[attempt] ?? step;
  return Math.max(step * (1 + Math.random() / 10), Math.min(retryAfter, next));
}

function whySwitchedOff(attempt: number, { status, error }: Try): string | undefined {
  if (status === 410) return 'The receiver answered 410: it is gone.';
  if (attempt <= RETRY_SECONDS.length) return undefined;
  return `${attempt} tries of one change have failed, the last with ${error ?? `status ${status}`}`.slice(0, 500);
}
