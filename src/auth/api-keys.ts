import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sql from 'sql-template-tag';
import type { Reader, Writer } from '../db/database.ts';
import type { Scope } from '../domain/api-key.ts';

/** Another system that calls by an API key. */
export interface KeyCaller {
  keyId: string;
  /** The company that it reaches; null: every active one. */
  companyId: string | null;
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

/** Finds the keys of these hashes that are good at this moment, in this order: neither revoked nor expired, and of no closed company; undefined for all others. */
export async function findKeys(db: Reader, hashes: readonly string[]): Promise<(KeyCaller | undefined)[]> {
  const found = await db.query<{ hash: string; keyId: string; companyId: string | null; scopes: string }>(sql`
    select hash, id as "keyId", company_id as "companyId", scopes
      from api_keys
     where hash = any(array(select json_array_elements_text(${JSON.stringify([...new Set(hashes)])}::text::json)))
       and revoked_at is null and (expires_at is null or expires_at > now())
       and (company_id is null or exists (select from companies where id = company_id and active))`);
  const byHash = new Map(
    found.map(({ hash: known, scopes, ...key }) => [known, { ...key, scopes: scopes.split(' ') as Scope[] }]),
  );
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
