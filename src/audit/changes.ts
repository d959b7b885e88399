import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../db/sql/select-page.ts';
import { isoTimestamp } from '../db/sql/sql-fragments.ts';
import { approvalPolicy, approvalPolicyLevel } from '../entities/approval-policy.ts';
import { ALL_ENTITIES } from '../entities/entities.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Visibility } from './change-filter.ts';
import type { ChangeView } from './change-view.ts';

/** A field's value before and after. */
type Pair = readonly [before: FieldValue, after: FieldValue];
export type FieldValue = ChangeView['changes'][number]['before'];

/** A change as it is stored. */
export type ChangeRow = Omit<ChangeView, 'changes'> & {
  fields: readonly string[];
  /** By field; null if there are none. */
  trailValues: Readonly<Record<string, Pair>> | null;
  personalValues: Readonly<Record<string, Pair>> | null;
};

/** The author of a change as the API returns it. */
export const actorColumn: Sql = sql`
  case actor_kind
    when 'key' then json_build_object('kind', actor_kind, 'userId', null, 'runId', null, 'keyId', actor_id)
    else json_build_object('kind', actor_kind, 'userId', actor_id, 'runId', run_id)
  end`;

const givenPolicy = (row: string) =>
  raw(`coalesce(${row}.field_values -> 'policyId' ->> 1, ${row}.field_values -> 'policyId' ->> 0)`);

/** The policy of a level, also of one that has only changed. */
const policyOfLevel: Sql = sql`
  case when entity = ${raw(`'${approvalPolicyLevel.name}'`)} then coalesce(
    ${givenPolicy('audit_changes')},
    (select policy_id from approval_policy_levels where approval_policy_levels.id = entity_id),
    (select ${givenPolicy('told')} from audit_changes told
      where told.entity = audit_changes.entity and told.entity_id = audit_changes.entity_id and told.user_id is null
        and told.action in ('added', 'removed') limit 1)) end`;

/** Fields and values are selected as stored: pairing them in SQL would take several times as long as the rest. */
export const changeColumns: Sql = sql`
  id::text as id, ${isoTimestamp(sql`changed_at`)} as "changedAt", action, entity, entity_id as "entityId",
  user_id as "userId", company_id as "companyId",
  ${actorColumn} as actor, request_id as "requestId", ${policyOfLevel} as "policyId",
  fields, field_values as "trailValues",
  (select personal.field_values from audit_personal_values personal where change_id = audit_changes.id) as "personalValues"`;

/** Joins the change with an id, each by primary key: without statistics, as on the embedded database, the planner would scan the table. */
export const changeWithId = (id: Sql, columns: Sql): Sql => sql`
  lateral (select ${columns} from audit_changes where audit_changes.id = ${id} limit 1) change`;

const STAYING = ALL_ENTITIES.filter(({ staysInside }) => staysInside).map(({ name }) => name);

/** The condition of the changes that the feed and webhooks show; undefined: all. */
export const LEAVES: Sql | undefined = STAYING.length === 0 ? undefined : sql`entity not in (${join(STAYING)})`;

/** Returns the view of a stored change: fields paired with their values. */
export function viewOf({ fields, trailValues, personalValues, policyId, ...change }: ChangeRow): ChangeView {
  const pairs: Readonly<Record<string, Pair>> = { ...trailValues, ...personalValues };
  const changes = fields.map((field) => {
    const [before = null, after = null] = (pairs[field] ?? []).map(
      (value): FieldValue => shownValue(change.entity, field, value),
    );
    return { field, before, after, kept: pairs[field] !== undefined };
  });
  return { ...change, ...(policyId ? { policyId } : {}), changes };
}

/** Returns a change as a caller may see it: without values of fields of one's own where it only concerns the caller, who may not read all. */
export function seenBy(visibility: Visibility, change: ChangeView): ChangeView {
  const { companyId, changes } = change;
  if (visibility === 'all' || (companyId !== null && visibility.companyIds.includes(companyId))) return change;
  const hidden = { before: null, after: null, kept: false };
  return {
    ...change,
    changes: changes.map((each) => (each.field.startsWith('fields.') ? { ...each, ...hidden } : each)),
  };
}

/** Returns a stored value as changes show it: some texts are JSON. */
export function shownValue(entity: string, field: string, value: FieldValue): FieldValue {
  const isJson = entity === approvalPolicy.name && JSON_FIELDS.has(field);
  return isJson && typeof value === 'string' ? JSON.parse(value || 'null') : value;
}

/** Fields of policies whose texts are JSON. */
const JSON_FIELDS: ReadonlySet<string> = new Set([
  'conditions',
  'costCenters',
  'jobTitles',
  'countryCodes',
  'workerTypes',
]);

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
