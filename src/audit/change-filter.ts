import sql, { join, raw, type Sql } from 'sql-template-tag';
import { allOf } from '../db/sql/sql-fragments.ts';
import { inOneCase, isCanonicalUuid } from '../entities/characters.ts';
import { ALL_ENTITIES } from '../entities/entities.ts';
import { fieldOf } from '../entities/entity.ts';
import { columnOf } from './entity-sql.ts';

/** Changes that a caller may see: all, or those about one person or some companies. */
export type Visibility = 'all' | { userId: string | null; companyIds: readonly string[] };

/** Filter of changes; `entityId` requires `entity`. */
export interface ChangeFilter {
  entity?: string;
  entityId?: string;
  userId?: string;
  companyId?: string;
  /** Id of the user or API key that made the change. */
  actorId?: string;
  actorKind?: string;
  action?: string;
  /** Of a request, an import, or, of a command, of its change. */
  requestId?: string;
  /** Start, inclusive; `to` is exclusive. */
  from?: string;
  to?: string;
}

/** Returns what the changes of one request, import or command have in common; the index `audit_changes_request` has this expression. */
export function groupKey(row?: string): Sql {
  const of = raw(row === undefined ? '' : `${row}.`);
  return sql`coalesce(${of}run_id::text, ${of}request_id, ${of}id::text)`;
}

/** Returns the condition of the changes that a caller may see, and that a filter wants. */
export function isListed(visibility: Visibility, filter: ChangeFilter): Sql {
  return allOf([visibility === 'all' ? undefined : concerns(visibility), ...conditionsOf(filter)]);
}

/** Returns the conditions of a filter, to be joined by `allOf`. */
export function conditionsOf(filter: ChangeFilter): (Sql | undefined)[] {
  const { actorId, actorKind, action, requestId, from, to } = filter;
  return [
    actorId === undefined ? undefined : sql`actor_id = ${actorId}`,
    actorKind === undefined ? undefined : sql`actor_kind = ${actorKind}`,
    action === undefined ? undefined : sql`action = ${action}`,
    requestId === undefined ? undefined : sql`${groupKey()} = ${requestId}`,
    from === undefined ? undefined : sql`changed_at >= ${from}::timestamptz`,
    to === undefined ? undefined : sql`changed_at < ${to}::timestamptz`,
    filter.userId === undefined ? undefined : sql`user_id = ${filter.userId}`,
    filter.companyId === undefined ? undefined : sql`company_id = ${filter.companyId}`,
    ofThing(filter),
  ];
}

/** Returns the condition for one entity, or for one row and its child rows. */
function ofThing({ entity, entityId }: ChangeFilter): Sql | undefined {
  if (entity === undefined) return undefined;
  if (entityId === undefined) return sql`entity = ${entity}`;
  // Entries from before schema version 28 may have an id in upper case.
  const forms = isCanonicalUuid(entityId) ? [inOneCase(entityId), entityId.toUpperCase()] : [entityId];
  const named = sql`in (${join(forms)})`;
  const own = sql`entity = ${entity} and entity_id ${named} and ${ofItsPerson(entity, entityId)}`;
  const parts = PARTS.filter(({ whole }) => whole === entity).map(
    ({ part, wholeId }) => sql`(user_id is null and entity = ${part} and entity_id in (
    select entity_id from audit_changes where entity = ${part} and ${wholeId} ${named}))`,
  );
  return parts.length === 0 ? own : sql`((${own}) or ${join(parts, ' or ')})`;
}

/** Entities whose rows are parts of others: in SQL their names, and the id of the whole in a change, or else in the stored row. */
export const PARTS = ALL_ENTITIES.flatMap((entity) => {
  const { name, table, id, partOf } = entity;
  if (partOf === undefined) return [];
  const values = `field_values -> '${partOf.field}' ->>`;
  const { column, kind } = fieldOf(entity, id);
  const stored = sql`(
    select ${columnOf(entity, partOf.field)}::text from ${raw(table)}
     where ${raw(table)}.${raw(column)} = entity_id::${raw(kind.sqlType)})`;
  const wholeId = raw(`coalesce(${values} 1, ${values} 0)`);
  return [{ part: raw(`'${name}'`), whole: partOf.entity.name, wholeId, stored }];
});

/** Returns the condition on `user_id` that lets the index find a row: a user's own id, some user, or null, depending on the entity. */
function ofItsPerson(entity: string, entityId: string): Sql {
  const { id, auditSubject } = ALL_ENTITIES.find(({ name }) => name === entity) ?? {};
  if (auditSubject?.user === undefined) return sql`user_id is null`;
  return auditSubject.user === id && isCanonicalUuid(entityId) ? sql`user_id = ${entityId}` : sql`user_id is not null`;
}

/** Returns the condition for changes about a person or one of some companies. */
export function concerns({ userId, companyIds }: Exclude<Visibility, 'all'>): Sql {
  if (companyIds.length === 0) return sql`user_id = ${userId}`;
  return sql`(user_id = ${userId} or company_id in (${join(companyIds)}))`;
}
