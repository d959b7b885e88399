import sql, { type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import { answerableForKey, isCurrentKey, isSuspendedKey } from '../../auth/callers/api-keys.ts';
import type { Reader } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { optional } from '../../entities/field-schemas.ts';

export const keysMade = optional.integer({
  description:
    'Number of active API keys that the person created and could no longer create, in the companies that the caller ' +
    'administers; only after a deactivation or a lost role',
  examples: [0],
});

/** Returns the SQL condition for active keys for which these people answer. */
export function keysAnsweredBy(userIds: readonly string[], scope: CompanyScope): Sql {
  return sql`
    ${answerableForKey} = ${anyOf(userIds)}
    and ${isCurrentKey} and ${inScope(scope, sql`api_keys.company_id`)}`;
}

/** Returns the SQL condition for those of these keys that the people could no longer create. */
export function keysLeftBy(userIds: readonly string[], scope: CompanyScope): Sql {
  return sql`${keysAnsweredBy(userIds, scope)} and ${isSuspendedKey}`;
}

/**
 * Counts the active keys for which people answer who could no longer create them.
 *
 * @param scope the companies whose keys count; all: also those of the platform
 */
export async function countKeysMade(db: Reader, userIds: readonly string[], scope: CompanyScope): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from api_keys where ${keysLeftBy(userIds, scope)}`);
  return row?.count ?? 0;
}
