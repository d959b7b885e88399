import sql, { join, type Sql } from 'sql-template-tag';
import { approvalPolicy } from '../entities/approval-policy.ts';
import { ENTITIES } from '../entities/entities.ts';
import { inOneCase, isCanonicalUuid } from '../entities/uuid.ts';

/** Whose changes may be seen: all, or those that concern a person or one of some companies. */
export type Visibility = 'all' | { userId: string | null; companyIds: readonly string[] };

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

/** Returns the conditions of a filter, to be joined by `allOf`. */
export function conditionsOf(filter: ChangeFilter): (Sql | undefined)[] {
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

/** Returns the condition for the changes that concern a person or one of some companies. */
export function concerns({ userId, companyIds }: Exclude<Visibility, 'all'>): Sql {
  if (companyIds.length === 0) return sql`user_id = ${userId}`;
  return sql`(user_id = ${userId} or company_id in (${join(companyIds)}))`;
}
