import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { LEAVES, listChangesById } from '../../audit/changes.ts';
import { publishAll } from '../../audit/publish.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { envelopeOf, releaseWebhook } from './lease-queries.ts';
import { messageBody, messageId, messageType } from './messages.ts';
import { leaseWhenFree, sendOnce } from './test-webhook.ts';
import type { WebhookClient } from './webhook-client.ts';
import type { DeliveryView } from './webhooks-schemas.ts';

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
  const lease = randomUUID();
  const { url } = await leaseWhenFree(db, lease, id);
  try {
    const message = { id: messageId(id, change), url, body: messageBody(change), ...(await envelopeOf(db, id)) };
    const sent = { webhookId: id, changeId, type: messageType(change) };
    return await sendOnce(db, client, { lease, message, at: new Date() }, sent);
  } finally {
    await releaseWebhook(db, lease, id);
  }
}

/** Moves a webhook back before the first change since a time, and has it go on from there at once. @throws ApiError `UNAVAILABLE` */
export async function resendSince(db: Database, id: string, since: string): Promise<void> {
  await publishAll(db);
  const lease = randomUUID();
  await leaseWhenFree(db, lease, id);
  try {
    await db.query(sql`
      update webhook_progress progress
         set position = least(progress.position, first.position - 1), attempts = 0, next_try_at = now()
        from (select min(position) as position from audit_changes
               where changed_at >= ${since}::timestamptz and position is not null) first
       where webhook_id = ${id} and lease = ${lease}::uuid and first.position is not null`);
  } finally {
    await releaseWebhook(db, lease, id);
  }
}
