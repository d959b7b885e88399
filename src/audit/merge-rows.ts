import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Writer } from '../db/database.ts';
import { type Entity, fieldOf, type UniqueKey } from '../entities/entity.ts';
import { type Actor, auditedFields, auditSubjectColumns, auditTables, differences, given } from './audit-trail.ts';
import { deletedRows, insertedRows } from './audited-write.ts';
import { columnOf, sameKey, updatedAtNow } from './entity-sql.ts';

export interface MergedRows {
  added: number;
  changed: number;
}

/** Rows that are to be merged into the table of their entity. */
export interface StagedRows {
  entity: Entity;
  /** A table, or a query in brackets, with the columns of the entity's fields. Each row has its id. */
  rows: Sql;
  /** The fields that are given. Of the others stored rows keep what they have; new rows have what stands in the columns. */
  given: ReadonlySet<string>;
}

/**
 * Writes staged rows to the table of their entity: those that are new, and those that differ; and to the audit trail what that adds and
 * changes. Rows may swap what must be unique.
 */
export async function mergeRows(transaction: Writer, staged: StagedRows, actor: Actor): Promise<MergedRows> {
  const { entity } = staged;
  const { table, fields, unique, hasTimestamps, auditSubject } = entity;
  const given = givenBesideId(staged);
  // Files of ids alone: all of the rows are there.
  if (given.length === 0) return { added: 0, changed: 0 };
  const id = columnOf(entity);
  const isEmpty = (await transaction.query(sql`select from ${raw(table)} limit 1`)).length === 0;
  if (!isEmpty) {
    if (auditSubject) await keepDifferingRows(transaction, staged);
    for (const key of unique) await makeWayForSwaps(transaction, staged, key);
  }
  const columns = Object.values(fields).map(({ column }) => column);
  const assignments = given.map((name) => {
    const column = columnOf(entity, name);
    return sql`${column} = excluded.${column}`;
  });
  if (hasTimestamps) assignments.push(sql`updated_at = ${updatedAtNow('t')}`);
  const returned = auditSubject ? raw(`, ${columns.map((column) => `t.${column}`).join()}`) : empty;
  // A row without an earlier version (xmax 0) was inserted, any other was updated.
  const [counts] = await transaction.query<MergedRows>(sql`
    with ${writer(actor)},
    written as (
      insert into ${raw(table)} as t (${raw(columns.join())})
      ${isEmpty ? allRows(staged) : newAndChangedRows(staged)}
      on conflict (${id}) do update set ${join(assignments)}
      returning (t.xmax = 0) as added${returned}
    )${auditTables(entity, sql`${addedRows(entity)}${isEmpty ? empty : sql` union all ${changedRows(staged)}`}`)}
    select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed
    from written`);
  return counts ?? { added: 0, changed: 0 };
}

/** What {@link mergeRows} would do, of which it does nothing. */
export async function countMerge(db: Reader, staged: StagedRows): Promise<MergedRows> {
  const { entity, rows } = staged;
  const id = columnOf(entity);
  const [counts] = await db.query<MergedRows>(sql`
    select count(*) filter (where t.${id} is null)::integer as added,
           count(*) filter (where t.${id} is not null)::integer as changed
    from ${rows} s left join ${raw(entity.table)} t on t.${id} = s.${id}
    where t.${id} is null or ${differs(staged)}`);
  return counts ?? { added: 0, changed: 0 };
}

/** Adds rows that are not there yet, and tells the audit trail. @param rows a query in brackets, with the columns of the entity's fields */
export async function addRows(transaction: Writer, entity: Entity, rows: Sql, actor: Actor): Promise<void> {
  await transaction.query(
    sql`with ${writer(actor)}, ${insertedRows(entity, sql`${rows} s`)} select from written limit 1`,
  );
}

/** Removes rows, and tells the audit trail. @param ids selects theirs @returns how many there were */
export async function removeRows(transaction: Writer, entity: Entity, ids: Sql, actor: Actor): Promise<number> {
  const [counts] = await transaction.query<{ removed: number }>(sql`
    with ${writer(actor)}, ${deletedRows(entity, ids)} select count(*)::integer as removed from written`);
  return counts?.removed ?? 0;
}

/** How many rows have these ids. @param ids selects them */
export async function countRows(db: Reader, entity: Entity, ids: Sql): Promise<number> {
  const [counts] = await db.query<{ rows: number }>(sql`
    select count(*)::integer as rows from ${raw(entity.table)} where ${columnOf(entity)} in (${ids})`);
  return counts?.rows ?? 0;
}

/** Whether a staged row `s` says something else than its stored row `t`. */
export function differs({ entity, given: names }: StagedRows): Sql {
  const others = givenBesideId({ entity, given: names });
  if (others.length === 0) return sql`false`;
  const stored = others.map((name) => sql`t.${columnOf(entity, name)}`);
  return sql`(${join(stored)}) is distinct from (${join(others.map((name) => newValue({ entity, given: names }, name)))})`;
}

/** The value that a field gets, in SQL for the staged row `s` and the stored row `t`, all null where there is none. */
export function newValue({ entity, given: names }: Pick<StagedRows, 'entity' | 'given'>, name: string): Sql {
  const { column, sqlDefault } = fieldOf(entity, name);
  if (sqlDefault) return raw(`coalesce(s.${column}, t.${column}, ${sqlDefault})`);
  return raw(
    names.has(name)
      ? `s.${column}`
      : `case when t.${columnOf(entity).text} is null then s.${column} else t.${column} end`,
  );
}

/** The first common table expression: nothing is written that it would have to hold. */
function writer(actor: Actor): Sql {
  return given(null, actor);
}

function givenBesideId({ entity, given: names }: Pick<StagedRows, 'entity' | 'given'>): string[] {
  return Object.keys(entity.fields).filter((name) => name !== entity.id && names.has(name));
}

/** All staged rows: they need no look at a table without rows. */
function allRows({ entity: { fields }, rows }: StagedRows): Sql {
  const values = Object.values(fields).map(({ column, sqlDefault }) =>
    raw(sqlDefault ? `coalesce(${column}, ${sqlDefault})` : column),
  );
  return sql`select ${join(values)} from ${rows} s`;
}

function newAndChangedRows(staged: StagedRows): Sql {
  const { entity, rows } = staged;
  const { table, auditSubject, fields } = entity;
  const id = columnOf(entity);
  const [known, condition] = auditSubject
    ? [
        differingRows(entity),
        sql`t.${id} is not null or not exists (select from ${raw(table)} stored where stored.${id} = s.${id})`,
      ]
    : [raw(table), sql`t.${id} is null or ${differs(staged)}`];
  return sql`
    select ${join(Object.keys(fields).map((name) => newValue(staged, name)))}
    from ${rows} s left join ${known} t on t.${id} = s.${id} where ${condition}`;
}

/** The temporary table that holds the stored rows which the staged ones change, as they were before. */
function differingRows({ table }: Entity): Sql {
  return raw(`differing_${table}`);
}

/** Keeps the stored rows that will change, for as long as the transaction lasts: nobody else changes them until then. */
async function keepDifferingRows(transaction: Writer, staged: StagedRows): Promise<void> {
  const { entity, rows } = staged;
  const id = columnOf(entity);
  await transaction.query(sql`
    create temporary table ${differingRows(entity)} on commit drop as
    select t.* from ${rows} s join ${raw(entity.table)} t on t.${id} = s.${id}
    where ${differs(staged)} for no key update of t`);
  await transaction.query(sql`analyze ${differingRows(entity)}`);
}

/**
 * Frees unique values that stored rows are about to give up to others: a unique index on an expression is checked row
 * by row, so two rows could not swap theirs. The placeholders are gone before the transaction ends.
 */
async function makeWayForSwaps(transaction: Writer, staged: StagedRows, key: UniqueKey): Promise<void> {
  const { entity, rows, given: names } = staged;
  if (key.placeholder === undefined || !key.fields.some((name) => names.has(name))) return;
  const id = columnOf(entity);
  await transaction.query(sql`
    update ${raw(entity.table)} t set ${columnOf(entity, key.fields.at(-1))} = ${raw(key.placeholder)} from ${rows} s
    where s.${id} = t.${id} and not ${sameKey(entity, key, 's', 't')}
      and exists (select from ${rows} other where ${sameKey(entity, key, 'other', 't')})`);
}

function addedRows(entity: Entity): Sql {
  return sql`
    select 'added' as action, ${auditSubjectColumns(entity, 'written')},
           ${differences(entity, auditedFields(entity), undefined, 'written')} from written where added`;
}

function changedRows(staged: StagedRows): Sql {
  const { entity, rows } = staged;
  const id = columnOf(entity);
  const told = auditedFields(entity).filter((name) => staged.given.has(name));
  return sql`
    select 'changed', ${auditSubjectColumns(entity, 'written')}, ${differences(entity, told, 't', 's')}
      from written join ${differingRows(entity)} t on t.${id} = written.${id} join ${rows} s on s.${id} = written.${id}
     where not added`;
}
