import type { FeedItems } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { isListed, type Visibility } from '../../audit/change-filter.ts';
import { listChangeGroups } from '../../audit/change-groups.ts';
import { addNames } from '../../audit/change-names.ts';
import type { ChangeGroupView, NamedChangeView } from '../../audit/change-view.ts';
import { listChanges, READ_BATCH } from '../../audit/changes.ts';
import { cursorOf, type FeedPosition, parseCursor } from '../../audit/feed-cursor.ts';
import { publishAll } from '../../audit/publish.ts';
import type { Feed } from '../../audit/shared-reads.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { type Caller, companiesOf, isSuperAdmin, isThemselves } from '../../auth/callers/roles.ts';
import type { Reader, Writer } from '../../db/database.ts';
import type { Page } from '../../db/sql/select-page.ts';
import { ApiError, apiErrors, type FieldProblemCode, problemOf } from '../../entities/api-error.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { AuditListInput, EventListInput } from './audit-schemas.ts';

/**
 * Returns what a caller may see: a Super Admin everything, a Corporate Admin or auditor their companies, everyone themselves; a key its company, or
 * everything.
 */
function visibilityFor(caller: Caller | KeyCaller): Visibility {
  if ('keyId' in caller) return caller.companyId === null ? 'all' : { userId: null, companyIds: [caller.companyId] };
  if (isSuperAdmin(caller)) return 'all';
  return {
    userId: isThemselves(caller, caller.userId) ? caller.userId : null,
    companyIds: companiesOf(caller, ['CORPORATE_ADMIN'], 'audit'),
  };
}

/**
 * Returns one page of the audit trail that the caller may see, newest first: changes, or groups of them.
 *
 * @throws ApiError `INVALID_INPUT` for an `entityId` without `entity`: ids are unique within an entity only
 */
export async function listTrail(
  db: Reader,
  caller: Caller | KeyCaller,
  input: AuditListInput,
): Promise<Page<NamedChangeView | ChangeGroupView>> {
  if (input.entityId !== undefined && input.entity === undefined) {
    throw apiErrors.invalidInput([problemOf('entity', 'REQUIRED', 'is required with entityId')]);
  }
  const visibility = visibilityFor(caller);
  const [where, page] = [isListed(visibility, input), pageRequestOf(input)];
  if (input.group !== undefined) return listChangeGroups(db, visibility, where, page);
  const { items, ...total } = await listChanges(db, where, page);
  return { items: await addNames(db, visibility, items), ...total };
}

/** Maximum number of changes in a response if the request has no limit. */
const DEFAULT_LIMIT = 100;

/** Control of a long poll. */
export interface Waiting {
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Called before each wait. */
  begins(): void;
  /** Reloads the caller; rejects if access has been withdrawn. */
  callerNow(): Promise<Caller | KeyCaller>;
}

/**
 * Returns the changes after a cursor that the caller may see, in one order for all followers, and the next cursor, past filtered changes
 * too. If there are none, waits for as long as the caller asked.
 *
 * @throws ApiError `INVALID_INPUT` for a malformed cursor, `CURSOR_GONE` for one of another feed, or if changes after it have been removed
 */
export async function followChanges(
  { db, feed }: { db: Writer; feed: Feed },
  caller: Caller | KeyCaller,
  { after, from, wait = 0, ...wanted }: EventListInput,
  waiting: Waiting,
): Promise<FeedItems> {
  if (from !== undefined) return { pieces: [], next: cursorOf(await presentPosition(db, feed, from, after)) };
  const end = performance.now() + wait * 1000;
  let position = await positionOf(feed, after);
  let hasWaited = false;
  for (;;) {
    // During a wait, the watcher publishes once for all followers.
    if (!hasWaited) await feed.publish();
    // The head before the permissions: every change returned was there while the caller might still see it.
    const head = await lastPosition(feed);
    const follower = hasWaited ? await waiting.callerNow() : caller;
    const found = await changesAfter(feed, visibilityFor(follower), { position, head }, wanted);
    position = found.position;
    const left = end - performance.now();
    if (found.pieces.length > 0 || left <= 0 || waiting.signal.aborted || feed.isStopping()) {
      return { pieces: found.pieces, next: cursorOf(position) };
    }
    waiting.begins();
    await feed.beyond(position.position, left, waiting.signal);
    hasWaited = true;
  }
}

/** Returns the wanted changes between a position and the head as pieces of JSON, and the position after everything examined. */
async function changesAfter(
  feed: Feed,
  visibility: Visibility,
  { position, head }: { position: FeedPosition; head: FeedPosition },
  { limit = DEFAULT_LIMIT, ...filter }: Omit<EventListInput, 'after' | 'from' | 'wait'>,
): Promise<{ pieces: Buffer[]; position: FeedPosition }> {
  const pieces: Buffer[] = [];
  if (BigInt(position.position) >= BigInt(head.position)) return { pieces, position };
  let reached = position;
  for (let left = limit; left > 0; left -= READ_BATCH) {
    await yieldToEventLoop();
    const wanted = Math.min(left, READ_BATCH);
    const range = { ...filter, after: reached.position, upTo: head.position, limit: wanted };
    const { count, json, last, isWhole } = await feed.changes(visibility, range);
    if (!isWhole) throw cursorGone();
    if (last !== undefined) {
      reached = { ...reached, ...last };
      pieces.push(json);
    }
    // Nothing is left before the head.
    if (count < wanted) return { pieces, position: head };
  }
  return { pieces, position: reached };
}

async function lastPosition(feed: Feed): Promise<FeedPosition> {
  const position = await feed.find('last');
  if (position === undefined) throw new TypeError('The feed does not have its last change');
  return position;
}

/** Returns the position after everything committed. */
async function presentPosition(db: Writer, feed: Feed, from: string, after: string | undefined): Promise<FeedPosition> {
  if (from !== 'now') throw invalid('from', 'must be now');
  if (after !== undefined) throw invalid('from', 'cannot be given together with after');
  await publishAll(db);
  return lastPosition(feed);
}

/** @param cursor absent: the oldest change still kept */
async function positionOf(feed: Feed, cursor: string | undefined): Promise<FeedPosition> {
  const named = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && named === undefined) {
    throw invalid('after', 'must be the next of an earlier answer, as it was', 'INVALID_FORMAT');
  }
  const position = await feed.find(named?.position ?? 'start');
  if (position === undefined || (named !== undefined && cursorOf(named) !== cursorOf(position))) throw cursorGone();
  return position;
}

function invalid(field: string, predicate: string, code: FieldProblemCode = 'INVALID_VALUE'): ApiError {
  return apiErrors.invalidInput([problemOf(field, code, predicate)]);
}

export function cursorGone(): ApiError {
  return new ApiError(
    'CURSOR_GONE',
    'The feed has not come to this cursor, is another one since a restore, or no longer keeps what followed it. Begin anew: ask with from=now and keep next, ' +
      'then read the whole state, then follow from that next.',
  );
}
