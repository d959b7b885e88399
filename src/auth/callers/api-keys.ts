import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import { worksOn } from '../../audit/entity-sql.ts';
import type { Reader, Writer } from '../../db/database.ts';
import type { Scope } from '../../entities/api-key.ts';

/** A system that authenticates with an API key. */
export interface KeyCaller {
  keyId: string;
  /** Company in scope; null: every active one. */
  companyId: string | null;
  /** The directory that calls with it. */
  directoryId: string;
  /** User who created it; null if created on the command line. */
  createdBy: string | null;
  /** User who confirmed it after its creator had left. */
  confirmedBy: string | null;
  /** Whether nobody who answers for it could create it now: it then gives nobody more than an employee has. */
  isSuspended: boolean;
  scopes: readonly Scope[];
}

/** Returns whether a token has the form of an API key, valid or not. */
export function isApiKey(token: string): boolean {
  return token.startsWith('odk_');
}

/** Returns the SHA-256 of a key in hexadecimal; the database stores this alone. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Lookup by an API key: its hash and the requested data, where an operation reads both in one statement. */
export interface WantedKey {
  hash: string;
  requested: string;
}

/** Reads keys together with the requested data in one statement. */
export interface KeyFinder<Found extends KeyCaller> {
  /** Returns the requested data of a query string; undefined: not covered, so the key is looked up alone. */
  readonly lookupKeyOf: (query: unknown) => string | undefined;
  /** Like {@link findKeys}. */
  readonly find: (db: Reader, wanted: readonly WantedKey[]) => Promise<(Found | undefined)[]>;
}

/** A row with the columns {@link apiKeyColumns}. */
export type KeyRow = Omit<KeyCaller, 'scopes'> & { scopes: string };

/** The id of the person who answers for a row of `api_keys`; null for keys of the command line. */
export const answerableForKey: Sql = sql`coalesce(api_keys.confirmed_by, api_keys.created_by)`;

/** Condition that who answers for a row of `api_keys` could not create it now: deactivated, or no administrator of its company. */
export const isSuspendedKey: Sql = sql`
  (${answerableForKey} is not null and not exists (
    select from users maker
     where maker.id = ${answerableForKey} and ${worksOn('maker')}
       and (exists (select from system_roles
                     where system_roles.user_id = maker.id and system_roles.role = 'SUPER_ADMIN' and system_roles.active)
            or exists (select from company_roles
                        where company_roles.user_id = maker.id and company_roles.role = 'CORPORATE_ADMIN'
                          and company_roles.company_id = api_keys.company_id))))`;

/** The directory of a row of `api_keys`; of one with its first key the ids are the same. */
export const directoryOfKey: Sql = sql`coalesce(api_keys.directory_id, api_keys.id)`;

/** Columns of a {@link KeyRow}, for a statement that selects from `api_keys`. */
export const apiKeyColumns: Sql = sql`
  api_keys.id as "keyId", api_keys.company_id as "companyId", ${directoryOfKey} as "directoryId", api_keys.created_by as "createdBy",
  api_keys.confirmed_by as "confirmedBy", ${isSuspendedKey} as "isSuspended", api_keys.scopes`;

/** Condition that a row of `api_keys` is neither revoked nor expired. */
export const isCurrentKey: Sql = sql`
  api_keys.revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > now())`;

/** Returns the condition that a row of `api_keys` is a key of a directory. @param id of the directory */
export function isKeyOfDirectory(id: Sql): Sql {
  return sql`(api_keys.directory_id = ${id} or api_keys.directory_id is null and api_keys.id = ${id})`;
}

/** Returns the condition that a directory has a key that it may use. @param id of the directory */
export function isUsedDirectory(id: Sql): Sql {
  return sql`(exists (select from directories where directories.id = ${id} and active)
    and exists (select from api_keys where ${isKeyOfDirectory(id)} and ${isCurrentKey}))`;
}

/** Condition that a row of `api_keys` is valid now: neither revoked nor expired, and not of a deactivated company or directory. */
export const isGoodKey: Sql = sql`
  ${isCurrentKey}
  and not exists (select from directories where directories.id = ${directoryOfKey} and not directories.active)
  and (api_keys.company_id is null or exists (select from companies where id = api_keys.company_id and active))`;

export function keyCaller(row: KeyRow): KeyCaller {
  const { keyId, companyId, directoryId, createdBy, confirmedBy, isSuspended, scopes } = row;
  return { keyId, companyId, directoryId, createdBy, confirmedBy, isSuspended, scopes: scopes.split(' ') as Scope[] };
}

/** Finds the currently valid keys with these hashes, in this order; undefined for all others. */
export async function findKeys(db: Reader, hashes: readonly string[]): Promise<(KeyCaller | undefined)[]> {
  const found = await db.query<KeyRow & { hash: string }>(sql`
    select hash, ${apiKeyColumns}
      from api_keys
     where hash = any(array(select json_array_elements_text(${JSON.stringify([...new Set(hashes)])}::text::json)))
       and ${isGoodKey}`);
  const byHash = new Map(found.map((row) => [row.hash, keyCaller(row)]));
  return hashes.map((wanted) => byHash.get(wanted));
}

const MINUTE = 60_000;
const MAX_REMEMBERED_KEYS = 10_000;

/**
 * Returns a function that records the last use of a key, to the minute: at most one statement per key and minute, not awaited.
 *
 * @param failed called with the error if recording fails
 */
export function noteUses(db: Writer, failed: (error: unknown) => void): (keyId: string) => void {
  const noted = new LRUCache<string, number>({ maxSize: MAX_REMEMBERED_KEYS, sizeCalculation: () => 1 });
  return (keyId) => {
    const minute = Math.floor(Date.now() / MINUTE);
    if (noted.get(keyId) === minute) return;
    noted.set(keyId, minute);
    db.query(sql`
      update api_keys set last_used_at = date_trunc('minute', now())
       where id = ${keyId} and last_used_at is distinct from date_trunc('minute', now())`).catch(failed);
  };
}
