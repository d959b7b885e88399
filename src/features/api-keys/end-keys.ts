import sql from 'sql-template-tag';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Transaction } from '../../db/database.ts';
import { apiKey } from '../../entities/api-key.ts';
import { webhook } from '../../entities/webhook.ts';
import { keysLeftBy } from './keys-made.ts';

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

/** Revokes the keys that `countKeysMade` counts. */
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
