import sql, { type Sql } from 'sql-template-tag';
import { auditedUpdate } from '../../audit/audited-write.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { webhook } from '../../entities/webhook.ts';
import type { Try } from './deliver.ts';

/** A webhook that a sender holds, and how far it has come. */
export interface LeasedWebhook {
  id: string;
  url: string;
  companyId: string | null;
  /** Separated by blanks; null: all. */
  entities: string | null;
  position: string;
  /** Tries of the next change that have failed. */
  attempts: number;
  secrets: string[];
}

/** Seconds for which a sender holds a webhook: longer than a try may take. */
const LEASE_SECONDS = 30;

const secretsOf = (id: Sql): Sql => sql`
  (select json_agg(secret order by expires_at desc nulls first)
     from webhook_secrets where webhook_id = ${id} and (expires_at is null or expires_at > now()))`;

/**
 * Leases webhooks that are due: active, of no closed company, held by nobody, with a change before the head that they have not come to; those
 * first that are furthest behind. Those for whom nothing is there move on to the head.
 *
 * @param lease names the sender
 */
export function leaseDueWebhooks(db: Writer, lease: string, head: string, limit: number): Promise<LeasedWebhook[]> {
  return db.query<LeasedWebhook>(sql`
    with due as materialized (
      select progress.webhook_id, progress.position,
             webhooks.company_id is null
               or exists (select from audit_changes
                           where audit_changes.company_id = webhooks.company_id
                             and audit_changes.position > progress.position and audit_changes.position <= ${head}::bigint
                           order by audit_changes.position limit 1) as has_next
        from webhook_progress progress
        join webhooks on webhooks.id = progress.webhook_id
       where progress.position < ${head}::bigint and progress.next_try_at <= now() and progress.leased_until < now()
         and webhooks.active
         and (webhooks.company_id is null
              or exists (select from companies where companies.id = webhooks.company_id and companies.active))
         for update of progress skip locked),
    passed as (
      update webhook_progress progress set position = ${head}::bigint
        from due where progress.webhook_id = due.webhook_id and not has_next),
    leased as (
      update webhook_progress progress
         set lease = ${lease}::uuid, leased_until = now() + ${LEASE_SECONDS}::integer * interval '1 second'
        from (select webhook_id from due where has_next order by position limit ${limit}::integer) next
       where progress.webhook_id = next.webhook_id
      returning progress.webhook_id, progress.position, progress.attempts)
    select webhooks.id, webhooks.url, webhooks.company_id as "companyId", webhooks.entities,
           leased.position::text as position, leased.attempts, ${secretsOf(sql`webhooks.id`)} as secrets
      from leased join webhooks on webhooks.id = leased.webhook_id`);
}

/**
 * Leases one webhook, whatever is due, unless another sender holds it.
 *
 * @returns undefined where another holds it
 */
export async function leaseWebhook(db: Writer, lease: string, id: string): Promise<LeasedWebhook | undefined> {
  const [leased] = await db.query<LeasedWebhook>(sql`
    with leased as (
      update webhook_progress
         set lease = ${lease}::uuid, leased_until = now() + ${LEASE_SECONDS}::integer * interval '1 second'
       where webhook_id = ${id} and leased_until < now()
      returning webhook_id, position, attempts)
    select webhooks.id, webhooks.url, webhooks.company_id as "companyId", webhooks.entities,
           leased.position::text as position, leased.attempts, ${secretsOf(sql`webhooks.id`)} as secrets
      from leased join webhooks on webhooks.id = leased.webhook_id`);
  return leased;
}

/**
 * Lets go of a webhook that this sender holds.
 *
 * @param passed it has come so far, past changes that are none of its
 */
export async function releaseWebhook(db: Writer, lease: string, id: string, passed = '0'): Promise<void> {
  await db.query(sql`
    update webhook_progress set leased_until = '-infinity', position = greatest(position, ${passed}::bigint)
     where webhook_id = ${id} and lease = ${lease}::uuid`);
}

/** Lets go of all webhooks: for the one process of an embedded database, which finds the leases of one that has died. */
export async function releaseWebhooks(db: Writer): Promise<void> {
  await db.query(sql`update webhook_progress set leased_until = '-infinity' where leased_until > now()`);
}

/** What a try was of, how it went, and where the webhook stands then. */
export interface Delivery {
  webhookId: string;
  /** Null: a test. */
  changeId: string | null;
  type: string;
  attempt: number;
  outcome: Try;
  /** Undefined: the try changes nothing, as a test does. */
  progress?: Progress;
}

/** Where a webhook stands after a try. */
export interface Progress {
  position: string;
  attempts: number;
  /** Seconds until the next try. */
  delay: number;
  /** Whether the sender lets go of it. */
  releases: boolean;
}

/**
 * Writes down tries, each of another webhook, and where these stand then, in one statement. A delivery leaves the time of the next try alone:
 * it has an index, and the embedded database clears nothing out of indexes.
 *
 * @returns of each, in this order, whether it is still active and was held by this sender
 */
export async function recordDeliveries(db: Writer, lease: string, deliveries: readonly Delivery[]): Promise<boolean[]> {
  const tries = deliveries.map(({ outcome: { at, status, error, milliseconds }, progress, ...delivery }) => ({
    ...{ ...delivery, ...progress, at, status, error, milliseconds },
  }));
  const active = await db.query<{ id: string }>(sql`
    with tried as (
      select * from json_to_recordset(${JSON.stringify(tries)}::text::json) as tried (
        "webhookId" uuid, at timestamptz, "changeId" text, type text, attempt integer, status integer, error text,
        milliseconds integer, position bigint, attempts integer, delay double precision, releases boolean)),
    recorded as (
      insert into webhook_deliveries (webhook_id, at, change_id, type, attempt, status, error, milliseconds)
      select "webhookId", at, "changeId", type, attempt, status, error, milliseconds
        from tried join webhooks on webhooks.id = "webhookId"),
    held as (
      update webhook_progress progress
         set position = coalesce(tried.position, progress.position),
             attempts = coalesce(tried.attempts, progress.attempts),
             next_try_at = case when tried.delay > 0 then now() + tried.delay * interval '1 second' else next_try_at end,
             leased_until = case when tried.releases then '-infinity'
                                 else now() + ${LEASE_SECONDS}::integer * interval '1 second' end
        from tried
       where progress.webhook_id = "webhookId" and lease = ${lease}::uuid
      returning progress.webhook_id)
    select id from webhooks join held on held.webhook_id = id where active`);
  const ids = new Set(active.map(({ id }) => id));
  return deliveries.map(({ webhookId }) => ids.has(webhookId));
}

const switchOff = auditedUpdate(webhook, ['active', 'disabledReason']);

/** Switches a webhook off; nothing is lost: switched on again it goes on where it stood. */
export async function disableWebhook(db: Writer, id: string, disabledReason: string): Promise<void> {
  const patch = { active: false, disabledReason };
  await db.query(sql`with ${switchOff({ id, patch, actor: { kind: 'command' } })} select from written`);
}

/** Deliveries that are kept of each webhook. */
export const KEPT_DELIVERIES = 1000;

/** Removes all but the last deliveries of a webhook. */
export async function trimDeliveries(db: Writer, id: string): Promise<void> {
  await db.query(sql`
    delete from webhook_deliveries
     where webhook_id = ${id}
       and id <= (select id from webhook_deliveries where webhook_id = ${id}
                   order by id desc offset ${KEPT_DELIVERIES}::integer limit 1)`);
}

/** How the sending goes on, for whoever watches over it. */
export interface WebhookFigures {
  /** Seconds since the oldest change that a webhook has not been sent; 0 where there is none. */
  oldestUndelivered: number;
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
