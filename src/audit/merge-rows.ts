import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Reader, Writer } from '../db/database.ts';
import { type Entity, fieldOf } from '../entities/entity.ts';
import { type Actor, auditedFields, auditSubjectColumns, auditTables, differences, given } from './audit-trail.ts';
import { deletedRows, insertedRows, newValues, written } from './audited-write.ts';
import { columnOf, updatedAtNow } from './entity-sql.ts';

export interface MergedRows {
  added: number;
  changed: number;
}

/** Rows to merge into the table of their entity. */
export interface StagedRows {
  entity: Entity;
  /** A table or parenthesised query with the columns of the entity's fields; each row has its id. */
  rows: Sql;
  /** Fields to write. Stored rows keep their other values; new rows take them from the columns. */
  given: ReadonlySet<string>;
}

/** Inserts new rows and updates those that differ, with their audit trail. Rows may swap unique values. */
export async function mergeRows(transaction: Writer, staged: StagedRows, actor: Actor): Promise<MergedRows> {
  const { entity } = staged;
  const { table, fields, hasTimestamps, auditSubject } = entity;
  const names = givenBesideId(staged);
  // Only ids are given, so all rows exist.
  if (names.length === 0) return { added: 0, changed: 0 };
  const id = columnOf(entity);
  const isEmpty = (await transaction.query(sql`select from ${raw(table)} limit 1`)).length === 0;
  if (!isEmpty && auditSubject) await keepDifferingRows(transaction, staged);
  const columns = Object.values(fields).map(({ column }) => column);
  const assignments = names.map((name) => sql`${columnOf(entity, name)} = excluded.${columnOf(entity, name)}`);
  if (hasTimestamps) assignments.push(sql`updated_at = ${updatedAtNow('t')}`);
  const returned = auditSubject ? raw(`, ${columns.map((column) => `t.${column}`).join()}`) : empty;
  // A row without an earlier version (xmax 0) was inserted, any other was updated.
  const [counts] = await transaction.query<MergedRows>(sql`
    with ${given(null, actor)},
    written as (
      insert into ${raw(table)} as t (${raw(columns.join())})
      ${isEmpty ? sql`select ${newValues(entity)} from ${staged.rows} s` : newAndChangedRows(staged)}
      on conflict (${id}) do update set ${join(assignments)}
      returning (t.xmax = 0) as added${returned}
    )${auditTables(entity, sql`${written(entity, 'added')} where added${isEmpty ? empty : sql` union all ${changedRows(staged)}`}`)}
    select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed
    from written`);
  return counts ?? { added: 0, changed: 0 };
}

/** Returns the counts that {@link mergeRows} would return, without writing. */
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

/** Inserts rows with new ids, with their audit trail. @param rows parenthesised query with the columns of the entity's fields */
export async function addRows(transaction: Writer, entity: Entity, rows: Sql, actor: Actor): Promise<void> {
  await transaction.query(
    sql`with ${given(null, actor)}, ${insertedRows(entity, sql`${rows} s`)} select from written limit 1`,
  );
}

/** Deletes rows, with their audit trail. @param ids selects their ids @returns the number of rows */
export async function removeRows(transaction: Writer, entity: Entity, ids: Sql, actor: Actor): Promise<number> {
  const [counts] = await transaction.query<{ removed: number }>(sql`
    with ${given(null, actor)}, ${deletedRows(entity, ids)} select count(*)::integer as removed from written`);
  return counts?.removed ?? 0;
}

/** Returns the number of rows with these ids. @param ids selects them */
export async function countRows(db: Reader, entity: Entity, ids: Sql): Promise<number> {
  const [counts] = await db.query<{ rows: number }>(sql`
    select count(*)::integer as rows from ${raw(entity.table)} where ${columnOf(entity)} in (${ids})`);
  return counts?.rows ?? 0;
}

/** Returns the condition that a staged row `s` differs from its stored row `t`. */
export function differs({ entity, given: names }: StagedRows): Sql {
  const others = givenBesideId({ entity, given: names });
  if (others.length === 0) return sql`false`;
  const stored = others.map((name) => sql`t.${columnOf(entity, name)}`);
  return sql`(${join(stored)}) is distinct from (${join(others.map((name) => newValue({ entity, given: names }, name)))})`;
}

/** Returns the new value of a field in SQL, from the staged row `s` and the stored row `t` (all null if there is none). */
export function newValue({ entity, given: names }: Pick<StagedRows, 'entity' | 'given'>, name: string): Sql {
  const { column, sqlDefault } = fieldOf(entity, name);
  if (sqlDefault) return raw(`coalesce(s.${column}, t.${column}, ${sqlDefault})`);
  return raw(
    names.has(name)
      ? `s.${column}`
      : `case when t.${columnOf(entity).text} is null then s.${column} else t.${column} end`,
  );
}

function givenBesideId({ entity, given: names }: Pick<StagedRows, 'entity' | 'given'>): string[] {
  return Object.keys(entity.fields).filter((name) => name !== entity.id && names.has(name));
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

/** Returns the name of the temporary table of stored rows that will change, in their old state. */
function differingRows({ table }: Entity): Sql {
  return raw(`differing_${table}`);
}

/** Copies and locks the stored rows that will change, until the transaction ends. */
async function keepDifferingRows(transaction: Writer, staged: StagedRows): Promise<void> {
  const { entity, rows } = staged;
  const id = columnOf(entity);
  // Of an earlier merge of the same transaction.
  await transaction.query(sql`drop table if exists pg_temp.${differingRows(entity)}`);
  await transaction.query(sql`
    create temporary table ${differingRows(entity)} on commit drop as
    select t.* from ${rows} s join ${raw(entity.table)} t on t.${id} = s.${id}
    where ${differs(staged)} for no key update of t`);
  await transaction.query(sql`analyze ${differingRows(entity)}`);
}

function changedRows({ entity }: StagedRows): Sql {
  const id = columnOf(entity);
  return sql`
    select 'changed', ${auditSubjectColumns(entity, 'written')}, ${differences(entity, auditedFields(entity), 't', 'written')}
      from written join ${differingRows(entity)} t on t.${id} = written.${id}
     where not added`;
}
