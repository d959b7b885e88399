import { randomUUID } from 'node:crypto';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { changedFields } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { findersOf, listByCompany } from '../../api/list-by-company.ts';
import { alreadyExists, type WriteRequest } from '../../api/write-request.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { publishAll } from '../../audit/publish.ts';
import { isSuperAdmin } from '../../auth/callers/roles.ts';
import { advisoryLock, type Database, type Reader, type Transaction, type Writer } from '../../db/database.ts';
import type { Page, PageRequest } from '../../db/sql/select-page.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { ApiError } from '../../entities/api-error.ts';
import { webhook } from '../../entities/webhook.ts';
import { nextAttemptAt } from './list-deliveries.ts';
import { newSecret } from './messages.ts';
import type { NewWebhook, OwnHeaders, WebhookPatch } from './webhooks-input.ts';
import { SHOWN_FIELDS, type WebhookView, type WebhookWithSecret } from './webhooks-schemas.ts';

/** Maximum of webhooks per company, and of those for all companies. */
const MAX_WEBHOOKS = 20;
/** Maximum of active secrets, and hours for which a rotated one keeps signing. */
const [MAX_SECRETS, ROTATION_HOURS] = [10, 24];

const columns: Sql = sql`
  ${selectFields(webhook, SHOWN_FIELDS)}, ${join(['entities', 'actions', 'fields', 'header_names'].map((name) => sql`to_json(string_to_array(${raw(name)}, ' ')) as ${raw(name === 'header_names' ? '"headerNames"' : name)}`))},
  ${isoTimestamp(sql`webhooks.updated_at`)} as "updatedAt",
  coalesce((select attempts from webhook_progress progress where progress.webhook_id = webhooks.id), 0) as "failedAttempts",
  ${nextAttemptAt} as "nextAttemptAt"`;

export const { find: findWebhook, lock: lockWebhook } = findersOf<WebhookView>(webhook, columns);

const insert = auditedInsert(webhook);
const update = auditedUpdate(webhook, [
  'url',
  'entities',
  'actions',
  'fields',
  'headerNames',
  'headersChangedAt',
  'description',
  'active',
  'disabledReason',
  'secretRotatedAt',
]);
const remove = auditedDelete(webhook);

/** Checks whether a URL is a permitted target for a company, or for all. */
type CheckTarget = (url: string, companyId: string | null) => Promise<void>;

/**
 * Creates a webhook that starts after the last change. Idempotent by its id: an existing one with the same content is returned without
 * its secret.
 *
 * @throws ApiError `ROLE_REQUIRED`, `COMPANY_FORBIDDEN`, `INVALID_INPUT`, `LIMIT_REACHED`
 */
export async function createWebhook(
  db: Database,
  { caller, actor, scope }: WriteRequest,
  { companyId, id = randomUUID(), headers = {}, ...given }: NewWebhook,
  checkTarget: CheckTarget,
): Promise<WebhookWithSecret> {
  if (companyId === undefined && !isSuperAdmin(caller)) {
    throw new ApiError('ROLE_REQUIRED', 'A webhook for all companies needs the role Super Admin: name a company.');
  }
  await checkTarget(given.url, companyId ?? null);
  const secret = newSecret();
  const created = await db.transaction(async (transaction) => {
    if (companyId !== undefined) await assertCompanyVisible(transaction, scope, companyId);
    const row = { id, companyId: companyId ?? null, ...given, headerNames: namesOf(headers), active: true };
    const present = await findSameWebhook(transaction, row);
    if (present !== undefined) return { ...present, secret: '' };
    await assertBelowLimit(transaction, companyId);
    await write(transaction, insert([{ ...row, keyId: 'keyId' in caller ? caller.keyId : null }], actor));
    await transaction.query(sql`insert into webhook_secrets (webhook_id, secret) values (${id}, ${secret})`);
    await writeHeaders(transaction, id, headers);
    // The delay leaves time to set the exact start position below; should the process die before that, this one applies.
    await transaction.query(sql`
      insert into webhook_progress (webhook_id, position, next_try_at)
      select ${id}::uuid, position, now() + interval '5 seconds' from change_feed`);
    return { ...(await findWebhook(transaction, id, 'all')), secret };
  });
  // After the commit nothing fails: the webhook then begins where the feed was, and may repeat a few changes.
  if (created.secret !== '') await beginBehindItself(db, id).catch(() => undefined);
  return created;
}

/** Returns the webhook with the id of a create, if there is one. @throws ApiError `ALREADY_EXISTS` if it has other content */
async function findSameWebhook(
  db: Reader,
  { id, ...row }: Omit<WebhookPatch, 'headers'> & { id: string; companyId: string | null; headerNames: string | null },
): Promise<WebhookView | undefined> {
  const [present] = await db.query<WebhookView>(sql`select ${columns} from webhooks where id = ${id}`);
  if (present === undefined) return undefined;
  if (Object.keys(changedFields(row, asStored(present))).length === 0) return present;
  throw alreadyExists(webhook, ['id']);
}

/** Returns what answers show as lists as it is stored. */
export function asStored<View extends object>(
  view: View,
): { [Name in keyof View]: View[Name] extends string[] | null ? string | null : View[Name] } {
  return Object.fromEntries(
    Object.entries(view).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value]),
  ) as never;
}

function namesOf(headers: OwnHeaders): string | null {
  return Object.keys(headers).sort().join(' ') || null;
}

/** Replaces the own headers of a webhook. @returns whether they were others */
async function writeHeaders(transaction: Transaction, id: string, headers: OwnHeaders): Promise<boolean> {
  const given = sql`
    json_to_recordset(${JSON.stringify(Object.entries(headers).map(([name, value]) => ({ name, value })))}::text::json)
      as given (name text, value text)`;
  const gone = await transaction.query(sql`
    delete from webhook_headers kept where webhook_id = ${id}
       and not exists (select from ${given} where given.name = kept.name and given.value = kept.value) returning name`);
  const added = await transaction.query(sql`
    insert into webhook_headers (webhook_id, name, value) select ${id}::uuid, name, value from ${given}
        on conflict do nothing returning name`);
  return gone.length + added.length > 0;
}

/** Moves a new webhook behind the change that created it, so that nothing committed earlier is sent. */
async function beginBehindItself(db: Database, id: string): Promise<void> {
  await publishAll(db);
  await db.query(sql`
    update webhook_progress progress set position = made.position, next_try_at = now()
      from audit_changes made
     where progress.webhook_id = ${id} and made.entity = 'webhook' and made.entity_id = ${id} and made.action = 'added'
       and made.company_id is not distinct from (select company_id from webhooks where id = ${id}::uuid)
       and made.position is not null`);
}

async function assertBelowLimit(transaction: Transaction, companyId: string | undefined): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${advisoryLock('webhooks')})`);
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*)::integer as count from webhooks where company_id is not distinct from ${companyId ?? null}::uuid`);
  if ((row?.count ?? 0) < MAX_WEBHOOKS) return;
  throw new ApiError('LIMIT_REACHED', `There are ${MAX_WEBHOOKS} webhooks already: delete one first.`);
}

/**
 * Returns one page of the webhooks of a company, or of all, newest first.
 *
 * @throws ApiError `INVALID_INPUT` where a caller other than a Super Admin names no company
 */
export function listWebhooks(
  db: Reader,
  requested: Parameters<typeof listByCompany>[1],
  page: PageRequest,
): Promise<Page<WebhookView>> {
  return listByCompany<WebhookView>(db, requested, { table: webhook.table, columns }, page);
}

/** Updates a webhook. `active` true and another URL resume delivery immediately where it stopped. @throws ApiError `NOT_FOUND`, `INVALID_INPUT` */
export async function updateWebhook(
  db: Database,
  { scope, actor }: WriteRequest,
  { id, patch: { headers, ...patch } }: { id: string; patch: WebhookPatch },
  checkTarget: CheckTarget,
): Promise<WebhookView> {
  const { companyId } = await findWebhook(db, id, scope);
  if (patch.url !== undefined) await checkTarget(patch.url, companyId);
  return db.transaction(async (transaction) => {
    const changes = changedFields(patch, asStored(await lockWebhook(transaction, id, scope)));
    const all = {
      ...changes,
      ...(changes.active === true && { disabledReason: null }),
      ...(headers !== undefined &&
        (await writeHeaders(transaction, id, headers)) && {
          headerNames: namesOf(headers),
          headersChangedAt: new Date().toISOString(),
        }),
    };
    if (Object.keys(all).length > 0) await write(transaction, update({ id, patch: all, actor }));
    // Whoever activates it again, or names another address, has mended the receiver.
    if (patch.active === true || changes.url !== undefined) await tryAtOnce(transaction, id);
    return findWebhook(transaction, id, scope);
  });
}

/** Ends the pause after failed attempts. */
export async function tryAtOnce(db: Writer, id: string): Promise<void> {
  await db.query(
    sql`update webhook_progress set attempts = 0, next_try_at = now() where webhook_id = ${id} and next_try_at > now()`,
  );
}

/** Deletes a webhook, and returns it as it was. @throws ApiError `NOT_FOUND` */
export function deleteWebhook(db: Database, { scope, actor }: WriteRequest, id: string): Promise<WebhookView> {
  return db.transaction(async (transaction) => {
    const present = await lockWebhook(transaction, id, scope);
    await write(transaction, remove([id], actor));
    return present;
  });
}

/** Creates a new secret; former ones keep signing for a day, ten in all at most. @throws ApiError `NOT_FOUND`, `LIMIT_REACHED` */
export function rotateSecret(db: Database, { scope, actor }: WriteRequest, id: string): Promise<WebhookWithSecret> {
  const secret = newSecret();
  return db.transaction(async (transaction) => {
    await lockWebhook(transaction, id, scope);
    await transaction.query(sql`
      update webhook_secrets set expires_at = now() + ${ROTATION_HOURS}::integer * interval '1 hour'
       where webhook_id = ${id} and expires_at is null`);
    const kept = await transaction.query(sql`
      with over as (delete from webhook_secrets where webhook_id = ${id} and expires_at < now())
      select from webhook_secrets where webhook_id = ${id} and expires_at >= now()`);
    if (kept.length >= MAX_SECRETS) {
      throw new ApiError(
        'LIMIT_REACHED',
        `${MAX_SECRETS} secrets sign already, each for ${ROTATION_HOURS} hours after its rotation: try again when the first has expired.`,
      );
    }
    await transaction.query(sql`insert into webhook_secrets (webhook_id, secret) values (${id}, ${secret})`);
    const patch = { secretRotatedAt: new Date().toISOString() };
    await write(transaction, update({ id, patch, actor }));
    return { ...(await findWebhook(transaction, id, scope)), secret };
  });
}
