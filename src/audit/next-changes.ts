import sql from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { allOf } from '../db/sql/sql-fragments.ts';
import type { ChangeView } from './change-view.ts';
import { type ChangeRow, changeColumns, changeWithId, LEAVES, viewOf } from './changes.ts';

/** A reader of the changes of one company, or of all, at a position. */
export interface Follower {
  companyId: string | null;
  /** Entities, separated by blanks; null for all. */
  entities: string | null;
  /** Actions, separated by blanks; null for all. */
  actions: string | null;
  /** Fields, separated by blanks, of which a `changed` has one; null for all. */
  fields: string | null;
  position: string;
}

/** The next changes for a follower. */
export interface NextChanges {
  items: { change: ChangeView; position: string }[];
  /** The position read so far: that of the last item, or further if only changes of other entities follow. */
  position: string;
  /** Whether nothing else follows up to `upTo`. */
  isAll: boolean;
}

/** Maximum changes that one statement scans for all followers together: more would block other work. */
const MAX_SCANNED = 2_000;

/**
 * Returns the published changes that follow for several followers, read in one statement.
 *
 * @returns one result per follower, in order; its items may be empty although more may follow
 */
export async function listNextChanges(
  db: Reader,
  followers: readonly Follower[],
  { upTo, limit, maxScanned = MAX_SCANNED }: { upTo: string; limit: number; maxScanned?: number },
): Promise<NextChanges[]> {
  if (followers.length === 0) return [];
  const scanned = Math.max(limit, Math.ceil(maxScanned / followers.length));
  const rows = followers.map(({ companyId, entities, actions, fields, position }) => {
    const isFiltered = entities !== null || actions !== null || fields !== null;
    return { companyId, entities, actions, fields, isFiltered, position };
  });
  const next = sql`
    position > follower.position and position <= ${upTo}::bigint order by position
    limit case when follower."isFiltered" then ${scanned}::integer else ${limit}::integer end`;
  const read = sql`id, position, entity, action, audit_changes.fields`;
  const isWanted = allOf([
    LEAVES,
    sql`(follower.entities is null or ahead.entity = any(string_to_array(follower.entities, ' ')))`,
    sql`(follower.actions is null or ahead.action = any(string_to_array(follower.actions, ' ')))`,
    sql`(follower.fields is null or ahead.action <> 'changed' or ahead.fields && string_to_array(follower.fields, ' '))`,
  ]);
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
                      as ("companyId" uuid, entities text, actions text, fields text, "isFiltered" boolean, position bigint))
             with ordinality as follower ("companyId", entities, actions, fields, "isFiltered", position, nth),
           lateral (
             select array_agg(id order by position)
                      filter (where ${isWanted}) as ids,
                    max(position) as last, count(*)::integer as scanned
               from ((select ${read} from audit_changes where company_id = follower."companyId" and ${next})
                     union all
                     (select ${read} from audit_changes where follower."companyId" is null and ${next})) ahead
           ) following
     order by follower.nth`);
  return found.map(({ rows: changes, last, scanned: seen }, nth) => {
    const items = (changes ?? []).map(({ position, ...row }) => ({ change: viewOf(row), position }));
    const isAll = items.length < limit && seen < (rows[nth]?.isFiltered ? scanned : limit);
    const lastItem = items.length === limit ? items.at(-1)?.position : undefined;
    return { items, isAll, position: isAll ? upTo : (lastItem ?? last) };
  });
}
