import sql, { type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdate } from '../../audit/audited-write.ts';
import { worksOn } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import { isCurrentKey } from '../../auth/callers/api-keys.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { apiKey } from '../../entities/api-key.ts';

const update = auditedUpdate(apiKey, ['revokedAt']);

/** Revokes a key from the next request on. */
export async function endApiKey(transaction: Transaction, actor: Actor, id: string): Promise<void> {
  const patch = { revokedAt: new Date().toISOString() };
  await transaction.query(sql`with ${update({ id, patch, actor })} select from written`);
}

/**
 * Returns the SQL condition for active keys whose creator could no longer create them: deactivated, or no longer an administrator of the
 * company.
 */
function keysLeftBy(userId: string, reach: CompanyScope): Sql {
  return sql`
    api_keys.created_by = ${userId}::uuid and ${isCurrentKey} and ${inScope(reach, sql`api_keys.company_id`)}
    and not exists (
      select from users maker
       where maker.id = api_keys.created_by and ${worksOn('maker')}
         and (exists (select from system_roles
                       where system_roles.user_id = maker.id and system_roles.role = 'SUPER_ADMIN' and system_roles.active)
              or exists (select from company_roles
                          where company_roles.user_id = maker.id and company_roles.role = 'CORPORATE_ADMIN'
                            and company_roles.company_id = api_keys.company_id)))`;
}

/**
 * Counts the active keys that a person created and could no longer create.
 *
 * @param reach the companies whose keys count; all: also those of the platform
 */
export async function countKeysMade(db: Reader, userId: string, reach: CompanyScope): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from api_keys where ${keysLeftBy(userId, reach)}`);
  return row?.count ?? 0;
}

/** Revokes the keys that {@link countKeysMade} counts. */
export async function revokeKeysMade(
  transaction: Transaction,
  actor: Actor,
  userId: string,
  reach: CompanyScope,
): Promise<void> {
  const keys = await transaction.query<{ id: string }>(sql`
    select id from api_keys where ${keysLeftBy(userId, reach)} order by id for update`);
  for (const { id } of keys) await endApiKey(transaction, actor, id);
}
