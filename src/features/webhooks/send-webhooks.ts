import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import sql from 'sql-template-tag';
import { listNextChanges } from '../../audit/next-changes.ts';
import { publishSome } from '../../audit/publish.ts';
import type { Database } from '../../db/database.ts';
import { groupWrites } from '../../lib/batch-loader.ts';
import { repeatedly } from '../../lib/hourly.ts';
import { type DeliveryContext, deliverChanges } from './deliver-changes.ts';
import { type Delivery, recordDeliveries } from './delivery-queries.ts';
import { type HeldWebhook, leaseDueWebhooks } from './lease-queries.ts';
import type { WebhookClient } from './webhook-client.ts';

/** Polling interval in milliseconds. */
const INTERVAL_MS = 500;
/** Webhooks to which a process sends concurrently. A company without any gets one more, so that receivers of others do not block it. */
const MAX_IN_FLIGHT = 400;
/** Approximate number of changes read per poll for all webhooks together: a change may have 7 kB. */
const READ_BATCH = 50;

export interface SenderOptions {
  client: WebhookClient;
  /** Receives errors of the sender itself. */
  onError: (error: unknown) => void;
  /** Called with the outcome of each attempt. */
  onAttempt?: (outcome: 'delivered' | 'failed') => void;
  /** Monotonic clock, in milliseconds. */
  clock?: () => number;
  maxInFlight?: number;
}

/**
 * Sends changes of the feed to the webhooks that are due, in order and one at a time for each, until disposed of. Any number of processes
 * may run this: a lease assigns each webhook to one of them.
 */
export function sendWebhooks(
  db: Database,
  {
    client,
    onError,
    onAttempt = () => undefined,
    clock = () => performance.now(),
    maxInFlight = MAX_IN_FLIGHT,
  }: SenderOptions,
): AsyncDisposable {
  const stop = new AbortController();
  // Every message in flight listens to the signal.
  setMaxListeners(0, stop.signal);
  const lease = randomUUID();
  const record = groupWrites((deliveries: readonly Delivery[]) => recordDeliveries(db, lease, deliveries));
  const context: DeliveryContext = { db, lease, client, record, stop: stop.signal, clock, onAttempt };
  const held = new Map<string, HeldWebhook & { delivering: Promise<void> }>();

  async function look(): Promise<void> {
    const head = await publishedHead(db);
    const leasedAt = clock();
    const limit = maxInFlight - held.size;
    const due = await leaseDueWebhooks(db, lease, { head, held: [...held.values()], limit });
    const followed = await listNextChanges(db, due, { upTo: head, limit: Math.ceil(READ_BATCH / (due.length || 1)) });
    for (const [index, webhook] of due.entries()) {
      const next = followed[index];
      if (next === undefined) continue;
      const delivering = deliverChanges(context, { webhook, next, head, leasedAt })
        .catch(onError)
        .finally(() => held.delete(webhook.id));
      held.set(webhook.id, { id: webhook.id, companyId: webhook.companyId, delivering });
    }
  }

  const looking = repeatedly(INTERVAL_MS, look, onError);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await looking[Symbol.asyncDispose]();
      await Promise.all([...held.values()].map(({ delivering }) => delivering));
    },
  };
}

/** Publishes committed changes, and returns the head of the feed. */
async function publishedHead(db: Database): Promise<string> {
  await publishSome(db);
  const [feed] = await db.query<{ position: string }>(sql`select position::text as position from change_feed`);
  return feed?.position ?? '0';
}
