import sql from 'sql-template-tag';
import { hasEmail } from '../../../audit/entity-sql.ts';
import {
  apiKeyColumns,
  directoryOfKey,
  isGoodKey,
  type KeyCaller,
  type KeyFinder,
  type KeyRow,
  keyCaller,
  type WantedKey,
} from '../../../auth/callers/api-keys.ts';
import type { Reader } from '../../../db/database.ts';
import { isStorable } from '../../../entities/characters.ts';
import { isSeenBy, type ScimUserRow, scimUserColumns, scimUsersOf } from './user-row.ts';

/** The filter that directories usually send. Equivalent spellings take the general path, after authentication. */
const BY_USER_NAME = /^userName eq "([^"\\\p{Cc}]{1,1000})"$/iu;

/** API key of a request for a `userName`, read together with that user. */
export interface KeyAskingForUser extends KeyCaller {
  /** The user with that name who is visible to the company's directory; undefined where there is none. */
  user: ScimUserRow | undefined;
}

/** Reads the API key and the user in one statement: directories look up a `userName` before every change. */
export const keysAskingForUsers: KeyFinder<KeyAskingForUser> = {
  lookupKeyOf(query) {
    const { filter } = query as { filter?: unknown };
    const userName = typeof filter === 'string' ? BY_USER_NAME.exec(filter.trim())?.[1] : undefined;
    return userName !== undefined && isStorable(userName) ? userName : undefined;
  },
  find: findKeysWithUsers,
};

async function findKeysWithUsers(db: Reader, wanted: readonly WantedKey[]): Promise<(KeyAskingForUser | undefined)[]> {
  const found = await db.query<KeyRow & { index: number } & (ScimUserRow | { id: null })>(sql`
    select index, ${apiKeyColumns}, found.*
      from json_to_recordset(${JSON.stringify(wanted.map((one, index) => ({ ...one, index })))}::text::json)
             wanted (index integer, hash text, requested text)
      join api_keys on api_keys.hash = wanted.hash and ${isGoodKey}
      left join lateral (
        select ${scimUserColumns(directoryOfKey)} from ${scimUsersOf(directoryOfKey)}
         where ${isSeenBy(sql`api_keys.company_id`)} and ${hasEmail(sql`wanted.requested`)}) found on true`);
  const keys = new Map(found.map((row) => [row.index, { ...keyCaller(row), user: row.id === null ? undefined : row }]));
  return wanted.map((_, index) => keys.get(index));
}
