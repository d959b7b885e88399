import sql, { type Sql } from 'sql-template-tag';
import { isoTimestamp } from '../db/sql/sql-fragments.ts';
import type { ChangeView } from './change-view.ts';

/** A field's value before and after. */
type Pair = readonly [before: FieldValue, after: FieldValue];
type FieldValue = ChangeView['changes'][number]['before'];

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

/** Fields and values are selected as stored: pairing them in SQL would take several times as long as the rest. */
export const changeColumns: Sql = sql`
  id::text as id, ${isoTimestamp(sql`changed_at`)} as "changedAt", action, entity, entity_id as "entityId",
  user_id as "userId", company_id as "companyId",
  ${actorColumn} as actor, request_id as "requestId",
  fields, field_values as "trailValues",
  (select personal.field_values from audit_personal_values personal where change_id = audit_changes.id) as "personalValues"`;

/** Joins the change with an id, each by primary key: without statistics, as on the embedded database, the planner would scan the table. */
export const changeWithId = (id: Sql, columns: Sql): Sql => sql`
  lateral (select ${columns} from audit_changes where audit_changes.id = ${id} limit 1) change`;

/** Returns the view of a stored change: fields paired with their values. */
export function viewOf({ fields, trailValues, personalValues, ...change }: ChangeRow): ChangeView {
  const pairs: Readonly<Record<string, Pair>> = { ...trailValues, ...personalValues };
  const changes = fields.map((field) => {
    const pair = pairs[field];
    return { field, before: pair?.[0] ?? null, after: pair?.[1] ?? null, kept: pair !== undefined };
  });
  return { ...change, changes };
}
