import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { ChangeView, NamedChangeView } from '../../src/audit/change-view.ts';
import type { Reader } from '../../src/db/database.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import type { TestApp } from '../support/build-test-app.ts';

export const AUDIT_LIST = '/api/audit/list';
export const EVENTS_LIST = '/api/events/list';

/** Adds so many changes of an import, which are not published. */
export async function addChanges(db: Reader, count: number): Promise<void> {
  await db.query(sql`
    insert into audit_changes (actor_kind, run_id, action, entity, entity_id, fields)
    select 'import', ${randomUUID()}::uuid, 'added', 'company', 'x', '{}' from generate_series(1, ${count}::integer)`);
}

/** The newest hundred changes that a person may see, newest first. */
export async function trailFor(
  api: TestApp,
  as: string,
  query: Record<string, string> = {},
): Promise<NamedChangeView[]> {
  return pageOf<NamedChangeView>(await api.send({ url: AUDIT_LIST, as, query: { limit: '100', ...query } })).items;
}

/** One answer of the feed. */
export async function follow(
  api: TestApp,
  as: string,
  query: Record<string, string> = {},
): Promise<{ items: ChangeView[]; next: string }> {
  const response = await api.send({ url: EVENTS_LIST, as, query });
  return { items: dataOf<ChangeView[]>(response), next: response.json<{ next: string }>().next };
}

/** The cursor after all there is. */
export async function endOfFeed(api: TestApp, as: string): Promise<string> {
  for (let after = ''; ; ) {
    const { items, next } = await follow(api, as, { after, limit: '1000' });
    if (items.length === 0) return next;
    after = next;
  }
}

/** How many changes the trail holds. */
export async function countChanges(db: Reader): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::integer as count from audit_changes`);
  return row?.count ?? Number.NaN;
}
