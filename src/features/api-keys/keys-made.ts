import sql, { type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import { answerableForKey, isCurrentKey, isSuspendedKey } from '../../auth/callers/api-keys.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { apiKey } from '../../entities/api-key.ts';
import { optional } from '../../entities/field-schemas.ts';
import { webhook } from '../../entities/webhook.ts';

export const keysMade = optional.integer({
  description:
    'Number of active API keys that the person created and could no longer create, in the companies that the caller ' +
    'administers; only after a deactivation or a lost role',
  examples: [0],
});

const update = auditedUpdate(apiKey, ['revokedAt']);

const stop = auditedUpdate(webhook, ['active', 'disabledReason']);

/** Revokes a key from the next request on, and stops the webhooks that it made, unless they are kept. */
export async function endApiKey(
  transaction: Transaction,
  actor: Actor,
  id: string,
  { keepsWebhooks = false } = {},
): Promise<void> {
  const patch = { revokedAt: new Date().toISOString() };
  await write(transaction, update({ id, patch, actor }));
  if (keepsWebhooks) return;
  const made = await transaction.query<{ id: string }>(sql`
    select id from webhooks where key_id = ${id}::uuid and active order by id for update`);
  const stopped = { active: false, disabledReason: 'The API key that made it was revoked' };
  for (const one of made) await write(transaction, stop({ id: one.id, patch: stopped, actor }));
}

/** Returns the SQL condition for active keys for which these people answer. */
export function keysAnsweredBy(userIds: readonly string[], scope: CompanyScope): Sql {
  return sql`
    ${answerableForKey} = ${anyOf(userIds)}
    and ${isCurrentKey} and ${inScope(scope, sql`api_keys.company_id`)}`;
}

/** Returns the SQL condition for those of these keys that the people could no longer create. */
function keysLeftBy(userIds: readonly string[], scope: CompanyScope): Sql {
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

/** Revokes the keys that {@link countKeysMade} counts. */
export async function revokeKeysMade(
  transaction: Transaction,
  actor: Actor,
  userId: string,
  scope: CompanyScope,
): Promise<void> {
  const keys = await transaction.query<{ id: string }>(sql`
    select id from api_keys where ${keysLeftBy([userId], scope)} order by id for update`);
  for (const { id } of keys) await endApiKey(transaction, actor, id);
}
