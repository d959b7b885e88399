import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { type Entity, fieldOf } from '../../entities/entity.ts';
import { stagingTable } from '../stage/staging.ts';

/*
 * Manual edits since the last import, from the audit trail, as common table expressions. They require a preceding one named `changed`, with
 * the changes of an import: `line`, `id` as text, and `is_there`, whether the row exists.
 */

/** Defines `own`: the fields (`entity_id`, `field`) last changed by a user, and the time of that change. */
export function manualEditTables({ name }: Entity): Sql {
  const entity = raw(`'${name}'`);
  return sql`
    told as (
      select entity_id, field, max(id) filter (where actor_kind = 'user') as by_user,
             max(id) filter (where actor_kind <> 'user') as by_others, max(changed_at) filter (where actor_kind = 'user') as changed_at
        from audit_changes cross join unnest(fields) as field
       where entity = ${entity} and entity_id in (select id from changed where is_there)
         and entity_id in (select entity_id from audit_changes where entity = ${entity} and actor_kind = 'user')
       group by entity_id, field),
    own as (
      select entity_id, field, ${isoTimestamp(sql`changed_at`)} as changed_at from told where by_user > coalesce(by_others, 0))`;
}

/** Defines `gone`: the lines whose rows a user removed, matched by id or natural key, and the time of that. */
export function manualRemovalTables(entity: Entity): Sql {
  const removed = sql`audit_changes c where c.entity = ${raw(`'${entity.name}'`)} and c.action = 'removed'`;
  return sql`
    removals as (
      select line, c.* from (select distinct line, id from changed where not is_there) as absent
        join (select entity_id, id as change_id, actor_kind, changed_at from ${removed}) c on c.entity_id = absent.id${byKey(entity, removed)}),
    newest as (select distinct on (line) * from removals order by line, change_id desc),
    gone as (select line, ${isoTimestamp(sql`changed_at`)} as changed_at from newest where actor_kind = 'user')`;
}

function byKey(entity: Entity, removed: Sql): Sql {
  const fields = (entity.naturalKey?.fields ?? []).map((name) => ({ name, ...fieldOf(entity, name) }));
  // Personal values are not in `field_values`, and people are never removed.
  if (fields.length === 0 || fields.some(({ retention }) => retention !== undefined)) return empty;
  const staged = fields.map(({ column }) => raw(`s.${column}::text`));
  const told = fields.map(({ name }) => raw(`c.field_values #>> '{${name},0}'`));
  const columns = fields.map((_, place) => raw(`key_${place}`));
  return sql`
      union all
      select s.line, c.entity_id, c.change_id, c.actor_kind, c.changed_at from ${stagingTable(entity)} s
        join (
          select entity_id, id as change_id, actor_kind, changed_at, ${join(
            told.map((value, place) => sql`${value} as ${columns[place] ?? empty}`),
          )} from ${removed}
        ) c on (${join(columns.map((column) => sql`c.${column}`))}) = (${join(staged)})
       where s.line in (select line from changed where not is_there)`;
}
