import sql from 'sql-template-tag';
import { hasEmail } from '../../audit/entity-sql.ts';
import {
  apiKeyColumns,
  isGoodKey,
  type KeyCaller,
  type KeyFinder,
  type KeyRow,
  keyCaller,
  type WantedKey,
} from '../../auth/callers/api-keys.ts';
import type { Reader } from '../../db/database.ts';
import { isStorable } from '../../entities/characters.ts';
import { isSeenBy, type ScimUserRow, scimUserColumns, scimUsers } from './user-row.ts';

/** The form in which directories ask for somebody. Others mean the same, and are taken apart once the key is known. */
const BY_USER_NAME = /^userName eq "([^"\\\p{Cc}]{1,1000})"$/iu;

/** A directory that asked for somebody by `userName`, and was read together with them. */
export interface KeyAskingForUser extends KeyCaller {
  /** Whom the directory of its company sees by that name; undefined: nobody. */
  user: ScimUserRow | undefined;
}

/** Before directories change anybody they ask for them by `userName`: so the key and the person are one statement, and one round trip. */
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
             wanted (index integer, hash text, asked text)
      join api_keys on api_keys.hash = wanted.hash and ${isGoodKey}
      left join lateral (
        select ${scimUserColumns} from ${scimUsers}
         where ${isSeenBy(sql`api_keys.company_id`)} and ${hasEmail(sql`wanted.asked`)}) found on true`);
  const keys = new Map(found.map((row) => [row.index, { ...keyCaller(row), user: row.id === null ? undefined : row }]));
  return wanted.map((_, index) => keys.get(index));
}
