import sql, { join, raw, type Sql } from 'sql-template-tag';
import { columnOf, comparable, storedKey } from '../../audit/entity-sql.ts';
import type { Writer } from '../../db/database.ts';
import { EXTERNAL_ID } from '../../entities/characters.ts';
import { type Entity, fieldOf } from '../../entities/entity.ts';
import { namesOf, type ProblemList, quoted, runCheck } from '../check/problems.ts';
import { type Column, entityOf, referenceKey } from '../read/import-format.ts';
import { gives, type StagedFile, stagingTable } from '../stage/staging.ts';

/** A reference that a file gives by a key of the target row. */
interface NamedReference {
  entity: Entity;
  field: string;
  /** Column with the key. */
  column: Column;
  target: Entity;
  /** Fields of the target, one of which the column holds. */
  keyFields: readonly string[];
  /** Other fields of the key, which must be equal in both rows, such as the company. */
  shared: readonly string[];
}

/**
 * Resolves references by key to ids, against the folder merged with the database.
 *
 * @param which `apart`: targets identified by the key alone, then those that identify the row itself; `within`: other targets whose key also
 *   includes fields of the referring row, such as the company
 */
export async function resolveReferences(
  db: Writer,
  file: StagedFile,
  which: 'apart' | 'within',
  problems: ProblemList,
): Promise<void> {
  const identifies = ({ field, shared }: NamedReference) =>
    file.entity.naturalKey?.fields.includes(field) === true && shared.every((name) => gives(file, name));
  const isApart = (reference: NamedReference) => reference.shared.length === 0 || identifies(reference);
  const references = namedReferences(file).toSorted((one, other) => one.shared.length - other.shared.length);
  for (const reference of references) {
    if (isApart(reference) !== (which === 'apart')) continue;
    const { entity, field, column, target } = reference;
    const keyText = namesOf(reference.keyFields, 'or') || 'externalId';
    const [staged, open, id] = [stagingTable(entity), isOpen(reference), sql`coalesce(matched.id::text, lower(item))`];
    const matched = column.isList
      ? sql`(
          select s.line, string_agg(distinct ${id}, ' ' order by ${id}) as id
            from ${openRows(reference)} left join matched on rows = 1 and ${sameReference(reference)} where ${open}
           group by s.line having bool_and(matched.id is not null or not ${isKey(column)})) matched
         where s.line = matched.line`
      : sql`matched where ${open} and rows = 1 and ${sameReference(reference)}`;
    await db.query(sql`
      with ${matches(reference)} update ${staged} s set ${columnOf(entity, field)} = matched.id from ${matched}`);
    const ofCompany = reference.shared.length > 0 ? ' of the company' : '';
    await runCheck(db, problems, {
      entity,
      column: column.name,
      found: sql`
        with ${matches(reference)}
        select s.line, ${keyOf(column)}::text as value, coalesce(matched.rows, 0)::text as other
          from ${openRows(reference)} left join matched on ${sameReference(reference)}
         where ${open} and ${isKey(column)} and coalesce(matched.rows, 0) <> 1`,
      reason: ({ value, other }) =>
        other === '0'
          ? `${quoted(value)} is the ${keyText} of no ${target.noun}${ofCompany}${whereToAdd(file, target)}`
          : `${quoted(value)} is the ${keyText} of ${other} ${target.noun}s${ofCompany}: give the ${field} of one`,
    });
  }
}

/** Returns the end of a message about a missing target row: how to correct it. */
export function whereToAdd({ format }: StagedFile, target: Entity): string {
  if (format.companyId !== undefined) return ': correct it';
  return ` in the folder or the database: correct it, or add the ${target.noun} to ${target.file}`;
}

function namedReferences({ entity, format, columns }: StagedFile): NamedReference[] {
  return columns.flatMap((column): NamedReference[] => {
    const { field, keyFields } = column;
    const { references, lists, ofSameCompany } = field === undefined ? {} : fieldOf(entity, field);
    const name = references ?? lists;
    if (field === undefined || keyFields === undefined || name === undefined) return [];
    const target = entityOf(format.entities, name);
    // Ids of other systems are unique in the company, which a part has from the whole.
    const isOfCompany = column.isExternal
      ? ('companyId' in entity.fields || (entity.partOf && field !== entity.partOf.field)) &&
        'companyId' in target.fields
      : ofSameCompany;
    const shared = isOfCompany ? ['companyId'] : column.isExternal ? [] : referenceKey(target).shared;
    return [{ entity, field, column, keyFields, target, shared }];
  });
}

/** Returns the condition that the staged row `s` has a key but no id yet. */
function isOpen({ entity, field, column, shared }: NamedReference): Sql {
  const values = [raw(`s.${column.column}`), ...shared.map((name) => sharedIn(entity, name))];
  return sql`s.${columnOf(entity, field)} is null and ${join(
    values.map((value) => sql`${value} is not null`),
    ' and ',
  )}`;
}

/** Returns the staged rows `s`, for a list each with every `item`. */
function openRows({ entity, column }: NamedReference): Sql {
  const items = raw(column.isList ? ` cross join unnest(string_to_array(s.${column.column}, chr(10))) item` : '');
  return sql`${stagingTable(entity)} s${items}`;
}

/** Returns the key that the staged row `s` gives, or an item of its list. */
function keyOf({ column, isList }: Column): Sql {
  return raw(isList ? 'item' : `s.${column}`);
}

/** Returns the condition that it is a key: lists have ids, too. */
function isKey(column: Column): Sql {
  return column.isList ? sql`starts_with(item, ${EXTERNAL_ID})` : sql`true`;
}

/** Returns a field of the staged row `s` that both rows share. */
function sharedIn(entity: Entity, name: string): Sql {
  return name === 'companyId' ? companyIdInRow(entity) : sql`s.${columnOf(entity, name)}`;
}

/** Returns the company of the staged row `s`: its own, or that of the whole of which it is a part. */
export function companyIdInRow(entity: Entity): Sql {
  const { partOf } = entity;
  if (partOf === undefined) return sql`s.${columnOf(entity, 'companyId')}`;
  const whole = partOf.entity as Entity;
  const wholeIn = (table: Sql) =>
    sql`(select w.company_id from ${table} w where w.${columnOf(whole)} = s.${columnOf(entity, partOf.field)} limit 1)`;
  return sql`coalesce(${wholeIn(stagingTable(whole))}, ${wholeIn(raw(whole.table))})`;
}

/**
 * Returns common table expressions: `matched` has each referenced key, the number of rows with it, and the id of one of them. The unique
 * key wins: a name counts only where no row has that key. Rows of the folder replace stored rows with the same id.
 */
function matches(reference: NamedReference): Sql {
  const { target, shared, keyFields } = reference;
  const { ignoresCase } = target.naturalKey ?? {};
  const withShared = (last: Sql, row: string) =>
    join([last, ...shared.map((name) => raw(`${row}.${fieldOf(target, name).column}`))]);
  const stagedKey = (last: string) =>
    withShared(comparable(raw(`n.${fieldOf(target, last).column}`), ignoresCase), 'n');
  const names = keyNames(shared);
  const id = columnOf(target);
  const wanted = join(names.map((name) => sql`wanted.${name}`));
  const externally = (row: string) => {
    const others = names.slice(1).map((name) => sql`wanted.${name}`);
    const [given, key] = [
      sql`trim(substr(wanted.key, ${EXTERNAL_ID.length + 1}::integer))`,
      sql`${raw(row)}.${columnOf(target, 'externalId')}`,
    ];
    return sql`starts_with(wanted.key, ${EXTERNAL_ID}) and (${withShared(key, row)}) = (${join([given, ...others])})`;
  };
  const externalId = reference.column.takesExternalId
    ? [
        sql`
      select wanted.*, n.${id} as id, -1 as rank from wanted join ${stagingTable(target)} n on ${externally('n')} where n.${id} is not null
      union select wanted.*, t.${id}, -1 from wanted join ${raw(target.table)} t on ${externally('t')}
             where not exists (select from ${stagingTable(target)} n where n.${id} = t.${id})`,
      ]
    : [];
  return sql`
    wanted as materialized (
      select distinct ${join(keyColumns(reference).map((column, index) => sql`${column} as ${names[index] ?? raw('')}`))}
        from ${openRows(reference)} where ${isOpen(reference)} and ${isKey(reference.column)}),
    found as (${join(
      [
        ...keyFields.map(
          (last, rank) => sql`
      select wanted.*, n.${id} as id, ${raw(String(rank))} as rank
        from wanted join ${stagingTable(target)} n on (${stagedKey(last)}) = (${wanted}) where n.${id} is not null
      union
      select wanted.*, t.${id}, ${raw(String(rank))}
        from wanted join ${raw(target.table)} t on (${withShared(storedKey(target, last, 't', ignoresCase), 't')}) = (${wanted})
       where not exists (select from ${stagingTable(target)} n where n.${id} = t.${id})`,
        ),
        ...externalId,
      ],
      ' union ',
    )}),
    matched as (
      select ${join(names)}, (array_agg(id))[1] as id, count(*)::integer as rows
        from (select *, min(rank) over (partition by ${join(names)}) as first_rank from found) as ranked
       where rank = first_rank group by ${join(names)})`;
}

function sameReference(reference: NamedReference): Sql {
  const names = keyNames(reference.shared).map((name) => sql`matched.${name}`);
  return sql`(${join(keyColumns(reference))}) = (${join(names)})`;
}

/** Returns the key in the staged row `s`, normalised for comparison. */
function keyColumns({ entity, column, target, shared }: NamedReference): Sql[] {
  const given = keyOf(column);
  const key = comparable(given, target.naturalKey?.ignoresCase);
  return [
    column.takesExternalId ? sql`case when starts_with(${given}, ${EXTERNAL_ID}) then ${given} else ${key} end` : key,
    ...shared.map((name) => sharedIn(entity, name)),
  ];
}

function keyNames(shared: readonly string[]): Sql[] {
  return ['key', ...shared.map((_, place) => `shared_${place}`)].map((name) => raw(name));
}
