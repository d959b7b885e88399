import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { LEAVES, listChangesById } from '../../audit/changes.ts';
import { publishAll } from '../../audit/publish.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { recordDeliveries } from './delivery-queries.ts';
import { envelopeOf, isLeased, type LeasedWebhook, leaseWebhook, releaseWebhook } from './lease-queries.ts';
import { messageBody, messageId, messageType, TEST_TYPE, testBody } from './messages.ts';
import { isDelivered, type Message, type WebhookClient } from './webhook-client.ts';
import { busyWebhook } from './webhook-targets.ts';
import type { DeliveryView } from './webhooks-schemas.ts';
import { tryAtOnce } from './webhooks-service.ts';

/** Milliseconds that a test waits for the lease, and polling interval. */
const [WAIT_MS, LOOK_MS] = [5_000, 250];

/**
 * Sends one message of type `test`, even if the webhook is disabled. Waits while another sender holds the webhook.
 *
 * @throws ApiError `UNAVAILABLE` where it stays held for five seconds
 */
export async function testWebhook(db: Database, client: WebhookClient, id: string): Promise<DeliveryView> {
  return whileLeased(db, id, async (lease, { url }) => {
    const at = new Date();
    const body = testBody(id, at.toISOString());
    const message = { id: `msg_${randomUUID()}`, url, body, ...(await envelopeOf(db, id)) };
    const view = await sendOnce(db, client, { lease, message, at }, { webhookId: id, changeId: null, type: TEST_TYPE });
    if (isDelivered(view)) await tryAtOnce(db, id);
    return view;
  });
}

/**
 * Sends one change to a webhook again, beside its line, whatever the webhook chooses.
 *
 * @throws ApiError `NOT_FOUND` for a change that the webhook could not get, `UNAVAILABLE`
 */
export async function resendChange(
  db: Database,
  client: WebhookClient,
  { id, companyId, changeId }: { id: string; companyId: string | null; changeId: string },
): Promise<DeliveryView> {
  const isSent = sql`
    id = ${changeId}::text::bigint and position is not null and ${LEAVES ?? sql`true`}
    and (${companyId}::uuid is null or company_id = ${companyId}::uuid)`;
  const found = /^[1-9]\d{0,17}$/.test(changeId) && (await db.query(sql`select from audit_changes where ${isSent}`));
  const [change] = found && found.length > 0 ? await listChangesById(db, [changeId]) : [];
  if (change === undefined) throw new ApiError('NOT_FOUND', 'There is no change with this id.');
  return whileLeased(db, id, async (lease, { url }) => {
    const message = { id: messageId(id, change), url, body: messageBody(change), ...(await envelopeOf(db, id)) };
    const sent = { webhookId: id, changeId, type: messageType(change) };
    return sendOnce(db, client, { lease, message, at: new Date() }, sent);
  });
}

/** Moves a webhook back before the first change since a time, and has it go on from there at once. @throws ApiError `UNAVAILABLE` */
export async function resendSince(db: Database, id: string, since: string): Promise<void> {
  await publishAll(db);
  await whileLeased(db, id, (lease) =>
    db.query(sql`
      update webhook_progress progress
         set position = least(progress.position, first.position - 1), attempts = 0, next_try_at = now()
        from (select min(position) as position from audit_changes
               where changed_at >= ${since}::timestamptz and position is not null) first
       where webhook_id = ${id} and lease = ${lease}::uuid and first.position is not null`),
  );
}

/** Sends a message to a leased webhook outside of its line, and records the attempt. */
async function sendOnce(
  db: Database,
  client: WebhookClient,
  { lease, message, at }: { lease: string; message: Message; at: Date },
  sent: Pick<DeliveryView, 'webhookId' | 'changeId' | 'type'>,
): Promise<DeliveryView> {
  const outcome = await client.send(message);
  const delivery = { ...sent, attempt: 1 };
  await recordDeliveries(db, lease, [{ ...delivery, outcome: { ...outcome, at } }]);
  const { status, error, milliseconds, response } = outcome;
  const result = { status, error, milliseconds, payload: message.body, response, nextAttemptAt: null, skippedBy: null };
  return { at: at.toISOString(), ...delivery, ...result };
}

/** Works with a webhook that is leased meanwhile. @throws ApiError `UNAVAILABLE` where it stays held for five seconds */
async function whileLeased<Result>(
  db: Database,
  id: string,
  work: (lease: string, webhook: LeasedWebhook) => Promise<Result>,
): Promise<Result> {
  const lease = randomUUID();
  const leased = await leaseWhenFree(db, lease, id);
  try {
    return await work(lease, leased);
  } finally {
    await releaseWebhook(db, lease, id);
  }
}

/** Leases a webhook once it is free. Polls with a read, as each attempt to lease would be a write. */
async function leaseWhenFree(db: Database, lease: string, id: string): Promise<LeasedWebhook> {
  for (let waited = 0; waited <= WAIT_MS; waited += LOOK_MS) {
    const leased = (await isLeased(db, id)) ? undefined : await leaseWebhook(db, lease, id);
    if (leased !== undefined) return leased;
    await sleep(LOOK_MS);
  }
  throw busyWebhook();
}
