import sql from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../db/sql/select-page.ts';
import { allOf } from '../db/sql/sql-fragments.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { type ChangeFilter, concerns, conditionsOf, type Visibility } from './change-filter.ts';
import { type ChangeRow, changeColumns, changeWithId, viewOf } from './change-row.ts';
import type { ChangeView } from './change-view.ts';

/** Changes per statement, between which the event loop runs; one change has at most 7 kB of JSON. */
export const READ_BATCH = 25;

const NEWEST_ID: SortKey = { by: sql`id`, type: 'bigint', descending: true };

/** Returns one page of the visible changes, newest first: unpublished ones by id, then published ones by feed position. */
export async function listChanges(
  db: Reader,
  visibility: Visibility,
  filter: ChangeFilter,
  page: PageRequest,
): Promise<Page<ChangeView>> {
  const { items: keys, ...total } = await selectPage<{ id: string }>(
    db,
    {
      columns: sql`id::text as id`,
      from: sql`audit_changes`,
      where: allOf([visibility === 'all' ? undefined : concerns(visibility), ...conditionsOf(filter)]),
      // A change that is published while somebody reads on by cursors must not move.
      orderBy: [page.after === undefined ? { ...NEWEST_ID, by: sql`position desc nulls first, id` } : NEWEST_ID],
    },
    page,
  );
  return {
    items: await listChangesById(
      db,
      keys.map(({ id }) => id),
    ),
    ...total,
  };
}

/** Returns the changes with these ids, in this order; unknown ids are skipped. */
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
