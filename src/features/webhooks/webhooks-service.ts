import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import { changedFields } from '../../api/body.ts';
import { getCompanyOrForbid } from '../../api/company-row.ts';
import { listByCompany } from '../../api/list-by-company.ts';
import { inScope, notFound, type WriteRequest } from '../../api/write-request.ts';
import { auditedDelete, auditedInsert, auditedUpdate } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { publishAll } from '../../audit/publish.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import { type Caller, isSuperAdmin } from '../../auth/callers/roles.ts';
import { advisoryLock } from '../../db/advisory-locks.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { webhook } from '../../entities/webhook.ts';
import { ApiError, apiErrors } from '../../lib/errors.ts';
import { openCourier } from './deliver.ts';
import { KEPT_DELIVERIES, leaseWebhook, recordDeliveries, releaseWebhook } from './delivery-queries.ts';
import { ForbiddenAddressError, permittedAddresses, UnknownHostError } from './public-addresses.ts';
import { newSecret } from './signature.ts';
import type { NewWebhook, WebhookPatch } from './webhooks-input.ts';
import { type DeliveryView, SHOWN_FIELDS, type WebhookView, type WebhookWithSecret } from './webhooks-schemas.ts';

/** Webhooks of a company, or of all companies, at most. */
const MAX_WEBHOOKS = 20;
/** Hours for which a former secret goes on signing. */
const ROTATION_HOURS = 24;

const columns: Sql = sql`
  ${selectFields(webhook, SHOWN_FIELDS)}, to_json(string_to_array(entities, ' ')) as entities`;

const insert = auditedInsert(webhook);
const update = auditedUpdate(webhook, ['url', 'entities', 'description', 'active', 'disabledReason']);
const remove = auditedDelete(webhook);

/** Makes a webhook that begins behind the last change. @throws ApiError `ROLE_REQUIRED`, `COMPANY_FORBIDDEN`, `INVALID_INPUT`, `LIMIT_REACHED` */
export async function createWebhook(
  db: Database,
  { caller, actor }: WriteRequest,
  { companyId, ...given }: NewWebhook,
  permitsPrivate: boolean,
): Promise<WebhookWithSecret> {
  if (companyId === undefined && !isSuperAdmin(caller)) {
    throw new ApiError('ROLE_REQUIRED', 'A webhook for all companies needs the role Super Admin: name a company.');
  }
  await checkTarget(given.url, permitsPrivate);
  const [id, secret] = [randomUUID(), newSecret()];
  const created = await db.transaction(async (transaction) => {
    if (companyId !== undefined) await getCompanyOrForbid(transaction, companyId);
    await expectRoom(transaction, companyId);
    const row = { id, companyId: companyId ?? null, ...given, active: true, disabledReason: null, createdAt: null };
    await transaction.query(sql`with ${insert([row], actor)} select from written`);
    await transaction.query(sql`insert into webhook_secrets (webhook_id, secret) values (${id}, ${secret})`);
    // Not sent to until it is known where it begins; a process that ends before leaves it to begin with what it finds.
    await transaction.query(sql`
      insert into webhook_progress (webhook_id, position, next_try_at)
      select ${id}::uuid, position, now() + interval '5 seconds' from change_feed`);
    return { ...(await findWebhook(transaction, id, 'all')), secret };
  });
  await beginBehindItself(db, id);
  return created;
}

/** Has a webhook begin behind the change that made it: what was committed before is none "from then on". */
async function beginBehindItself(db: Database, id: string): Promise<void> {
  await publishAll(db);
  await db.query(sql`
    update webhook_progress progress set position = made.position, next_try_at = now()
      from audit_changes made
     where progress.webhook_id = ${id} and made.entity = 'webhook' and made.entity_id = ${id} and made.action = 'added'
       and made.company_id is not distinct from (select company_id from webhooks where id = ${id}::uuid)
       and made.position is not null`);
}

async function expectRoom(transaction: Transaction, companyId: string | undefined): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${advisoryLock('webhooks')})`);
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*)::integer as count from webhooks where company_id is not distinct from ${companyId ?? null}::uuid`);
  if ((row?.count ?? 0) < MAX_WEBHOOKS) return;
  throw new ApiError('LIMIT_REACHED', `There are ${MAX_WEBHOOKS} webhooks already: delete one first.`);
}

/** Looks whether a webhook may be sent to. @throws ApiError `INVALID_INPUT` */
async function checkTarget(url: string, permitsPrivate: boolean): Promise<void> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !permitsPrivate) {
    throw apiErrors.invalidInput([{ field: 'url', code: 'INVALID_VALUE', message: 'url must begin with https://.' }]);
  }
  try {
    await permittedAddresses(hostname, permitsPrivate);
  } catch (error) {
    if (!(error instanceof ForbiddenAddressError || error instanceof UnknownHostError)) throw error;
    throw apiErrors.invalidInput([{ field: 'url', code: 'INVALID_VALUE', message: `url: ${error.message}` }]);
  }
}

/** One page of the webhooks of a company, or of all, the newest first. @throws ApiError `INVALID_INPUT` where somebody else than a Super Admin names no company */
export function listWebhooks(
  db: Reader,
  asked: { caller: Caller; companyId: string | undefined },
  page: PageRequest,
): Promise<Page<WebhookView>> {
  return listByCompany<WebhookView>(db, asked, { table: webhook.table, columns }, page);
}

/** A webhook within reach. @throws ApiError `NOT_FOUND` */
export async function findWebhook(db: Reader, id: string, reach: CompanyScope): Promise<WebhookView> {
  const [found] = await db.query<WebhookView>(sql`
    select ${columns} from webhooks where id = ${id} and ${inScope(reach, sql`company_id`)}`);
  if (found === undefined) throw notFound(webhook.noun);
  return found;
}

async function lock(transaction: Transaction, id: string, reach: CompanyScope): Promise<WebhookView> {
  await transaction.query(sql`select from webhooks where id = ${id} for update`);
  return findWebhook(transaction, id, reach);
}

/** Changes a webhook. Switched on it tries at once, and goes on where it stood. @throws ApiError `NOT_FOUND`, `INVALID_INPUT` */
export async function updateWebhook(
  db: Database,
  { reach, actor }: WriteRequest,
  { id, patch }: { id: string; patch: WebhookPatch },
  permitsPrivate: boolean,
): Promise<WebhookView> {
  await findWebhook(db, id, reach);
  if (patch.url !== undefined) await checkTarget(patch.url, permitsPrivate);
  return db.transaction(async (transaction) => {
    const { entities, ...present } = await lock(transaction, id, reach);
    const changes = changedFields(patch, { ...present, entities: entities?.join(' ') ?? null });
    if (Object.keys(changes).length === 0) return { entities, ...present };
    const isOn = changes.active === true;
    const all = isOn ? { ...changes, disabledReason: null } : changes;
    await transaction.query(sql`with ${update({ id, patch: all, actor })} select from written`);
    if (isOn) {
      await transaction.query(sql`
        update webhook_progress set attempts = 0, next_try_at = now() where webhook_id = ${id}`);
    }
    return findWebhook(transaction, id, reach);
  });
}

/** Removes a webhook, and gives it as it was. @throws ApiError `NOT_FOUND` */
export function deleteWebhook(db: Database, { reach, actor }: WriteRequest, id: string): Promise<WebhookView> {
  return db.transaction(async (transaction) => {
    const present = await lock(transaction, id, reach);
    await transaction.query(sql`with ${remove([id], actor)} select from written`);
    return present;
  });
}

/** Makes a new secret; the one of before signs as well for a day. @throws ApiError `NOT_FOUND` */
export function rotateSecret(db: Database, { reach }: WriteRequest, id: string): Promise<WebhookWithSecret> {
  const secret = newSecret();
  return db.transaction(async (transaction) => {
    const present = await lock(transaction, id, reach);
    await transaction.query(sql`delete from webhook_secrets where webhook_id = ${id} and expires_at < now()`);
    await transaction.query(sql`
      update webhook_secrets set expires_at = now() + ${ROTATION_HOURS}::integer * interval '1 hour'
       where webhook_id = ${id} and expires_at is null`);
    await transaction.query(sql`insert into webhook_secrets (webhook_id, secret) values (${id}, ${secret})`);
    return { ...present, secret };
  });
}

/** Milliseconds for which a test waits while something is being sent, and between two looks. */
const [TEST_DEADLINE_MS, TEST_LOOK_MS] = [5_000, 100];

/**
 * Sends one message of the type `test`, also where the webhook is switched off. Waits where something is being sent.
 *
 * @throws ApiError `NOT_FOUND`, `UNAVAILABLE` where something is being sent all the time
 */
export async function testWebhook(
  db: Database,
  { reach }: WriteRequest,
  id: string,
  permitsPrivate: boolean,
): Promise<DeliveryView> {
  await findWebhook(db, id, reach);
  const lease = randomUUID();
  let leased = await leaseWebhook(db, lease, id);
  for (let waited = 0; leased === undefined && waited < TEST_DEADLINE_MS; waited += TEST_LOOK_MS) {
    await sleep(TEST_LOOK_MS);
    leased = await leaseWebhook(db, lease, id);
  }
  if (leased === undefined) {
    const headers = { 'retry-after': '5' };
    throw new ApiError('UNAVAILABLE', 'Something is being sent to this webhook: try again shortly.', { headers });
  }
  try {
    const body = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: { webhookId: id } });
    const message = { id: `msg_${randomUUID()}`, url: leased.url, body, secrets: leased.secrets };
    using courier = openCourier(permitsPrivate);
    const outcome = await courier.deliver(message, new AbortController().signal);
    const delivery = { webhookId: id, changeId: null, type: 'test', attempt: 1 };
    await recordDeliveries(db, lease, [{ ...delivery, outcome }]);
    const { at, status, error, milliseconds } = outcome;
    return { at: at.toISOString(), ...delivery, status, error, milliseconds };
  } finally {
    await releaseWebhook(db, lease, id);
  }
}

/** One page of the last tries of a webhook, the newest first. @throws ApiError `NOT_FOUND` */
export async function listDeliveries(
  db: Reader,
  { id, reach }: { id: string; reach: CompanyScope },
  page: PageRequest,
): Promise<Page<DeliveryView>> {
  await findWebhook(db, id, reach);
  const kept = sql`
    webhook_id = ${id} and id > coalesce(
      (select id from webhook_deliveries where webhook_id = ${id} order by id desc offset ${KEPT_DELIVERIES}::integer limit 1), 0)`;
  return selectPage<DeliveryView>(
    db,
    {
      columns: sql`
        ${isoTimestamp(sql`at`)} as at, webhook_id as "webhookId", change_id as "changeId", type, attempt, status, error, milliseconds`,
      from: sql`webhook_deliveries`,
      where: kept,
      orderBy: sql`id desc`,
    },
    page,
  );
}
