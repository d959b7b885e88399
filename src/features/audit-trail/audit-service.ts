import { pageRequestOf } from '../../api/pagination.ts';
import type { Visibility } from '../../audit/change-filter.ts';
import { addNames } from '../../audit/change-names.ts';
import type { NamedChangeView } from '../../audit/change-view.ts';
import { listChanges, READ_BATCH } from '../../audit/changes.ts';
import { cursorOf, type FeedPosition, parseCursor } from '../../audit/feed-cursor.ts';
import { publishAll } from '../../audit/publish.ts';
import type { Feed } from '../../audit/shared-reads.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { administeredCompanies, type Caller, isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Reader, Writer } from '../../db/database.ts';
import type { Page } from '../../db/sql/select-page.ts';
import { ApiError, apiErrors } from '../../entities/api-error.ts';
import type { FieldProblemCode } from '../../entities/field-problem.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { AuditListInput, EventListInput } from './audit-schemas.ts';

/** What a caller sees of the audit trail: a Super Admin all, a Corporate Admin their companies, everyone themselves; a key its company, or all. */
export function visibilityFor(caller: Caller | KeyCaller): Visibility {
  if ('keyId' in caller) return caller.companyId === null ? 'all' : { userId: null, companyIds: [caller.companyId] };
  if (isSuperAdmin(caller)) return 'all';
  return { userId: caller.userId, companyIds: administeredCompanies(caller) };
}

/**
 * One page of the audit trail that the caller may see, newest first.
 *
 * @throws ApiError `INVALID_INPUT` for an `entityId` without `entity`: ids are of one kind of thing
 */
export async function listTrail(
  db: Reader,
  caller: Caller | KeyCaller,
  input: AuditListInput,
): Promise<Page<NamedChangeView>> {
  if (input.entityId !== undefined && input.entity === undefined) {
    throw apiErrors.invalidInput([{ field: 'entity', code: 'REQUIRED', message: 'entity is required with entityId.' }]);
  }
  const visibility = visibilityFor(caller);
  const { items, totalItems } = await listChanges(db, visibility, input, pageRequestOf(input));
  return { items: await addNames(db, visibility, items), totalItems };
}

/** Changes in an answer where the caller does not say. */
const DEFAULT_LIMIT = 100;

/** An answer of the feed. */
export interface FollowedChanges {
  /** The changes, each piece the JSON texts of some with commas between them. */
  pieces: readonly Buffer[];
  /** The cursor behind them. */
  next: string;
}

/** How a follower waits: until when something comes, or the waiting is given up. */
export interface Waiting {
  /** Aborted where the caller has gone. */
  signal: AbortSignal;
  /** Called before it waits. */
  begins(): void;
  /** Looks again who follows; rejects where they may not any more. */
  callerNow(): Promise<Caller | KeyCaller>;
}

/**
 * The changes after a cursor that the caller may see, in the order that all followers get, and the cursor after them: behind what a filter
 * leaves out too. Where there are none it waits for some as long as the caller says.
 *
 * @throws ApiError `INVALID_INPUT` for a text that is no cursor, `CURSOR_GONE` for a cursor that is not of this feed, or behind which changes
 *   have been removed
 */
export async function followChanges(
  { db, feed }: { db: Writer; feed: Feed },
  caller: Caller | KeyCaller,
  { after, from, wait = 0, ...wanted }: EventListInput,
  waiting: Waiting,
): Promise<FollowedChanges> {
  if (from !== undefined) return { pieces: [], next: cursorOf(await presentPosition(db, feed, from, after)) };
  const end = performance.now() + wait * 1000;
  let position = await positionOf(feed, after);
  let hasWaited = false;
  for (;;) {
    // While somebody waits the watch publishes, once for all.
    if (!hasWaited) await feed.publish();
    // The head first: what an answer has was there while the caller might still see it.
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

/** The wanted changes between a position and the head as pieces of JSON, and the position behind all that was looked at. */
async function changesAfter(
  feed: Feed,
  visibility: Visibility,
  { position, head }: { position: FeedPosition; head: FeedPosition },
  { limit = DEFAULT_LIMIT, ...filter }: Omit<EventListInput, 'after' | 'from' | 'wait'>,
): Promise<{ pieces: Buffer[]; position: FeedPosition }> {
  const pieces: Buffer[] = [];
  if (!isBehind(position, head)) return { pieces, position };
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
    // There is no more up to the head.
    if (count < wanted) return { pieces, position: head };
  }
  return { pieces, position: reached };
}

function isBehind(one: FeedPosition, other: FeedPosition): boolean {
  return BigInt(one.position) < BigInt(other.position);
}

async function lastPosition(feed: Feed): Promise<FeedPosition> {
  const position = await feed.find('last');
  if (position === undefined) throw new TypeError('The feed does not have its last change');
  return position;
}

/** The position behind all that is committed. */
async function presentPosition(db: Writer, feed: Feed, from: string, after: string | undefined): Promise<FeedPosition> {
  if (from !== 'now') throw invalid('from', 'from must be now.');
  if (after !== undefined) throw invalid('from', 'from cannot be given together with after.');
  await publishAll(db);
  return lastPosition(feed);
}

/** @param cursor absent: the oldest change that is kept */
async function positionOf(feed: Feed, cursor: string | undefined): Promise<FeedPosition> {
  const named = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && named === undefined) {
    throw invalid('after', 'after must be the next of an earlier answer, as it was.', 'INVALID_FORMAT');
  }
  const position = await feed.find(named?.position ?? 'start');
  if (position === undefined || (named !== undefined && cursorOf(named) !== cursorOf(position))) throw cursorGone();
  return position;
}

function invalid(field: string, message: string, code: FieldProblemCode = 'INVALID_VALUE'): ApiError {
  return apiErrors.invalidInput([{ field, code, message }]);
}

export function cursorGone(): ApiError {
  return new ApiError(
    'CURSOR_GONE',
    'The feed has not come to this cursor, is another one since a restore, or no longer keeps what followed it. Begin anew: ask with from=now and keep next, ' +
      'then read the whole state, then follow from that next.',
  );
}
