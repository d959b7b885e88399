import sql from 'sql-template-tag';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { webhook } from '../../entities/webhook.ts';
import { leaseEnd } from './lease-queries.ts';
import type { DeliveryAttempt } from './webhook-client.ts';

/** An attempt to deliver a change or a test, and the progress of the webhook after it. */
export interface Delivery {
  webhookId: string;
  /** Null: a test. */
  changeId: string | null;
  type: string;
  attempt: number;
  outcome: DeliveryAttempt;
  /** Undefined for a test, which makes no progress. */
  progress?: Progress;
}

/** State of a webhook after an attempt. */
export interface Progress {
  position: string;
  attempts: number;
  /** Seconds until the next attempt. */
  delay: number;
  /** Whether the sender releases the lease. */
  releases: boolean;
}

/**
 * Records attempts, each of a different webhook, and the resulting progress, in one statement. A success does not write `next_try_at`: it
 * is indexed, and the embedded database has no autovacuum. An attempt at a change skipped meanwhile only updates the lease.
 *
 * @returns the position of each webhook, in the same order; undefined where it is disabled or this sender no longer holds the lease
 */
export async function recordDeliveries(
  db: Writer,
  lease: string,
  deliveries: readonly Delivery[],
): Promise<(string | undefined)[]> {
  const attempted = deliveries.map(({ outcome, progress, ...delivery }) => {
    const { at, status, error, milliseconds, response } = outcome;
    return { ...delivery, ...progress, at, status, error, milliseconds, response };
  });
  const held = await db.query<{ id: string; position: string }>(sql`
    with attempted as (
      select * from json_to_recordset(${JSON.stringify(attempted)}::text::json) as attempted (
        "webhookId" uuid, at timestamptz, "changeId" text, type text, attempt integer, status integer, error text,
        milliseconds integer, response text, position bigint, attempts integer, delay double precision, releases boolean)),
    recorded as (
      insert into webhook_deliveries (webhook_id, at, change_id, type, attempt, status, error, milliseconds, response)
      select "webhookId", at, "changeId", type, attempt, status, error, milliseconds, response
        from attempted join webhooks on webhooks.id = "webhookId"),
    held as (
      update webhook_progress progress
         set position = greatest(attempted.position, progress.position),
             attempts = case when attempted.position >= progress.position then attempted.attempts else progress.attempts end,
             next_try_at = case when attempted.position >= progress.position and delay > 0
                                then now() + delay * interval '1 second' else next_try_at end,
             leased_until = case when releases or not active then '-infinity' else ${leaseEnd} end
        from attempted join webhooks on webhooks.id = "webhookId"
       where progress.webhook_id = "webhookId" and lease = ${lease}::uuid
      returning progress.webhook_id, progress.position, active)
    select webhook_id as id, position::text as position from held where active`);
  const positions = new Map(held.map(({ id, position }) => [id, position]));
  return deliveries.map(({ webhookId }) => positions.get(webhookId));
}

const disable = auditedUpdate(webhook, ['active', 'disabledReason']);

/** Disables a webhook. Nothing is lost: once enabled again it resumes where it stopped. */
export async function disableWebhook(db: Writer, id: string, disabledReason: string): Promise<void> {
  const patch = { active: false, disabledReason };
  await write(db, disable({ id, patch, actor: { kind: 'command' } }));
}

/** Deliveries kept per webhook. */
export const KEPT_DELIVERIES = 1000;

/** Removes all but the last deliveries of a webhook. */
export async function trimDeliveries(db: Writer, id: string): Promise<void> {
  await db.query(sql`
    delete from webhook_deliveries
     where webhook_id = ${id}
       and id <= (select id from webhook_deliveries where webhook_id = ${id}
                   order by id desc offset ${KEPT_DELIVERIES}::integer limit 1)`);
}

/** Delivery metrics. */
export interface WebhookFigures {
  /** Age of the oldest change that an active webhook has not reached, in seconds; 0 where there is none. */
  oldestUndelivered: number;
  /** Webhooks that the service has disabled. */
  switchedOff: number;
}

export async function webhookFigures(db: Reader): Promise<WebhookFigures> {
  const [figures] = await db.query<WebhookFigures>(sql`
    select coalesce((select extract(epoch from now() - min(changed_at))::double precision
                       from webhook_progress join webhooks on webhooks.id = webhook_id and active,
                            lateral (select changed_at from audit_changes
                                      where audit_changes.position > webhook_progress.position
                                      order by audit_changes.position limit 1) oldest), 0) as "oldestUndelivered",
           (select count(*)::integer from webhooks where disabled_reason is not null) as "switchedOff"`);
  if (figures === undefined) throw new TypeError('A statement without a from clause gave no row');
  return figures;
}
