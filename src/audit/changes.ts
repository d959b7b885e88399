import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../db/sql/select-page.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { type ChangeRow, changeColumns, changeWithId, viewOf } from './change-row.ts';
import type { ChangeView } from './change-view.ts';

/** Changes per statement, between which the event loop runs; one change has at most 7 kB of JSON. */
export const READ_BATCH = 25;

/** Returns the order newest first: unpublished changes by id, then published ones by feed position. */
export function newestFirst({ after }: PageRequest): SortKey[] {
  // A change that is published while somebody reads on by cursors must not move.
  return [after === undefined ? { ...NEWEST_ID, by: sql`position desc nulls first, id` } : NEWEST_ID];
}

const NEWEST_ID: SortKey = { by: sql`id`, type: 'bigint', descending: true };

/** Returns one page of the changes that meet a condition, newest first. */
export async function listChanges(db: Reader, where: Sql, page: PageRequest): Promise<Page<ChangeView>> {
  const list = { columns: sql`id::text as id`, from: sql`audit_changes`, where, orderBy: newestFirst(page) };
  const { items: keys, ...total } = await selectPage<{ id: string }>(db, list, page);
  const ids = keys.map(({ id }) => id);
  return { items: await listChangesById(db, ids), ...total };
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
