import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Writer } from '../db/database.ts';
import { type AuditedEntity, type Field, fieldOf } from '../entities/entity.ts';
import { answered } from './entity-sql.ts';

/** A user who makes a change, and the request. */
export interface UserActor {
  kind: 'user';
  userId: string;
  requestId: string;
}

/** An API key that makes a change, and the request. */
export interface KeyActor {
  kind: 'key';
  keyId: string;
  requestId: string;
}

/** Author of a change: a user or an API key by request, an import by run, or the command line. */
export type Actor = UserActor | KeyActor | { kind: 'import'; runId: string } | { kind: 'command' };

/** Tells triggers that the changes they add will be understood: the version before, which may run beside this one, says no release. */
const RELEASE: Sql = sql`set_config('orgdesk.release', '0.4', true) as release`;

/** Returns the first common table expression, `given`: the content to write, as JSON, and its author. */
export function given(content: unknown, actor: Actor): Sql {
  const { userId, keyId, requestId, runId } = { userId: null, keyId: null, requestId: null, runId: null, ...actor };
  return sql`
    given as (
      select ${JSON.stringify(content)}::text::jsonb as content, ${actor.kind}::text as actor_kind,
             ${userId ?? keyId}::uuid as actor_id, ${requestId}::text as request_id, ${runId}::uuid as run_id,
             ${RELEASE})`;
}

/**
 * Returns the select list that compares two versions of a row: `fields` (names of those that differ), `field_values` and `personal_values`.
 *
 * @param before SQL alias of the row before the change; undefined for a new row, as if all fields were null
 * @param after SQL alias of the row after it; undefined for a removed row, likewise
 */
export function differences(
  entity: AuditedEntity,
  names: readonly string[],
  before: string | undefined,
  after: string | undefined,
): Sql {
  const fields = names.map((name) => ({ name, field: fieldOf(entity, name) }));
  const where = ({ column }: Field) =>
    raw(
      before === undefined || after === undefined
        ? `when ${before ?? after}.${column} is not null then`
        : `when ${before}.${column} is distinct from ${after}.${column} then`,
    );
  const answer = (field: Field, row: string | undefined) => {
    if (row === undefined) return sql`null`;
    return field.kind.sqlType === 'jsonb' ? raw(`${row}.${field.column}`) : answered(field, row);
  };
  const plain = fields.filter(({ field }) => !field.keyed);
  const namesOf = plain.map(({ name, field }) => sql`case ${where(field)} ${raw(`'${name}'`)} end`);
  const keyed = fields.filter(({ field }) => field.keyed);
  const keys = keyed.map(
    ({ name, field }) => sql` || case ${where(field)} ${keysOf(name, field, before, after)} else '{}' end`,
  );
  const valuesOf = (retention: Field['retention']) => {
    const objects = fields
      .filter(({ field }) => field.retention === retention)
      .map(({ name, field }) => {
        if (field.keyed) {
          const row = before ?? after ?? '';
          return sql`case ${where(field)} ${valuesByKey(entity, name, field, { before, after, row })} else '{}' end`;
        }
        const values = sql`jsonb_build_array(${answer(field, before)}, ${answer(field, after)})`;
        return sql`case ${where(field)} jsonb_build_object(${raw(`'${name}'`)}, ${values}) else '{}' end`;
      });
    return objects.length === 0 ? sql`null::jsonb` : sql`nullif(${join(objects, ' || ')}, '{}')`;
  };
  return sql`
    array_remove(array[${namesOf.length === 0 ? empty : join(namesOf)}]::text[], null)${keys.length === 0 ? empty : join(keys, '')} as fields,
    ${valuesOf(undefined)} as field_values, ${valuesOf('personal')} as personal_values`;
}

/** Returns the keys of two objects whose values differ, and these values, in SQL. */
function differingKeys({ column }: Field, before: string | undefined, after: string | undefined): Sql {
  const each = (row: string | undefined) =>
    raw(`jsonb_each(${row === undefined ? "'{}'" : `coalesce(${row}.${column}, '{}')`})`);
  return sql`${each(before)} former full join ${each(after)} latter using (key) where former.value is distinct from latter.value`;
}

function keysOf(name: string, field: Field, before: string | undefined, after: string | undefined): Sql {
  return sql`(select coalesce(array_agg(${raw(`'${name}.'`)} || key order by key), '{}') from ${differingKeys(field, before, after)})`;
}

/** Returns the values of differing keys, but for those that are sensitive or for API keys alone. */
function valuesByKey(
  entity: AuditedEntity,
  name: string,
  field: Field,
  { before, after, row }: { before: string | undefined; after: string | undefined; row: string },
): Sql {
  return sql`(
    select coalesce(jsonb_object_agg(${raw(`'${name}.'`)} || key, jsonb_build_array(former.value, latter.value)), '{}')
      from ${differingKeys(field, before, after)} and not exists (
        select from field_definitions hidden
         where hidden.entity = ${raw(`'${entity.name}'`)} and hidden.key = coalesce(former.key, latter.key)
           and (hidden.company_id is null or hidden.company_id = ${raw(companyOf(entity, row))})
           and (hidden.sensitive or hidden.readable_by = 'KEY')))`;
}

/** Returns the fields whose values the trail keeps: all but secrets and the id, which has its own column. */
export function auditedFields({ fields, id }: AuditedEntity): string[] {
  return Object.keys(fields).filter((name) => name !== id && fields[name]?.retention !== 'none');
}

/** Returns the select list that identifies a row in the trail: `entity_id`, `user_id` and `company_id`. @param row SQL alias */
export function auditSubjectColumns(entity: AuditedEntity, row: string): Sql {
  const column = (name: string) => `${row}.${fieldOf(entity, name).column}`;
  const { user } = entity.auditSubject ?? {};
  return raw(
    `${column(entity.id)}::text as entity_id, ${user ? column(user) : 'null::uuid'} as user_id, ` +
      `${companyOf(entity, row)} as company_id`,
  );
}

/** Returns the company id of a row in SQL: its own, or that of the row of which it is a part. */
function companyOf(entity: AuditedEntity, row: string): string {
  const { auditSubject, partOf } = entity;
  if (auditSubject?.company !== undefined) return `${row}.${fieldOf(entity, auditSubject.company).column}`;
  if (partOf === undefined) return 'null::uuid';
  const whole = partOf.entity;
  const isWhole = `${whole.table}.${fieldOf(whole, whole.id).column} = ${row}.${fieldOf(entity, partOf.field).column}`;
  return `(select ${companyOf(whole, whole.table)} from ${whole.table} where ${isWhole})`;
}

/**
 * Returns the common table expressions that log the changes of a writing statement, authored by its expression `given`. Empty for an entity
 * outside the trail.
 *
 * Ids of changes are assigned as rows come, after these have been locked: a later change of the same row gets a higher id.
 *
 * @param changes selects `action`, and the columns of {@link auditSubjectColumns} and of {@link differences}
 */
export function auditTables({ name, fields, auditSubject }: AuditedEntity, changes: Sql): Sql {
  if (auditSubject === undefined) return empty;
  const personal = sql`,
    personal as (
      insert into audit_personal_values (change_id, field_values)
      select logged.id, changes.personal_values from changes join logged using (entity_id)
       where changes.personal_values is not null)`;
  const hasPersonal = Object.values(fields).some(({ retention }) => retention === 'personal');
  return sql`,
    changes as (${changes}),
    logged as (
      insert into audit_changes
        (actor_kind, actor_id, request_id, run_id, action, entity, entity_id, user_id, company_id, fields, field_values)
      select actor_kind, actor_id, request_id, run_id, action, ${raw(`'${name}'`)}, entity_id, user_id, company_id, fields, field_values
        from changes, given where action <> 'changed' or fields <> '{}'
      returning id, entity_id)${hasPersonal ? personal : empty}`;
}

/**
 * Records what no field of a row shows: a refused write, after its transaction was rolled back, a search, or a change of something else.
 *
 * @param event subject, and values before and after; none may be personal
 */
export async function recordEvent(
  db: Writer,
  actor: Actor,
  event: {
    entity: AuditedEntity;
    id: string;
    userId?: string;
    companyId: string | null;
    values: Readonly<Record<string, readonly (string | number | null)[]>>;
    /** Records it only once: nothing if the same actor has caused the same before. */
    isOnce?: boolean;
  },
  action: 'refused' | 'searched' | 'changed',
): Promise<void> {
  const { entity, id, userId = null, companyId, values, isOnce = false } = event;
  const before = sql`
    select from audit_changes earlier
     where earlier.entity = ${entity.name} and earlier.entity_id = ${id} and earlier.user_id is not distinct from ${userId}::uuid
       and earlier.action = ${action} and earlier.actor_id = given.actor_id and earlier.field_values = content`;
  await db.query(sql`
    with ${given(values, actor)}
    insert into audit_changes
      (actor_kind, actor_id, request_id, run_id, action, entity, entity_id, user_id, company_id, fields, field_values)
    select actor_kind, actor_id, request_id, run_id, ${action}, ${entity.name}, ${id}, ${userId}::uuid, ${companyId}::uuid,
           array(select jsonb_object_keys(content)), content
      from given where ${isOnce ? sql`not exists (${before})` : sql`true`}`);
}

/** Tells companies of changes of rows that no row of theirs shows. @param told with values before and after; none may be personal */
export async function tellCompanies(
  db: Writer,
  actor: Actor,
  entity: AuditedEntity,
  told: readonly {
    id: string;
    userId: string;
    companyId: string;
    values: Readonly<Record<string, readonly (string | null)[]>>;
  }[],
): Promise<void> {
  if (told.length === 0) return;
  await db.query(sql`
    with ${given(told, actor)}
    insert into audit_changes
      (actor_kind, actor_id, request_id, run_id, action, entity, entity_id, user_id, company_id, fields, field_values)
    select actor_kind, actor_id, request_id, run_id, 'changed', ${entity.name}, item ->> 'id', (item ->> 'userId')::uuid,
           (item ->> 'companyId')::uuid, array(select jsonb_object_keys(item -> 'values')), item -> 'values'
      from given, jsonb_array_elements(content) item`);
}

/** Updates the statistics by which the planner finds the changes that a caller may see. */
export const analyzeTrail: Sql = sql`analyze audit_changes (user_id, company_id)`;
