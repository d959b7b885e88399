import sql, { type Sql } from 'sql-template-tag';
import { checkOptional, checkValue, parseBody, readValues, validOrThrow } from '../../api/body.ts';
import { getCompanyOrForbid } from '../../api/company-row.ts';
import { findersOf, listByCompany } from '../../api/list-by-company.ts';
import { alreadyExists, type WriteRequest } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { isCurrentKey, isSuspendedKey, type KeyCaller } from '../../auth/callers/api-keys.ts';
import { type Caller, isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import type { Page, PageRequest } from '../../db/sql/select-page.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { ApiError, apiErrors, problemOf } from '../../entities/api-error.ts';
import { apiKey } from '../../entities/api-key.ts';
import { allOf, checkKnown } from '../../entities/check-fields.ts';
import { choice, timestamp, uuid } from '../../entities/values.ts';
import {
  type ApiKeyView,
  type NewApiKeyView,
  type OwnApiKeyView,
  type RevokedApiKeyView,
  SHOWN_FIELDS,
  WEBHOOK_FATES,
  type WebhookOfKey,
} from './api-keys-schemas.ts';
import { endApiKey } from './end-keys.ts';
import { addApiKey, checkExpiry, checkScopes, type NewApiKey } from './new-api-key.ts';

/** A new key as requested; without a company it belongs to the platform. */
export type GivenApiKey = Omit<NewApiKey, 'companyId'> & { companyId?: string };

const confirm = auditedUpdate(apiKey, ['confirmedBy']);

const columns: Sql = sql`
  ${selectFields(apiKey, SHOWN_FIELDS)}, to_json(string_to_array(scopes, ' ')) as scopes,
  ${isCurrentKey} and ${isSuspendedKey} as suspended, ${isoTimestamp(sql`last_used_at`)} as "lastUsedAt"`;

export const { find: findApiKey, lock: lockApiKey } = findersOf<ApiKeyView>(apiKey, columns);

/** Parses the body of a create. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readNewApiKey(raw: unknown): GivenApiKey {
  const given = parseBody(raw);
  const end = checkOptional('expiresAt', timestamp, given);
  const [name, scopes, companyId, expiresAt, , id, directoryId] = validOrThrow(
    allOf(
      checkValue('name', apiKey.fields.name.kind, given.name),
      checkScopes(given.scopes, 'companyId' in given),
      checkOptional('companyId', uuid, given),
      end.ok ? checkExpiry(end.value ?? null) : end,
      checkKnown(given, ['id', 'name', 'scopes', 'companyId', 'expiresAt', 'directoryId']),
      checkOptional('id', uuid, given),
      checkOptional('directoryId', uuid, given),
    ),
  );
  return { id, name, scopes, expiresAt, directoryId, ...(companyId === undefined ? {} : { companyId }) };
}

/**
 * Creates a key. Idempotent by its id: an existing one with the same content is returned without the key itself.
 *
 * @throws ApiError `ROLE_REQUIRED` for a platform key, `COMPANY_FORBIDDEN` for an unknown company, `LIMIT_REACHED`, `ALREADY_EXISTS`
 */
export async function createApiKey(
  db: Database,
  { caller, actor }: { caller: Caller; actor: Actor },
  given: GivenApiKey,
): Promise<NewApiKeyView> {
  const { companyId } = given;
  if (companyId === undefined && !isSuperAdmin(caller)) {
    throw new ApiError('ROLE_REQUIRED', 'A key of the platform needs the role Super Admin: name a company.');
  }
  return db.transaction(async (transaction) => {
    if (companyId !== undefined) await getCompanyOrForbid(transaction, companyId);
    const present = await findSameApiKey(transaction, given);
    if (present !== undefined) return { ...present, key: '' };
    await assertDirectory(transaction, given);
    const { id, key } = await addApiKey(transaction, actor, { ...given, companyId: companyId ?? null });
    return { ...(await findApiKey(transaction, id, 'all')), key };
  });
}

/** Asserts that a key for a directory is one for SCIM, and of its company. @throws ApiError `INVALID_INPUT` */
async function assertDirectory(
  transaction: Transaction,
  { directoryId, companyId, scopes }: GivenApiKey,
): Promise<void> {
  if (directoryId === undefined) return;
  const [found] = await transaction.query(sql`
    select id from directories where id = ${directoryId}::uuid and company_id = ${companyId ?? null}::uuid for key share`);
  if (found !== undefined && scopes.includes('scim')) return;
  const predicate = found ? 'needs the scope scim' : 'must be the id of a directory of this company';
  throw apiErrors.invalidInput([problemOf('directoryId', 'INVALID_VALUE', predicate)]);
}

/**
 * Returns one page of the keys of a company, or of all, newest first. @throws ApiError `INVALID_INPUT` if the company is missing and the
 * caller is not a Super Admin
 */
export function listApiKeys(
  db: Reader,
  requested: Parameters<typeof listByCompany>[1],
  page: PageRequest,
): Promise<Page<ApiKeyView>> {
  return listByCompany<ApiKeyView>(db, requested, { table: apiKey.table, columns }, page);
}

/** Reads the body of a revocation. @throws ApiError `INVALID_INPUT` */
export function readRevocation(raw: unknown): { id: string; keepsWebhooks: boolean } {
  const { id, webhooks } = readValues(raw, { id: uuid }, { webhooks: choice(WEBHOOK_FATES) });
  return { id, keepsWebhooks: webhooks === 'keep' };
}

/**
 * Revokes a key from the next request on, and stops the webhooks that it made or leaves them to the company; a revoked one stays unchanged.
 *
 * @throws ApiError `NOT_FOUND`
 */
export function revokeApiKey(
  db: Database,
  { scope, actor }: WriteRequest,
  { id, keepsWebhooks }: { id: string; keepsWebhooks: boolean },
): Promise<RevokedApiKeyView> {
  return db.transaction(async (transaction) => {
    const present = await lockApiKey(transaction, id, scope);
    if (present.revokedAt === null) await endApiKey(transaction, actor, id, { keepsWebhooks });
    const webhooks = await transaction.query<WebhookOfKey>(sql`
      select id, url, active from webhooks where key_id = ${id}::uuid order by created_at, id`);
    return { ...(await findApiKey(transaction, id, scope)), ...(webhooks.length > 0 ? { webhooks } : {}) };
  });
}

/** Returns the key with the id of a create, if there is one. @throws ApiError `ALREADY_EXISTS` if it has other content */
async function findSameApiKey(db: Reader, { id, ...given }: GivenApiKey): Promise<ApiKeyView | undefined> {
  if (id === undefined) return undefined;
  const [present] = await db.query<ApiKeyView>(sql`select ${columns} from api_keys where id = ${id}`);
  if (present === undefined) return undefined;
  const { name, scopes, companyId, expiresAt, revokedAt } = present;
  const contentOf = (...fields: unknown[]) => JSON.stringify(fields);
  const instant = (time: string | null) => time && Date.parse(time);
  const isSame =
    contentOf(name, scopes, companyId, instant(expiresAt)) ===
    contentOf(given.name, given.scopes, given.companyId ?? null, instant(given.expiresAt));
  if (isSame && revokedAt === null) return present;
  throw alreadyExists(apiKey, ['id']);
}

/** Makes the caller answer for a suspended key; any other one stays unchanged. @throws ApiError `NOT_FOUND` */
export function confirmApiKey(
  db: Database,
  { caller, scope, actor }: WriteRequest & { caller: Caller },
  id: string,
): Promise<ApiKeyView> {
  return db.transaction(async (transaction) => {
    const present = await lockApiKey(transaction, id, scope);
    if (!present.suspended) return present;
    const patch = { confirmedBy: caller.userId };
    await write(transaction, confirm({ id, patch, actor }));
    return findApiKey(transaction, id, scope);
  });
}

/** Returns the calling key, with its company. */
export async function findOwnKey(db: Reader, { keyId, companyId }: KeyCaller): Promise<OwnApiKeyView> {
  const [company = null] = await db.query<{ id: string; name: string }>(sql`
    select id, name from companies where id = ${companyId}::uuid`);
  return { ...(await findApiKey(db, keyId, 'all')), company };
}
