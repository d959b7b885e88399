import sql from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { allOf } from '../db/sql/sql-fragments.ts';
import { type ChangeFilter, conditionsOf, type Visibility } from './change-filter.ts';
import type { ChangeView } from './change-view.ts';
import { type ChangeRow, changeColumns, changeWithId, LEAVES, seenBy, viewOf } from './changes.ts';
import { type FeedPosition, fingerprintOf } from './feed-cursor.ts';

const writtenAt = sql`extract(epoch from changed_at)::text`;

/**
 * Finds the position after the published change at `position`, `0` for the start. Undefined if the feed is not that far, or the change was
 * removed. `start` is before the oldest kept change, `last` after the newest.
 */
export async function findFeedPosition(db: Reader, position: string): Promise<FeedPosition | undefined> {
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
  const { changeId, writtenAt: at, hasFirst, ...found } = row;
  if (changeId !== null && at !== null) return { ...found, fingerprint: fingerprintOf(changeId, at) };
  return found.position === '0' && (hasFirst || position === 'start') ? { ...found, fingerprint: '' } : undefined;
}

type PublishedRow = ChangeRow & { position: string; writtenAt: string };

/** Changes in the order of the feed, with the position of the last; undefined if there are none. */
export interface PublishedChanges {
  items: ChangeView[];
  /** Position of each item. */
  positions: string[];
  last: Pick<FeedPosition, 'position' | 'fingerprint'> | undefined;
  /** Whether the change at `after` still exists, so that none after it has been removed. */
  isWhole: boolean;
}

/** A range of the feed, after one position and up to another, with a filter. */
export interface FeedRange extends Pick<ChangeFilter, 'entity' | 'userId' | 'companyId' | 'from' | 'to'> {
  after: string;
  upTo: string;
  limit: number;
}

/** Lists the visible published changes of a range. */
export async function listPublishedChanges(
  db: Reader,
  visibility: Visibility,
  { after, upTo, limit, ...filter }: FeedRange,
): Promise<PublishedChanges> {
  const inRange = sql`position > ${after}::bigint and position <= ${upTo}::bigint`;
  const wanted = allOf([inRange, LEAVES, ...conditionsOf(filter)]);
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
    items: rows.map(({ position: _, writtenAt: __, ...row }) => seenBy(visibility, viewOf(row))),
    positions: rows.map(({ position }) => position),
    last: last && { position: last.position, fingerprint: fingerprintOf(last.id, last.writtenAt) },
    isWhole: found?.isWhole ?? false,
  };
}
