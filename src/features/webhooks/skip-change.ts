import sql from 'sql-template-tag';
import type { WriteRequest } from '../../api/write-request.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import { type Follower, listNextChanges, type NextChanges } from '../../audit/next-changes.ts';
import { publishAll } from '../../audit/publish.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { webhook } from '../../entities/webhook.ts';
import { messageType } from './messages.ts';
import type { WebhookView } from './webhooks-schemas.ts';
import { asStored, findWebhook, lockWebhook } from './webhooks-service.ts';

const update = auditedUpdate(webhook, ['skippedChangeId']);

type Item = NextChanges['items'][number];

/**
 * Skips the change that is first in line for a webhook, which resumes behind it, immediately if active. Idempotent for the change skipped
 * last.
 *
 * @throws ApiError `NOT_FOUND`, `NOT_FIRST_IN_LINE`
 */
export async function skipChange(
  db: Database,
  request: WriteRequest,
  { id, changeId }: { id: string; changeId: string },
): Promise<WebhookView> {
  const present = await findWebhook(db, id, request.scope);
  // Read without a lock: a concurrent delivery can only advance the webhook, which `skip` detects.
  const first = (await skippedLast(db, id)) === changeId ? undefined : await firstInLine(db, present);
  return db.transaction(async (transaction) => {
    await lockWebhook(transaction, id, request.scope);
    if ((await skippedLast(transaction, id)) !== changeId) {
      if (first?.change.id !== changeId) throw notFirstInLine(first);
      await skip(transaction, request, id, first);
    }
    return findWebhook(transaction, id, request.scope);
  });
}

async function skippedLast(db: Transaction | Database, id: string): Promise<string | null | undefined> {
  const [row] = await db.query<{ skipped: string | null }>(sql`
    select skipped_change_id as skipped from webhooks where id = ${id}`);
  return row?.skipped;
}

/** Returns the next change to send to a webhook; undefined where there is none. */
async function firstInLine(
  db: Database,
  { id, companyId, entities, actions, fields }: WebhookView,
): Promise<Item | undefined> {
  await publishAll(db);
  const [feed] = await db.query<{ head: string; position: string }>(sql`
    select change_feed.position::text as head, progress.position::text as position
      from change_feed, webhook_progress progress where webhook_id = ${id}`);
  if (feed === undefined) return undefined;
  const { head, position } = feed;
  const follower: Follower = { companyId, ...asStored({ entities, actions, fields }), position };
  for (;;) {
    const [next] = await listNextChanges(db, [follower], { upTo: head, limit: 1 });
    if (next === undefined || next.items.length > 0 || next.isAll) return next?.items[0];
    follower.position = next.position;
  }
}

async function skip(
  transaction: Transaction,
  { caller, actor }: WriteRequest,
  id: string,
  { change, position }: Item,
): Promise<void> {
  const skipped = await transaction.query(sql`
    with skipped as (
      select webhook_id, attempts from webhook_progress
       where webhook_id = ${id} and position < ${position}::bigint for update),
    moved as (
      update webhook_progress progress set position = ${position}::bigint, attempts = 0, next_try_at = now()
        from skipped where progress.webhook_id = skipped.webhook_id)
    insert into webhook_deliveries (webhook_id, at, change_id, type, attempt, error, milliseconds, skipped_by)
    select webhook_id, now(), ${change.id}, ${messageType(change)}, attempts, 'It was skipped.', 0, ${'userId' in caller ? caller.userId : caller.keyId}::uuid
      from skipped
    returning id::text as id`);
  if (skipped.length === 0) throw notFirstInLine(undefined);
  const patch = { skippedChangeId: change.id };
  await write(transaction, update({ id, patch, actor }));
}

/** @param first undefined where there is none, or it has just been sent */
function notFirstInLine(first: Item | undefined): ApiError {
  const present = first === undefined ? 'no change' : `change ${first.change.id}`;
  const message = `changeId must be that of the change first in line: at the moment it is ${present}.`;
  const problems = [{ field: 'changeId', code: 'INVALID_VALUE', message } as const];
  return new ApiError('NOT_FIRST_IN_LINE', message, { problems });
}
