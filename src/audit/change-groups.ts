import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../db/sql/select-page.ts';
import { isoTimestamp } from '../db/sql/sql-fragments.ts';
import { ALL_ENTITIES } from '../entities/entities.ts';
import { groupKey, PARTS, type Visibility } from './change-filter.ts';
import { addNames, findNames } from './change-names.ts';
import type { ChangeGroupView } from './change-view.ts';
import { actorColumn, listChangesById, newestFirst } from './changes.ts';

/** Maximum number of subjects in a group. */
const MAX_SUBJECTS = 5;

/** A group as it is selected. */
type GroupRow = Omit<ChangeGroupView, 'actorName' | 'subjects' | 'main'> & {
  subjects: { entity: string; id: string; first: string }[];
  /** Ids of the first and of the main change. */
  first: string;
  main: string;
};

/**
 * Returns one page of the requests, imports and commands that made visible changes, newest first. A group has the place of its first
 * change, which never moves while others are added.
 *
 * @param where the condition of the changes that count
 */
export async function listChangeGroups(
  db: Reader,
  visibility: Visibility,
  where: Sql,
  page: PageRequest,
): Promise<Page<ChangeGroupView>> {
  const sameGroup = (row: Sql): Sql => sql`
    (${where}) and ${groupKey()} = ${groupKey('audit_changes')}
      and ${row}.actor_id is not distinct from audit_changes.actor_id`;
  const { items, ...total } = await selectPage<{ group: GroupRow }>(
    db,
    {
      columns: sql`${groupOf(sameGroup(sql`member`))} as "group"`,
      from: sql`audit_changes`,
      where: sql`(${where}) and not exists (
        select from audit_changes earlier where ${sameGroup(sql`earlier`)} and earlier.id < audit_changes.id)`,
      orderBy: newestFirst(page),
      count: sql`
        select count(*)::integer from (select distinct ${groupKey()}, actor_id from audit_changes where ${where}) groups`,
    },
    page,
  );
  const groups = items.map(({ group }) => group);
  const ids = groups.map(({ main }) => main);
  const mains = await addNames(db, visibility, await listChangesById(db, ids));
  const named = groups.flatMap(({ subjects }) => subjects.map(({ entity, id }) => ({ kind: entity, id })));
  const nameOf = await findNames(db, visibility, named);
  return {
    ...total,
    items: groups.flatMap(({ first: _, main: mainId, subjects, ...group }) => {
      const main = mains.find(({ id }) => id === mainId);
      // Removed with the old changes meanwhile.
      if (main === undefined) return [];
      const withNames = subjects.map(({ entity, id, first }) => {
        return { entity, id, name: nameOf({ kind: entity, id }, first) };
      });
      return [{ ...group, actorName: main.actorName, subjects: withNames, main }];
    }),
  };
}

const RANKED = ALL_ENTITIES.filter(({ rank }) => rank !== undefined)
  .toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
  .map(({ name }) => raw(`'${name}'`));

/** The order in which entities explain the others that change with them. */
const rank = (entity: Sql): Sql => sql`array_position(array[${join(RANKED)}], ${entity})`;

/** In SQL, the entity and the id of the row of which a change shows a part. */
const WHOLES = PARTS.map(({ part, whole }) => sql`when entity = ${part} then ${raw(`'${whole}'`)}`);
const WHOLE_IDS = PARTS.map(
  ({ part, wholeId, stored }) => sql`case when entity = ${part} then coalesce(${wholeId}, ${stored}) end`,
);

/** Returns the group of the row of `audit_changes`, its first change, in SQL. The subject of a role is its person, of a part its whole. */
function groupOf(isMember: Sql): Sql {
  return sql`(
    with members as materialized (
      select id, entity, action,
             case when user_id is not null then 'user' ${join(WHOLES, ' ')} else entity end as kind,
             coalesce(user_id::text, ${join(WHOLE_IDS)}, entity_id) as subject
        from audit_changes member where ${isMember}),
    counts as (select entity, action, count(*)::integer as count, min(id) as first from members group by entity, action),
    subjects as (select kind, subject, min(id) as first from members group by kind, subject)
    select json_build_object(
      'id', ${groupKey()}, 'requestId', request_id, 'changedAt', ${isoTimestamp(sql`changed_at`)}, 'actor', ${actorColumn},
      'counts', (select json_agg(json_build_object('entity', entity, 'action', action, 'count', count)
                                 order by ${rank(sql`entity`)}, first) from counts),
      'subjectCount', (select count(*)::integer from subjects),
      'subjects', (select json_agg(json_build_object('entity', kind, 'id', subject, 'first', first::text)
                                   order by ${rank(sql`kind`)}, first)
                     from (select * from subjects order by ${rank(sql`kind`)}, first limit ${MAX_SUBJECTS}::integer) named),
      'first', id::text, 'main', (select members.id::text from members order by ${rank(sql`entity`)}, members.id limit 1)))`;
}
