import sql, { type Sql } from 'sql-template-tag';
import type { Reader, Writer } from '../../db/database.ts';
import type { Message } from './webhook-client.ts';

/** A webhook leased by a sender, with its progress. */
export interface LeasedWebhook {
  id: string;
  url: string;
  companyId: string | null;
  /** Entity names separated by spaces; null: all. */
  entities: string | null;
  /** What else is sent, likewise. */
  actions: string | null;
  fields: string | null;
  position: string;
  /** Failed attempts to deliver the next change. */
  attempts: number;
}

/** Duration of a lease in seconds: longer than an attempt may take. */
export const LEASE_SECONDS = 30;

/** Expiry of a lease taken or renewed now. */
export const leaseEnd: Sql = sql`now() + ${LEASE_SECONDS}::integer * interval '1 second'`;

/** Selects the webhooks of the rows of `leased`. */
const leasedWebhooks: Sql = sql`
  select webhooks.id, webhooks.url, webhooks.company_id as "companyId", webhooks.entities, webhooks.actions, webhooks.fields,
         leased.position::text as position, leased.attempts
    from leased join webhooks on webhooks.id = leased.webhook_id`;

/** A webhook to which this process is sending. */
export type HeldWebhook = Pick<LeasedWebhook, 'id' | 'companyId'>;

/**
 * Leases webhooks that are due: active, not leased, of no closed company, and behind the head. Those without a change of their company up
 * to the head only advance to it.
 *
 * A company to which this process sends nothing gets one lease regardless of the limit. Others are chosen up to the limit: first those
 * whose company holds the fewest, then those furthest behind.
 *
 * @param lease id of the sender
 * @param held webhooks to which this process is sending: never leased again, even where their lease has expired
 */
export function leaseDueWebhooks(
  db: Writer,
  lease: string,
  { head, held, limit }: { head: string; held: readonly HeldWebhook[]; limit: number },
): Promise<LeasedWebhook[]> {
  const heldRows = JSON.stringify(held.map(({ id, companyId }) => ({ id, company_id: companyId })));
  return db.query<LeasedWebhook>(sql`
    with held as materialized (
      select * from json_to_recordset(${heldRows}::text::json) as held (id uuid, company_id uuid)),
    due as materialized (
      select progress.webhook_id, progress.position, webhooks.company_id,
             webhooks.company_id is null
               or exists (select from audit_changes
                           where audit_changes.company_id = webhooks.company_id
                             and audit_changes.position > progress.position and audit_changes.position <= ${head}::bigint
                           order by audit_changes.position limit 1) as has_next
        from webhook_progress progress
        join webhooks on webhooks.id = progress.webhook_id
       where progress.position < ${head}::bigint and progress.next_try_at <= now() and progress.leased_until < now()
         and not exists (select from held where held.id = progress.webhook_id)
         and webhooks.active
         and (webhooks.company_id is null
              or exists (select from companies where companies.id = webhooks.company_id and companies.active))
         for update of progress skip locked),
    passed as (
      update webhook_progress progress set position = ${head}::bigint
        from due where progress.webhook_id = due.webhook_id and not has_next),
    ranked as (
      select webhook_id, position,
             (select count(*) from held where held.company_id is not distinct from due.company_id)
               + row_number() over (partition by company_id order by position) as of_company
        from due where has_next),
    chosen as (
      select webhook_id, of_company, row_number() over (order by of_company, position) as of_all from ranked),
    leased as (
      update webhook_progress progress set lease = ${lease}::uuid, leased_until = ${leaseEnd}
        from chosen
       where progress.webhook_id = chosen.webhook_id and (of_company = 1 or of_all <= ${limit}::integer)
      returning progress.webhook_id, progress.position, progress.attempts)
    ${leasedWebhooks}`);
}

/** Leases one webhook, due or not. @returns undefined where another sender holds it */
export async function leaseWebhook(db: Writer, lease: string, id: string): Promise<LeasedWebhook | undefined> {
  const [leased] = await db.query<LeasedWebhook>(sql`
    with leased as (
      update webhook_progress set lease = ${lease}::uuid, leased_until = ${leaseEnd}
       where webhook_id = ${id} and leased_until < now()
      returning webhook_id, position, attempts)
    ${leasedWebhooks}`);
  return leased;
}

/** Returns the secrets that sign a message sent now, newest first, and the webhook's own headers. */
export async function envelopeOf(db: Reader, id: string): Promise<Pick<Message, 'secrets' | 'headers'>> {
  const [found] = await db.query<{ secrets: string[]; headers: Record<string, string> }>(sql`
    select (select coalesce(json_agg(secret order by expires_at desc nulls first), '[]') from webhook_secrets
             where webhook_id = ${id} and (expires_at is null or expires_at > now())) as secrets,
           (select coalesce(json_object_agg(name, value), '{}') from webhook_headers where webhook_id = ${id}) as headers`);
  return found ?? { secrets: [], headers: {} };
}

/** Returns whether a webhook is leased. */
export async function isLeased(db: Writer, id: string): Promise<boolean> {
  const found = await db.query(sql`
    select from webhook_progress where webhook_id = ${id} and leased_until >= now()`);
  return found.length > 0;
}

/**
 * Renews a lease, and advances the webhook past changes that do not concern it.
 *
 * @returns the position of the webhook; undefined where another sender holds it or it no longer exists
 */
export async function renewLease(db: Writer, lease: string, id: string, passed: string): Promise<string | undefined> {
  const [held] = await db.query<{ position: string }>(sql`
    update webhook_progress set leased_until = ${leaseEnd}, position = greatest(position, ${passed}::bigint)
     where webhook_id = ${id} and lease = ${lease}::uuid
    returning position::text as position`);
  return held?.position;
}

/** Releases the lease of this sender, and advances the webhook past changes that do not concern it. */
export async function releaseWebhook(db: Writer, lease: string, id: string, passed = '0'): Promise<void> {
  await db.query(sql`
    update webhook_progress set leased_until = '-infinity', position = greatest(position, ${passed}::bigint)
     where webhook_id = ${id} and lease = ${lease}::uuid`);
}

/** Releases all leases: for the only process of an embedded database, at start, as leases may be left from one that died. */
export async function releaseWebhooks(db: Writer): Promise<void> {
  await db.query(sql`update webhook_progress set leased_until = '-infinity' where leased_until > now()`);
}
