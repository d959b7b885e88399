import { randomInt, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { checkChoices } from '../../api/body.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedInsert, write } from '../../audit/audited-write.ts';
import { hashOfKey, isCurrentKey } from '../../auth/callers/api-keys.ts';
import type { Transaction } from '../../db/database.ts';
import { ApiError, type FieldProblemCode, problemOf } from '../../entities/api-error.ts';
import { apiKey, MAX_COMPANY_KEYS, SCOPES, type Scope } from '../../entities/api-key.ts';
import { type Checked, invalid, valid } from '../../entities/check-fields.ts';
import { directory } from '../../entities/directory.ts';

/** The validated properties of a new key. */
export interface NewApiKey {
  /** Absent: one is generated. */
  id?: string | undefined;
  name: string;
  scopes: readonly Scope[];
  /** Null: a platform key. */
  companyId: string | null;
  /** A date-time in the future; null: it does not expire. */
  expiresAt: string | null;
  /** The directory to which a key for SCIM belongs; absent: a new one. */
  directoryId?: string | undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const RANDOM_CHARACTERS = 43;
const PREFIX_LENGTH = 12;

const insert = auditedInsert(apiKey);
const insertDirectory = auditedInsert(directory);

/**
 * Creates a key.
 *
 * @returns its id, and the key itself, which is shown only here and stored nowhere
 * @throws ApiError `LIMIT_REACHED`
 */
export async function addApiKey(
  transaction: Transaction,
  actor: Actor,
  given: NewApiKey,
): Promise<{ id: string; key: string }> {
  if (given.companyId !== null) await assertRoom(transaction, given.companyId);
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const key = `odk_${random.join('')}`;
  const row = {
    id: given.id ?? randomUUID(),
    name: given.name,
    companyId: given.companyId,
    scopes: given.scopes.join(' '),
    prefix: key.slice(0, PREFIX_LENGTH),
    hash: hashOfKey(key),
    confirmedBy: null,
    createdBy: actor.kind === 'user' ? actor.userId : null,
    expiresAt: given.expiresAt,
    directoryId: given.directoryId ?? null,
  };
  if (row.companyId !== null && row.directoryId === null && given.scopes.includes('scim')) {
    const { id, companyId, name } = row;
    const own = { id, companyId, name, kind: 'OTHER', connectionId: null, active: true } as const;
    await write(transaction, insertDirectory([own], actor));
  }
  await write(transaction, insert([row], actor));
  return { id: row.id, key };
}

/** Checks that the company may have another key. Locks the company row, so that concurrent creates cannot exceed the limit. */
async function assertRoom(transaction: Transaction, companyId: string): Promise<void> {
  await transaction.query(sql`select from companies where id = ${companyId} for no key update`);
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*)::integer as count from api_keys where company_id = ${companyId} and ${isCurrentKey}`);
  if ((row?.count ?? 0) < MAX_COMPANY_KEYS) return;
  throw new ApiError('LIMIT_REACHED', `The company has ${MAX_COMPANY_KEYS} API keys already: revoke one first.`);
}

/** Checks a list of scopes: one or more, without duplicates. A platform key cannot have `scim`, which covers the people of one company. */
export function checkScopes(given: unknown, ofCompany: boolean): Checked<Scope[]> {
  const wrong = (code: FieldProblemCode, predicate: string) => invalid(problemOf('scopes', code, predicate));
  if (given === undefined) return wrong('REQUIRED', 'is required');
  if (!Array.isArray(given)) return wrong('INVALID_TYPE', `must be a list of ${SCOPES.join(', ')}`);
  if (given.length === 0) return wrong('TOO_SHORT', 'must have at least one scope');
  const checked = checkChoices('scopes', SCOPES, given);
  const index = given.indexOf('scim');
  if (given.length > SCOPES.length || index < 0 || ofCompany) return checked;
  const problem = problemOf(`scopes[${index}]`, 'INVALID_VALUE', 'must not be scim: that is for keys of a company');
  return invalid(...(checked.ok ? [] : checked.problems), problem);
}

/** Checks an expiry: a date-time in the future, or null for none. */
export function checkExpiry(expiresAt: string | null): Checked<string | null> {
  if (expiresAt === null || Date.parse(expiresAt) > Date.now()) return valid(expiresAt);
  return invalid(problemOf('expiresAt', 'OUT_OF_RANGE', 'must be in the future'));
}
