import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { inOneCase } from '../entities/characters.ts';
import { ALL_ENTITIES } from '../entities/entities.ts';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';
import { groupMapping } from '../entities/group-mapping.ts';
import { user } from '../entities/user.ts';
import type { Visibility } from './change-filter.ts';
import type { ChangeView } from './change-view.ts';
import { seenBy } from './changes.ts';
import { columnOf } from './entity-sql.ts';

/** The row that an id in a change refers to. */
interface Reference {
  kind: string;
  id: string;
}

/** Display names for a change; null if unknown, or hidden from the caller. */
export interface ChangeNames {
  actorName: string | null;
  entityName: string | null;
  /** By id that the values of the change refer to. */
  names: Record<string, string | null>;
}

interface FoundName extends Reference {
  name: string | null;
  /** For a user, the id of the change that last erased their values. */
  erasedBy: string | null;
}

const keyOf = ({ kind, id }: Reference) => `${kind} ${id}`;

/**
 * Adds display names to changes: the present ones, or the last ones of removed rows. Names of users are limited to callers who may see
 * them, and to changes after their last erasure.
 */
export async function addNames(
  db: Reader,
  visibility: Visibility,
  changes: readonly ChangeView[],
): Promise<(ChangeView & ChangeNames)[]> {
  const references = changes.flatMap((change) => [actorOf(change), subjectOf(change), ...valuesOf(change)]);
  const nameOf = await findNames(db, visibility, references);
  return changes.map((change) => {
    const named = (reference: Reference | undefined): string | null => nameOf(reference, change.id);
    const names = Object.fromEntries(valuesOf(change).map((reference) => [reference.id, named(reference)]));
    return {
      ...seenBy(visibility, change),
      actorName: named(actorOf(change)),
      entityName: named(subjectOf(change)),
      names,
    };
  });
}

/** Looks up display names. Returns the name of a reference as the change with an id may show it. */
export async function findNames(
  db: Reader,
  visibility: Visibility,
  references: readonly (Reference | undefined)[],
): Promise<(reference: Reference | undefined, changeId: string) => string | null> {
  const wanted = new Map(
    references.flatMap((reference) => (reference === undefined ? [] : [[keyOf(reference), reference] as const])),
  );
  const requested = [...wanted.values()].map(({ kind, id }) => ({ kind, id, keptId: inOneCase(id) }));
  const found = await db.query<FoundName>(sql`
    select wanted.kind, wanted.id, ${nameOf(visibility)} as name, ${LAST_ERASED} as "erasedBy"
      from json_to_recordset(${JSON.stringify(requested)}::text::json) as wanted (kind text, id text, "keptId" text)`);
  const known = new Map(found.map((row) => [keyOf(row), row]));
  return (reference, changeId) => {
    const row = reference && known.get(keyOf(reference));
    if (row === undefined) return null;
    return row.erasedBy !== null && BigInt(changeId) <= BigInt(row.erasedBy) ? null : row.name;
  };
}

function actorOf({ actor: { userId, keyId } }: ChangeView): Reference | undefined {
  if (userId !== null) return { kind: 'user', id: userId };
  return keyId === undefined ? undefined : { kind: 'apiKey', id: keyId };
}

/** Returns the subject of a change: the user concerned, if any, or else the row itself. */
function subjectOf({ entity, entityId, userId }: ChangeView): Reference {
  return userId === null ? { kind: entity, id: entityId } : { kind: 'user', id: userId };
}

/** Returns the references among the values of a change. */
function valuesOf({ entity, changes }: ChangeView): Reference[] {
  const fields = ALL_ENTITIES.find(({ name }) => name === entity)?.fields;
  return changes.flatMap(({ field, before, after }) => {
    const { references, lists } = fields?.[field] ?? {};
    const kind = references ?? lists;
    if (kind === undefined) return [];
    return [before, after].flatMap((value) => {
      if (typeof value !== 'string') return [];
      return (references === undefined ? value.split(' ') : [value]).map((id) => ({ kind, id }));
    });
  });
}

const LAST_ERASED: Sql = sql`
  case when wanted.kind = 'user' then (
    select max(erased.id)::text from audit_changes erased
     where erased.user_id = wanted.id::uuid and erased.entity = 'user' and erased.action = 'erased') end`;

/** Returns the display name of `wanted` in SQL. */
function nameOf(visibility: Visibility): Sql {
  const mayBeSeen =
    visibility === 'all'
      ? sql`true`
      : sql`(users.id = ${visibility.userId}::uuid or ${isOfCompanies(visibility.companyIds)})`;
  const names = ALL_ENTITIES.flatMap((entity) => {
    const name = entity.name === user.name ? nameOfUser(mayBeSeen) : nameIn(entity);
    return name === undefined ? [] : [sql`when ${raw(`'${entity.name}'`)} then ${name}`];
  });
  return sql`case wanted.kind ${join(names, ' ')} end`;
}

function nameOfUser(mayBeSeen: Sql): Sql {
  return sql`(select trim(first_name || ' ' || last_name) from users where users.id = wanted.id::uuid and ${mayBeSeen})`;
}

/** Returns the name of the row `wanted` of an entity: its own, that of the row of which it is a part, or its last one. */
function nameIn(entity: AuditedEntity): Sql | undefined {
  const { table, id, partOf, fields, title = 'name' in fields ? ['name'] : [] } = entity;
  const isWanted = (row: AuditedEntity) =>
    fieldOf(row, row.id).kind.sqlType === 'uuid' ? sql`wanted.id::uuid` : sql`wanted."keptId"`;
  const [rows, own] = [raw(table), sql`${raw(table)}.${columnOf(entity, id)} = ${isWanted(entity)}`];
  if (entity.name === groupMapping.name) {
    return sql`(
      select coalesce(group_name, display_name) from group_mappings
        left join directory_groups on directory_groups.id = group_mappings.group_id where ${own})`;
  }
  if (title.length > 0) {
    const columns = title.map((name) => columnOf(entity, name));
    return sql`coalesce((select coalesce(${join(columns)}) from ${rows} where ${own}), ${lastName(title)})`;
  }
  if (partOf === undefined) return undefined;
  const whole = partOf.entity;
  const [name] = whole.title ?? ('name' in whole.fields ? ['name'] : []);
  if (name === undefined) return undefined;
  const wholes = raw(whole.table);
  return sql`(
    select ${wholes}.${columnOf(whole, name)} from ${wholes}
      join ${rows} on ${rows}.${columnOf(entity, partOf.field)} = ${wholes}.${columnOf(whole)} where ${own})`;
}

/** Returns the condition that a user belongs to one of these companies, or holds a role there. */
function isOfCompanies(companyIds: readonly string[]): Sql {
  if (companyIds.length === 0) return sql`false`;
  const ids = join(companyIds.map((id) => sql`${id}::uuid`));
  return sql`(users.company_id in (${ids}) or exists (
    select from company_roles where company_roles.user_id = users.id and company_roles.company_id in (${ids})))`;
}

/** Returns the last name of a removed row, from the trail. */
function lastName(title: readonly string[]): Sql {
  const names = title.map((name) => raw(`removed.field_values -> '${name}' ->> 0`));
  return sql`(
    select coalesce(${join(names)}) from audit_changes removed
     where removed.entity = wanted.kind and removed.entity_id in (wanted.id, wanted."keptId") and removed.user_id is null and removed.action = 'removed'
     order by removed.id desc limit 1)`;
}
