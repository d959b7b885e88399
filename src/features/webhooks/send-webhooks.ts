import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { listNextChanges } from '../../audit/next-changes.ts';
import { publishSome } from '../../audit/publish.ts';
import type { Database } from '../../db/database.ts';
import { groupWrites } from '../../lib/batch-loader.ts';
import { type DeliveryContext, deliverChanges } from './deliver-changes.ts';
import { type Delivery, recordDeliveries } from './delivery-queries.ts';
import { type HeldWebhook, leaseDueWebhooks } from './lease-queries.ts';
import type { WebhookClient } from './webhook-client.ts';

/** Milliseconds between two looks for what is to be sent. */
const INTERVAL_MS = 500;
/** Webhooks that one process sends to at once. A company of which it sends nothing has one beyond that: nobody waits for the receivers of others. */
const MAX_IN_FLIGHT = 400;
/** Changes that are read at once, about, of all webhooks together: a change may have 7 kB. */
const READ_AT_ONCE = 50;

export interface SenderOptions {
  client: WebhookClient;
  /** Is told of what goes wrong in the sender itself. */
  onError: (error: unknown) => void;
  /** Is told how each attempt went. */
  onAttempt?: (outcome: 'delivered' | 'failed') => void;
  /** Milliseconds of a clock that only goes forward. */
  clock?: () => number;
  maxInFlight?: number;
}

/**
 * Sends the changes of the feed to the webhooks that are due, in order and one at a time for each, until it is disposed of. Any number of
 * processes may do so: a lease keeps a webhook to one of them.
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
  // Each message in flight hears of it.
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
    const followed = await listNextChanges(db, due, { upTo: head, limit: Math.ceil(READ_AT_ONCE / (due.length || 1)) });
    for (const [index, webhook] of due.entries()) {
      const next = followed[index];
      if (next === undefined) continue;
      const delivering = deliverChanges(context, { webhook, next, head, leasedAt })
        .catch(onError)
        .finally(() => held.delete(webhook.id));
      held.set(webhook.id, { id: webhook.id, companyId: webhook.companyId, delivering });
    }
  }

  const running = (async () => {
    while (!stop.signal.aborted) {
      await look().catch(onError);
      await sleep(INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await Promise.all([...held.values()].map(({ delivering }) => delivering));
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/** Publishes what is committed, and returns how far the feed has come. */
async function publishedHead(db: Database): Promise<string> {
  await publishSome(db);
  const [feed] = await db.query<{ position: string }>(sql`select position::text as position from change_feed`);
  return feed?.position ?? '0';
}
