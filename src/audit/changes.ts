import sql, { empty, join, type Sql } from 'sql-template-tag';
import { advisoryLock } from '../db/advisory-locks.ts';
import type { Reader, Writer } from '../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../db/sql/select-page.ts';
import { allOf, isoTimestamp } from '../db/sql/sql-fragments.ts';
import { approvalPolicy } from '../entities/approval-policy.ts';
import { ENTITIES } from '../entities/entities.ts';
import { inOneCase, isCanonicalUuid } from '../entities/uuid.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { ChangeView } from './change-view.ts';
import { type FeedPlace, markOf } from './feed-cursor.ts';

/** Whose changes may be seen: all, or those that concern a person or one of some companies. */
export type Visibility = 'all' | { userId: string | null; companyIds: readonly string[] };

/** A field's value before and after. */
type Pair = readonly [before: FieldValue, after: FieldValue];
type FieldValue = ChangeView['changes'][number]['before'];

/** A change as it is stored. */
type ChangeRow = Omit<ChangeView, 'changes'> & {
  fields: readonly string[];
  /** By field; null where there are none. */
  trailValues: Readonly<Record<string, Pair>> | null;
  personalValues: Readonly<Record<string, Pair>> | null;
};

/** Fields and values go as they are stored: to pair them in SQL takes several times as long as all the rest. */
const changeColumns: Sql = sql`
  id::text as id, ${isoTimestamp(sql`changed_at`)} as "changedAt", action, entity, entity_id as "entityId",
  user_id as "userId", company_id as "companyId",
  case actor_kind
    when 'key' then json_build_object('kind', actor_kind, 'userId', null, 'runId', null, 'keyId', actor_id)
    else json_build_object('kind', actor_kind, 'userId', actor_id, 'runId', run_id)
  end as actor, request_id as "requestId",
  fields, field_values as "trailValues",
  (select personal.field_values from audit_personal_values personal where change_id = audit_changes.id) as "personalValues"`;

/** The change with an id. Each by its key: without statistics, as on the embedded database, the planner would read all for a few. */
const changeWithId = (id: Sql, columns: Sql): Sql => sql`
  lateral (select ${columns} from audit_changes where audit_changes.id = ${id} limit 1) change`;

function viewOf({ fields, trailValues, personalValues, ...change }: ChangeRow): ChangeView {
  const pairs: Readonly<Record<string, Pair>> = { ...trailValues, ...personalValues };
  const changes = fields.map((field) => {
    const pair = pairs[field];
    return { field, before: pair?.[0] ?? null, after: pair?.[1] ?? null, kept: pair !== undefined };
  });
  return { ...change, changes };
}

/** Changes that are read in one turn of the event loop: one has 7 kB of JSON at the most. */
export const READ_BATCH = 25;

/** What is wanted of the changes; `entityId` is one of `entity`. */
export interface ChangeFilter {
  entity?: string;
  entityId?: string;
  userId?: string;
  companyId?: string;
  /** The person or API key that changed it. */
  actorId?: string;
  action?: string;
  /** The first moment that counts, and the first that does not any more. */
  from?: string;
  to?: string;
}

/** One page of the changes that may be seen, newest first: what is not published yet, by id, then by position. */
export async function listChanges(
  db: Reader,
  visibility: Visibility,
  filter: ChangeFilter,
  page: PageRequest,
): Promise<Page<ChangeView>> {
  const { items: keys, totalItems } = await selectPage<{ id: string }>(
    db,
    {
      columns: sql`id::text as id`,
      from: sql`audit_changes`,
      where: allOf([visibility === 'all' ? undefined : concerns(visibility), ...conditionsOf(filter)]),
      orderBy: sql`position desc nulls first, id desc`,
    },
    page,
  );
  return {
    items: await listChangesById(
      db,
      keys.map(({ id }) => id),
    ),
    totalItems,
  };
}

/** Returns the changes with these ids, in this order; what there is not is left out. */
export async function listChangesById(db: Reader, ids: readonly string[]): Promise<ChangeView[]> {
  const items: ChangeView[] = [];
  for (let from = 0; from < ids.length; from += READ_BATCH) {
    await yieldToEventLoop();
    items.push(...(await findChanges(db, ids.slice(from, from + READ_BATCH))));
  }
  return items;
}

async function findChanges(db: Reader, ids: readonly string[]): Promise<ChangeView[]> {
  const [found] = await db.query<{ rows: ChangeRow[] | null }>(sql`
    select json_agg(change order by nth) as rows
      from json_array_elements_text(${JSON.stringify(ids)}::text::json) with ordinality wanted (id, nth),
           ${changeWithId(sql`wanted.id::bigint`, changeColumns)}`);
  return (found?.rows ?? []).map(viewOf);
}

function conditionsOf(filter: ChangeFilter): (Sql | undefined)[] {
  const { actorId, action, from, to } = filter;
  return [
    actorId === undefined ? undefined : sql`actor_id = ${actorId}`,
    action === undefined ? undefined : sql`action = ${action}`,
    from === undefined ? undefined : sql`changed_at >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`changed_at < ${to}::timestamptz`,
    filter.userId === undefined ? undefined : sql`user_id = ${filter.userId}`,
    filter.companyId === undefined ? undefined : sql`company_id = ${filter.companyId}`,
    ofThing(filter),
  ];
}

/** The changes of one kind of thing, or of one thing and what it consists of. */
function ofThing({ entity, entityId }: ChangeFilter): Sql | undefined {
  if (entity === undefined) return undefined;
  if (entityId === undefined) return sql`entity = ${entity}`;
  const named = sql`in (${join(writtenForms(entityId))})`;
  const own = sql`entity = ${entity} and entity_id ${named} and ${ofItsPerson(entity, entityId)}`;
  if (entity !== approvalPolicy.name) return own;
  return sql`((${own}) or (user_id is null and entity = 'approvalPolicyLevel' and entity_id in (
    select entity_id from audit_changes
     where entity = 'approvalPolicyLevel'
       and coalesce(field_values -> 'policyId' ->> 1, field_values -> 'policyId' ->> 0) ${named})))`;
}

/** An id as the trail may have it: what it has of before version 28 may be in upper case. */
function writtenForms(id: string): string[] {
  return isCanonicalUuid(id) ? [inOneCase(id), id.toUpperCase()] : [id];
}

/** What the trail says of the person of one thing, by which an index has it: people are their own, most things are nobody's. */
function ofItsPerson(entity: string, entityId: string): Sql {
  const { id, auditSubject } = ENTITIES.find(({ name }) => name === entity) ?? {};
  if (auditSubject?.user === undefined) return sql`user_id is null`;
  return auditSubject.user === id && isCanonicalUuid(entityId) ? sql`user_id = ${entityId}` : sql`user_id is not null`;
}

function concerns({ userId, companyIds }: Exclude<Visibility, 'all'>): Sql {
  if (companyIds.length === 0) return sql`user_id = ${userId}`;
  return sql`(user_id = ${userId} or company_id in (${join(companyIds)}))`;
}

/**
 * Gives committed changes their positions in the feed. Where somebody else is about it, it waits or gives none.
 *
 * @returns how many have got one
 */
export async function publishChanges(
  db: Writer,
  { atMost, waitsForOthers }: { atMost: number; waitsForOthers: boolean },
): Promise<number> {
  const turn = waitsForOthers ? sql`from pg_advisory_xact_lock(${advisoryLock('feed')})` : empty;
  const [row] = await db.query<{ published: number | null }>(
    sql`select publish_audit_changes(${atMost}::integer) as published ${turn}`,
  );
  return row?.published ?? 0;
}

const writtenAt = sql`extract(epoch from changed_at)::text`;

/**
 * The place behind the published change at a position, `0` for before the very first one; undefined where the feed has not come so far, or
 * that change has been removed. `start` is before the oldest change that is kept, `last` behind the newest.
 */
export async function findPlace(db: Reader, position: string): Promise<FeedPlace | undefined> {
  const wanted = { start: sql`0::bigint`, last: sql`change_feed.position` }[position] ?? sql`${position}::bigint`;
  const [row] = await db.query<{
    feedId: string;
    position: string;
    changeId: string | null;
    writtenAt: string | null;
    hasFirst: boolean;
  }>(sql`
    select change_feed.id as "feedId", ${wanted}::text as position, change.id::text as "changeId", ${writtenAt} as "writtenAt",
           change_feed.position = 0 or exists (select from audit_changes first where first.position = 1) as "hasFirst"
      from change_feed left join audit_changes change on change.position = ${wanted}`);
  if (row === undefined) throw new TypeError('The database has no change feed');
  const { changeId, writtenAt: at, hasFirst, ...place } = row;
  if (changeId !== null && at !== null) return { ...place, mark: markOf(changeId, at) };
  return place.position === '0' && (hasFirst || position === 'start') ? { ...place, mark: '' } : undefined;
}

type PublishedRow = ChangeRow & { position: string; writtenAt: string };

/** Some changes in the order of the feed, and where the last of them stands; undefined where there are none. */
export interface PublishedChanges {
  items: ChangeView[];
  /** Of each of them. */
  positions: string[];
  last: Pick<FeedPlace, 'position' | 'mark'> | undefined;
  /** Whether the change that they follow is kept still, and so all that follows it. */
  isWhole: boolean;
}

/** Some of the feed: what follows a position, up to another one, and what of it is wanted. */
export interface FeedRange extends Pick<ChangeFilter, 'entity' | 'userId' | 'companyId' | 'from' | 'to'> {
  after: string;
  upTo: string;
  limit: number;
}

/** The published changes of a stretch that may be seen. */
export async function listPublishedChanges(
  db: Reader,
  visibility: Visibility,
  { after, upTo, limit, ...filter }: FeedRange,
): Promise<PublishedChanges> {
  const wanted = allOf([sql`position > ${after}::bigint and position <= ${upTo}::bigint`, ...conditionsOf(filter)]);
  const next = sql`${wanted} order by position limit ${limit}::integer`;
  const visible =
    visibility === 'all'
      ? sql`select id, position from audit_changes where ${next}`
      : sql`
        select id, position
          from ((select id, position from audit_changes where user_id = ${visibility.userId} and ${next})
                union
                select concerned.id, concerned.position
                  from json_array_elements_text(${JSON.stringify(visibility.companyIds)}::text::json) company (id),
                       lateral (select id, position from audit_changes where company_id = company.id::uuid and ${next}) concerned
               ) concerning
         order by position limit ${limit}::integer`;
  const [found] = await db.query<{ rows: PublishedRow[]; isWhole: boolean }>(sql`
    select coalesce(json_agg(change order by visible.position), '[]') as rows,
           ${after}::bigint = 0 or exists (select from audit_changes where position = ${after}::bigint) as "isWhole"
      from (${visible}) visible,
           ${changeWithId(sql`visible.id`, sql`position::text as position, ${writtenAt} as "writtenAt", ${changeColumns}`)}`);
  const rows = found?.rows ?? [];
  const last = rows.at(-1);
  return {
    items: rows.map(({ position: _, writtenAt: __, ...row }) => viewOf(row)),
    positions: rows.map(({ position }) => position),
    last: last && { position: last.position, mark: markOf(last.id, last.writtenAt) },
    isWhole: found?.isWhole ?? false,
  };
}

/** Who hears of the changes of one company, or of all, and has come to a position. */
export interface Follower {
  companyId: string | null;
  /** Of which entities, separated by blanks; null: of all. */
  entities: string | null;
  position: string;
}

/** What follows for a follower. */
export interface NextChanges {
  items: { change: ChangeView; position: string }[];
  /** Up to where it was looked: behind the last of them, or further where only changes of other entities follow. */
  position: string;
  /** Whether nothing else follows up to where it was to be looked. */
  isAll: boolean;
}

/** Changes that one statement looks through for those of some entities, for all followers together: as many as keep nobody waiting. */
const MAX_SCANNED = 2_000;

/**
 * Returns the published changes that follow for several followers, read in one statement.
 *
 * @returns of each, in this order; perhaps none of it where it has to be looked further
 */
export async function listNextChanges(
  db: Reader,
  followers: readonly Follower[],
  { upTo, limit, maxScanned = MAX_SCANNED }: { upTo: string; limit: number; maxScanned?: number },
): Promise<NextChanges[]> {
  if (followers.length === 0) return [];
  const scanned = Math.max(limit, Math.ceil(maxScanned / followers.length));
  const rows = followers.map(({ companyId, entities, position }) => ({ companyId, entities, position }));
  const next = sql`
    position > follower.position and position <= ${upTo}::bigint order by position
    limit case when follower.entities is null then ${limit}::integer else ${scanned}::integer end`;
  const found = await db.query<{
    rows: (ChangeRow & { position: string })[] | null;
    last: string;
    scanned: number;
  }>(sql`
    select (select json_agg(change order by nth)
              from unnest(following.ids[1:${limit}::integer]) with ordinality wanted (id, nth),
                   ${changeWithId(sql`wanted.id`, sql`position::text as position, ${changeColumns}`)}) as rows,
           coalesce(following.last, follower.position)::text as last, following.scanned
      from rows from (json_to_recordset(${JSON.stringify(rows)}::text::json)
                      as ("companyId" uuid, entities text, position bigint))
             with ordinality as follower ("companyId", entities, position, nth),
           lateral (
             select array_agg(id order by position)
                      filter (where follower.entities is null or entity = any(string_to_array(follower.entities, ' '))) as ids,
                    max(position) as last, count(*)::integer as scanned
               from ((select id, position, entity from audit_changes where company_id = follower."companyId" and ${next})
                     union all
                     (select id, position, entity from audit_changes where follower."companyId" is null and ${next})) ahead
           ) following
     order by follower.nth`);
  return found.map(({ rows: changes, last, scanned: seen }, nth) => {
    const items = (changes ?? []).map(({ position, ...row }) => ({ change: viewOf(row), position }));
    const isAll = items.length < limit && seen < (rows[nth]?.entities === null ? limit : scanned);
    const lastItem = items.length === limit ? items.at(-1)?.position : undefined;
    return { items, isAll, position: isAll ? upTo : (lastItem ?? last) };
  });
}
