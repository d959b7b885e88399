import sql, { type Sql } from 'sql-template-tag';
import { listChangesById } from '../../audit/changes.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { KEPT_DELIVERIES } from './delivery-queries.ts';
import { messageBody, testBody } from './messages.ts';
import type { DeliveryView } from './webhooks-schemas.ts';

/** Time of the next attempt of a webhook; null where it is disabled or nothing has failed. */
export const nextAttemptAt: Sql = sql`
  (select ${isoTimestamp(sql`next_try_at`)} from webhook_progress progress
    where progress.webhook_id = webhooks.id and webhooks.active and progress.attempts > 0)`;

/** Time of the next attempt, for the row of the last attempt only. */
const followedAt: Sql = sql`
  (select ${nextAttemptAt} from webhooks
    where webhooks.id = webhook_id and change_id is not null
      and webhook_deliveries.id = (select max(id) from webhook_deliveries last
                                    where last.webhook_id = webhooks.id and last.change_id is not null))`;

/** Returns one page of the last deliveries of a webhook, newest first. */
export async function listDeliveries(db: Reader, webhookId: string, page: PageRequest): Promise<Page<DeliveryView>> {
  const { items, ...total } = await selectPage<Omit<DeliveryView, 'payload'>>(
    db,
    {
      columns: sql`
        ${isoTimestamp(sql`at`)} as at, webhook_id as "webhookId", change_id as "changeId", type, attempt, status, error,
        milliseconds, response, skipped_by as "skippedBy", ${followedAt} as "nextAttemptAt"`,
      from: sql`webhook_deliveries`,
      where: sql`
        webhook_id = ${webhookId} and id > coalesce(
          (select id from webhook_deliveries where webhook_id = ${webhookId} order by id desc offset ${KEPT_DELIVERIES}::integer limit 1), 0)`,
      orderBy: [{ by: sql`id`, type: 'bigint', descending: true }],
    },
    page,
  );
  const ids = [...new Set(items.flatMap(({ changeId }) => changeId ?? []))];
  const bodies = new Map((await listChangesById(db, ids)).map((change) => [change.id, messageBody(change)]));
  return { items: items.map((item) => ({ ...item, payload: payloadOf(item, bodies) })), ...total };
}

/** Rebuilds the message from the audit trail: messages are not stored, and values erased since are missing. */
function payloadOf(
  { changeId, webhookId, at, skippedBy }: Omit<DeliveryView, 'payload'>,
  bodies: ReadonlyMap<string, string>,
): string | null {
  if (skippedBy !== null) return null;
  return changeId === null ? testBody(webhookId, at) : (bodies.get(changeId) ?? null);
}
