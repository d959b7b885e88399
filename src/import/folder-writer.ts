import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { type AuditedField, differences, keepingOf, logChanges } from '../db/audit-trail.ts';
import type { Executor } from '../db/database.ts';
import type { ColumnFormat, FileFormat } from './import-format.ts';
import { sameKey, stagingTable } from './staging.ts';
import type { CellReader } from './value-readers.ts';

export interface WrittenRows {
  added: number;
  changed: number;
}

/**
 * Lets departments and bands move to another company before their users do: whether they fit is looked at once more by
 * {@link checkFinally}.
 */
export async function deferUserChecks(transaction: Executor): Promise<void> {
  await transaction.query(
    sql`set constraints users_company_id_department_id_fkey, users_company_id_band_id_fkey deferred`,
  );
}

/** Has the database check now what it was to check at the end, so that it is this import that is told. */
export async function checkFinally(transaction: Executor): Promise<void> {
  await transaction.query(sql`set constraints all immediate`);
}

/**
 * Writes a file's staged rows, each with its id, to their table: those that are new, and those that differ; and to the audit
 * trail what that adds and changes, as the work of the run of this id.
 */
export async function writeRows(transaction: Executor, format: FileFormat, runId: string): Promise<WrittenRows> {
  const { table, id, columns } = format;
  const isEmpty = await hasNoRows(transaction, format);
  if (!isEmpty && format.audited) await keepDifferingRows(transaction, format);
  if (!isEmpty) await makeWayForSwaps(transaction, format);
  const names = join(columns.map(({ column }) => raw(column)));
  const assignments = columns
    .filter(({ column }) => column !== id)
    .map(({ column }) => raw(`${column} = excluded.${column}`));
  // The time of the statement, not of the transaction: a profile may have been updated since that began.
  if (format.stamped) assignments.push(raw('updated_at = clock_timestamp()'));
  const { returned, tables } = auditTables(format, isEmpty, runId);
  // A row without an earlier version (xmax 0) was inserted, any other was updated.
  const [counts] = await transaction.query<WrittenRows>(sql`
    with written as (
      insert into ${raw(table)} as t (${names}) ${isEmpty ? allRows(format) : newAndChangedRows(format)}
      on conflict (${raw(id)}) do update set ${join(assignments)}
      returning (t.xmax = 0) as added${returned}
    )${tables}
    select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed
    from written`);
  return counts ?? { added: 0, changed: 0 };
}

/** What {@link writeRows} would do, of which it does nothing. */
export async function countRows(db: Executor, format: FileFormat): Promise<WrittenRows> {
  const { table, id } = format;
  const [counts] = await db.query<WrittenRows>(sql`
    select count(*) filter (where t.${raw(id)} is null)::integer as added,
           count(*) filter (where t.${raw(id)} is not null)::integer as changed
    from ${stagingTable(table)} s left join ${raw(table)} t on t.${raw(id)} = s.${raw(id)}
    where t.${raw(id)} is null or ${differs(format)}`);
  return counts ?? { added: 0, changed: 0 };
}

async function hasNoRows(db: Executor, { table }: FileFormat): Promise<boolean> {
  return (await db.query(sql`select from ${raw(table)} limit 1`)).length === 0;
}

/** All staged rows: they need no look at a table without rows. */
function allRows({ table, columns }: FileFormat): Sql {
  const values = columns.map(({ column, keepsStored }) => raw(keepsStored ? `coalesce(${column}, now())` : column));
  return sql`select ${join(values)} from ${stagingTable(table)}`;
}

function newAndChangedRows(format: FileFormat): Sql {
  const { table, id, columns, audited } = format;
  const [known, condition] = audited
    ? [
        differingRows(table),
        sql`t.${raw(id)} is not null or not exists (select from ${raw(table)} stored where stored.${raw(id)} = s.${raw(id)})`,
      ]
    : [raw(table), sql`t.${raw(id)} is null or ${differs(format)}`];
  return sql`
    select ${join(columns.map(newValue))}
    from ${stagingTable(table)} s left join ${known} t on t.${raw(id)} = s.${raw(id)} where ${condition}`;
}

/** Whether a staged row `s` says something else than its stored row `t`. */
function differs({ columns, id }: FileFormat): Sql {
  const values = columns.filter(({ column }) => column !== id);
  return sql`(${join(values.map(({ column }) => raw(`t.${column}`)))}) is distinct from (${join(values.map(newValue))})`;
}

/** A staged value, in SQL for the staged row `s` and the stored row `t`. */
function newValue({ column, keepsStored }: ColumnFormat): Sql {
  return raw(keepsStored ? `coalesce(s.${column}, t.${column}, now())` : `s.${column}`);
}

/** The temporary table that holds the stored rows which the staged ones change, as they were before. */
function differingRows(table: string): Sql {
  return raw(`import_differing_${table}`);
}

/** Keeps the stored rows that will change, for as long as the transaction lasts: nobody else changes them until then. */
async function keepDifferingRows(transaction: Executor, format: FileFormat): Promise<void> {
  const { table, id } = format;
  await transaction.query(sql`
    create temporary table ${differingRows(table)} on commit drop as
    select t.* from ${stagingTable(table)} s join ${raw(table)} t on t.${raw(id)} = s.${raw(id)}
    where ${differs(format)} for no key update of t`);
  await transaction.query(sql`analyze ${differingRows(table)}`);
}

/** What the statement that writes returns for the audit trail, and the common tables that write it there. */
function auditTables({ table, id, columns, audited }: FileFormat, isEmpty: boolean, runId: string) {
  if (audited === undefined) return { returned: empty, tables: empty };
  const { entity, user = 'null::uuid', company = 'null::uuid' } = audited;
  const returned = raw(`, t.${id} as id, ${user} as user_id, ${company} as company_id`);
  const who = raw('written.id::text as entity_id, written.user_id, written.company_id');
  const fields = columns.map(({ name, column, reader }): AuditedField => {
    const cast = AUDIT_CASTS[reader.sqlType] ?? '::text';
    const [before, after] = [raw(`t.${column}${cast}`), raw(`s.${column}${cast}`)];
    return { name, before, after, kept: keepingOf(entity, name) };
  });
  const changed = sql`
    union all
    select 'changed', ${who}, differences.*
      from written join ${differingRows(table)} t on t.${raw(id)} = written.id join ${stagingTable(table)} s on s.${raw(id)} = written.id,
           lateral (${differences(fields)}) differences
     where not written.added`;
  const tables = sql`,
    changes as (
      select 'added' as action, ${who}, '{}'::text[] as fields, null::jsonb as field_values, null::jsonb as personal_values
        from written where added${isEmpty ? empty : changed}
    ),
    ${logChanges(entity, { runId })}`;
  return { returned, tables };
}

/** How the audit trail writes values that are not texts: JSON has a form of its own for them, or they are money. */
const AUDIT_CASTS: Partial<Record<CellReader['sqlType'], string>> = {
  integer: '',
  boolean: '',
  numeric: '::money_amount::text',
};

/**
 * Frees unique values that stored rows are about to give up to others: a unique index on an expression is checked row
 * by row, so two rows could not swap theirs. The placeholders are gone before the transaction ends.
 */
async function makeWayForSwaps(transaction: Executor, { table, id, unique }: FileFormat): Promise<void> {
  for (const key of unique) {
    if (key.placeholder === undefined) continue;
    const staged = stagingTable(table);
    const set = join(key.columns.map((column) => raw(`${column} = ${key.placeholder}`)));
    await transaction.query(sql`
      update ${raw(table)} t set ${set} from ${staged} s
      where s.${raw(id)} = t.${raw(id)} and not ${sameKey(key, 's', 't')}
        and exists (select from ${staged} other where ${sameKey(key, 'other', 't')})`);
  }
}
