import sql from 'sql-template-tag';
import type { ChangeView } from '../../audit/change-view.ts';
import { listNextChanges } from '../../audit/next-changes.ts';
import { publishSome } from '../../audit/publish.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { anyOf, idsOf } from '../../db/sql/sql-fragments.ts';
import { addMails, type Draft } from './add-mails.ts';

/** Changes read at once. */
const BATCH = 50;
/** Older changes cause no mail: it had been off, or the database is a restored backup. */
const MAX_AGE_MS = 86_400_000;
/** Days before its end on which a key is told of. */
const KEY_DAYS = 14;
/** Days for which mails are kept. */
const KEPT_DAYS = 90;

/**
 * Adds the mails that the next changes of the feed cause. Of several processes one does it at a time.
 *
 * @param leaves whether they are left to whoever sends by themselves
 * @returns whether there may be more
 */
export async function queueMails(db: Database, leaves: boolean, now = Date.now()): Promise<boolean> {
  await publishSome(db);
  const [feed] = await db.query<{ head: string; isAtHead: boolean }>(sql`
    select feed.position::text as head, feed.position = progress.position as "isAtHead"
      from change_feed feed, mail_progress progress`);
  if (feed === undefined || feed.isAtHead) return false;
  return db.transaction(async (transaction) => {
    const [progress] = await transaction.query<{ position: string | null }>(sql`
      select position::text as position from mail_progress for update skip locked`);
    if (progress === undefined) return false;
    const position = progress.position ?? feed.head;
    const follower = { companyId: null, entities: ENTITIES, actions: null, fields: null, position };
    const [next] = await listNextChanges(transaction, [follower], { upTo: feed.head, limit: BATCH });
    if (next === undefined) return false;
    const recent = next.items.filter(({ change }) => Date.parse(change.changedAt) > now - MAX_AGE_MS);
    const drafts = recent.flatMap(({ change }) => draftsOf(change));
    const invited = drafts.flatMap(({ kind, userId }) => (kind === 'INVITATION' && userId ? [userId] : []));
    const uninvited = await takeUninvited(transaction, invited);
    const wanted = drafts.filter(({ kind, userId = '' }) => kind !== 'INVITATION' || !uninvited.has(userId));
    await addMails(transaction, wanted, leaves);
    await transaction.query(sql`update mail_progress set position = ${next.position}::bigint`);
    return !next.isAll;
  });
}

/** Returns which of these people an import has added without an invitation, and forgets it. */
async function takeUninvited(transaction: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const taken = await transaction.query<{ id: string }>(sql`
    delete from uninvited_people where user_id = ${anyOf(ids)} returning user_id::text as id`);
  return new Set(idsOf(taken));
}

const ENTITIES = 'user companyRole substitution webhook directory';

/** Returns the mails that a change causes. */
function draftsOf({ id, entity, entityId, action, userId, companyId, actor, changedAt, changes }: ChangeView): Draft[] {
  const after = (name: string) => changes.find(({ field }) => field === name)?.after ?? undefined;
  const isByHand = actor.kind === 'user' || actor.kind === 'key';
  const cause = `change ${id}`;
  const about = { cause, companyId, subjectId: entityId };
  const drafts: Draft[] = [];
  const substituteId = after('substituteId');
  if (typeof substituteId === 'string') drafts.push({ ...about, kind: 'SUBSTITUTE', userId: substituteId });
  if (isByHand && entity === 'user' && action === 'added' && after('workerType') !== 'GUEST') {
    drafts.push({ ...about, kind: 'INVITATION', userId: entityId });
  }
  if (isByHand && entity === 'user' && action === 'changed' && after('companyId') !== undefined) {
    drafts.push({ cause, companyId, subjectId: null, kind: 'ADDED', userId: entityId });
  }
  if (isByHand && entity === 'companyRole' && action === 'added' && userId !== null) {
    const daily = `added to ${companyId} ${changedAt.slice(0, 10)}`;
    drafts.push({ cause: daily, companyId, subjectId: null, kind: 'ADDED', userId, isForGuests: true });
  }
  if (entity === 'webhook' && action === 'changed' && after('active') === false && after('disabledReason')) {
    drafts.push({ ...about, kind: 'WEBHOOK_OFF' });
  }
  if (action === 'refused' && actor.keyId !== undefined) {
    const daily = `refused ${actor.keyId} ${changedAt.slice(0, 10)}`;
    drafts.push({ companyId, cause: daily, subjectId: actor.keyId, kind: 'DIRECTORY_REFUSED' });
  }
  return drafts;
}

/** Adds the mails about keys that end soon, and removes old mails. */
export async function tendMails(db: Database, leaves: boolean): Promise<void> {
  const keys = await db.query<{ id: string; companyId: string | null; ends: string; userId: string | null }>(sql`
    select id, company_id as "companyId", expires_at::text as ends, coalesce(confirmed_by, created_by) as "userId"
      from api_keys
     where revoked_at is null and expires_at between now() and now() + ${KEY_DAYS}::integer * interval '1 day'
       and created_at < expires_at - ${KEY_DAYS}::integer * interval '1 day'`);
  const drafts = keys.map(({ id, companyId, ends, userId }): Draft => {
    const draft = { kind: 'KEY_EXPIRES' as const, cause: `key ${id} ${ends}`, companyId, subjectId: id };
    return userId === null ? draft : { ...draft, userId };
  });
  await db.transaction((transaction) => addMails(transaction, drafts, leaves));
  await db.query(sql`delete from mails where created_at < now() - ${KEPT_DAYS}::integer * interval '1 day'`);
}
