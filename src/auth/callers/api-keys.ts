import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import type { Reader, Writer } from '../../db/database.ts';
import type { Scope } from '../../entities/api-key.ts';

/** Another system that calls by an API key. */
export interface KeyCaller {
  keyId: string;
  /** The company that it reaches; null: every active one. */
  companyId: string | null;
  /** The person who made it; null where it was the command line. */
  createdBy: string | null;
  scopes: readonly Scope[];
}

/** Whether a token is meant to be an API key, good or not. */
export function isApiKey(token: string): boolean {
  return token.startsWith('odk_');
}

/** What the database knows a key by: its SHA-256 in hexadecimal. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What a request that brings a key asks for besides, where an operation reads that in the statement that finds the key. */
export interface WantedKey {
  hash: string;
  asked: string;
}

/** How an operation reads keys and what they ask for by one statement. */
export interface KeyFinder<Found extends KeyCaller> {
  /** What the query of a request asks for; undefined: nothing that this finds, so that the key is looked up alone. */
  readonly lookupKeyOf: (query: unknown) => string | undefined;
  /** Like {@link findKeys}. */
  readonly find: (db: Reader, wanted: readonly WantedKey[]) => Promise<(Found | undefined)[]>;
}

/** A row with the columns {@link apiKeyColumns}. */
export interface KeyRow {
  keyId: string;
  companyId: string | null;
  createdBy: string | null;
  scopes: string;
}

/** The columns of a {@link KeyRow}, for a statement that selects from `api_keys`. */
export const apiKeyColumns: Sql = sql`
  api_keys.id as "keyId", api_keys.company_id as "companyId", api_keys.created_by as "createdBy", api_keys.scopes`;

/** Whether a row of `api_keys` has not ended: neither revoked nor expired. */
export const isCurrentKey: Sql = sql`
  api_keys.revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > now())`;

/** Whether a row of `api_keys` is good at this moment: it has not ended, and is of no closed company. */
export const isGoodKey: Sql = sql`
  ${isCurrentKey}
  and (api_keys.company_id is null or exists (select from companies where id = api_keys.company_id and active))`;

export function keyCaller({ keyId, companyId, createdBy, scopes }: KeyRow): KeyCaller {
  return { keyId, companyId, createdBy, scopes: scopes.split(' ') as Scope[] };
}

/** Finds the keys of these hashes that are good at this moment, in this order; undefined for all others. */
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
 * Notes when keys were last used, to the minute: at most one statement a minute for each, and none waits for it.
 *
 * @param failed is told why a use was not noted
 */
export function noteUses(db: Writer, failed: (error: unknown) => void): (keyId: string) => void {
  const noted = new LRUCache<string, number>({ max: MAX_REMEMBERED_KEYS });
  return (keyId) => {
    const minute = Math.floor(Date.now() / MINUTE);
    if (noted.get(keyId) === minute) return;
    noted.set(keyId, minute);
    db.query(sql`
      update api_keys set last_used_at = date_trunc('minute', now())
       where id = ${keyId} and last_used_at is distinct from date_trunc('minute', now())`).catch(failed);
  };
}
