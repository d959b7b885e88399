import sql, { empty, join, raw, type Sql } from 'sql-template-tag';

/** What the audit trail is of, as its answers call it. */
export const AUDITED_ENTITIES = [
  'company',
  'department',
  'band',
  'user',
  'companyRole',
  'systemRole',
  'approvalPolicy',
  'approvalPolicyLevel',
] as const;
export type AuditedEntity = (typeof AUDITED_ENTITIES)[number];

/** A user who makes a change, and the request by which. */
export interface UserOrigin {
  userId: string;
  requestId: string;
}

/** Who makes a change: a user by a request, or an import by its run. */
export type Origin = UserOrigin | { runId: string };

/** A field of the row that changes. */
export interface AuditedField {
  /** As the API calls it. */
  name: string;
  /** Its values in SQL, both of the same type. */
  before: Sql;
  after: Sql;
  /** Where these values are kept: in the trail, apart from it as personal ones, or nowhere. */
  kept: 'trail' | 'apart' | 'nowhere';
}

/** Fields of users that are personal: the trail has their names, and their values can be erased. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  ...['email', 'firstName', 'lastName', 'phone', 'dateOfBirth', 'gender', 'addressLine1', 'addressLine2', 'pincode'],
]);

/** Where the values of a field are kept. The e-mail address of a company is never shown, and so is not kept either. */
export function keepingOf(entity: AuditedEntity, field: string): AuditedField['kept'] {
  if (entity === 'user') return PERSONAL_FIELDS.has(field) ? 'apart' : 'trail';
  return entity === 'company' && field === 'email' ? 'nowhere' : 'trail';
}

/** A select of one row, or none where no field differs: `fields`, `field_values` and `personal_values` for {@link logChanges}. */
export function differences(fields: readonly AuditedField[]): Sql {
  const rows = fields.map(
    ({ name, before, after, kept }, place) =>
      sql`(${raw(`${place}, '${name}', '${kept}'`)}, to_jsonb(${before}), to_jsonb(${after}))`,
  );
  const values = (kept: AuditedField['kept']) =>
    sql`jsonb_object_agg(name, jsonb_build_array(before, after)) filter (where kept = ${raw(`'${kept}'`)})`;
  return sql`
    select array_agg(name order by place) as fields, ${values('trail')} as field_values, ${values('apart')} as personal_values
      from (values ${join(rows)}) field (place, name, kept, before, after)
     where before is distinct from after
    having count(*) > 0`;
}

/**
 * Common tables of a statement that changes rows of this entity: they write its common table `changes` to the audit trail,
 * in the same transaction. The columns of `changes`: `action`, `entity_id`, `user_id`, `company_id` and those of
 * {@link differences}; `fields` is empty for what was added.
 *
 * The trail's ids are taken as the rows come, and so after those have been locked: whoever changes them next gets higher ones.
 */
export function logChanges(entity: AuditedEntity, origin: Origin): Sql {
  const actor =
    'runId' in origin
      ? sql`'import', null::uuid, null, ${origin.runId}::uuid`
      : sql`'user', ${origin.userId}::uuid, ${origin.requestId}, null::uuid`;
  const personal = sql`,
    personal as (
      insert into audit_personal_values (change_id, field_values)
      select logged.id, changes.personal_values from changes join logged using (entity_id)
       where changes.personal_values is not null
    )`;
  return sql`
    logged as (
      insert into audit_changes
        (actor_kind, actor_id, request_id, run_id, action, entity, entity_id, user_id, company_id, fields, field_values)
      select ${actor}, action, ${raw(`'${entity}'`)}, entity_id, user_id, company_id, fields, field_values from changes
      returning id, entity_id
    )${entity === 'user' ? personal : empty}`;
}
