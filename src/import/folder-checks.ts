import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Executor } from '../db/database.ts';
import { MOST_PROBLEMS, type ProblemList, quoted } from './import-error.ts';
import { type ColumnFormat, FILE_FORMATS, type FileFormat, type UniqueKey } from './import-format.ts';
import { keyColumns, sameKey, stagingTable } from './staging.ts';

/** Something to look for among the staged rows. */
interface Check {
  format: FileFormat;
  /** The column to blame, by its name in SQL. */
  column: string;
  /** Selects the rows to object to, as {@link Finding}s. */
  found: Sql;
  reason: (finding: Finding) => string;
}

interface Finding {
  line: number;
  value: string;
  /** What the reason names beside the value: another line, another row's id, a number. */
  other: string;
}

/** Finds what stands twice in one of these files: ids, and whatever else is unique. Rows need no ids yet. */
export async function checkWithinFiles(
  db: Executor,
  formats: readonly FileFormat[],
  problems: ProblemList,
): Promise<void> {
  for (const format of formats) {
    for (const key of [{ columns: [format.id] }, ...format.unique]) {
      await run(db, problems, twiceInFile(format, key));
    }
  }
}

/** Finds what does not fit the folder, which holds these files, and the database as they will be together. Rows have their ids. */
export async function checkAgainstDatabase(
  db: Executor,
  formats: readonly FileFormat[],
  problems: ProblemList,
): Promise<void> {
  for (const format of FILE_FORMATS) {
    const isStaged = formats.includes(format);
    for (const key of isStaged ? format.unique : []) await run(db, problems, takenInDatabase(format, key));
    for (const column of format.columns) {
      const target = FILE_FORMATS.find(({ table }) => table === column.references);
      if (target === undefined) continue;
      if (isStaged) await run(db, problems, unknownReference(format, column, target));
      if (!column.ofSameCompany) continue;
      if (isStaged) await run(db, problems, ofAnotherCompany(format, column, target));
      if (formats.includes(target)) await run(db, problems, leavingUsersBehind(format, column, target));
    }
  }
}

async function run(db: Executor, problems: ProblemList, check: Check): Promise<void> {
  const { format, column, found, reason } = check;
  const name = columnName(format, column);
  const findings = await db.query<Finding & { total: number }>(sql`
    with found as materialized (${found})
    select line, value, other, (select count(*)::integer from found) as total
    from found order by line limit ${MOST_PROBLEMS}::integer`);
  for (const finding of findings) {
    const { line, value } = finding;
    problems.add({ file: format.file, line, column: name, value, reason: reason(finding) });
  }
  problems.addUntold((findings[0]?.total ?? 0) - findings.length);
}

function twiceInFile(format: FileFormat, key: UniqueKey): Check {
  const column = lastColumn(key);
  const columns = keyColumns(key, 's');
  return {
    format,
    column,
    found: sql`
      select line, value, first_line::text as other from (
        select s.line, s.${raw(column)}::text as value, min(s.line) over (partition by ${join(columns)}) as first_line
        from ${stagingTable(format.table)} s
        where ${join(
          columns.map((each) => sql`${each} is not null`),
          ' and ',
        )}
      ) as keyed where line <> first_line`,
    reason: ({ value, other }) =>
      key.columns.length > 1
        ? `line ${other} has the same ${keyName(format, key)} already: correct or remove one of the two`
        : `${quoted(value)} stands on line ${other} already: correct or remove one of the two`,
  };
}

/** Values of stored rows that the folder does not name. */
function takenInDatabase(format: FileFormat, key: UniqueKey): Check {
  const { table, id, noun } = format;
  const column = lastColumn(key);
  const staged = stagingTable(table);
  return {
    format,
    column,
    found: sql`
      select s.line, s.${raw(column)}::text as value, t.${raw(id)}::text as other
      from ${staged} s join ${raw(table)} t on ${sameKey(key, 's', 't')}
      where t.${raw(id)} <> s.${raw(id)}
        and not exists (select from ${staged} named where named.${raw(id)} = t.${raw(id)})`,
    reason: ({ value, other }) =>
      key.columns.length > 1
        ? `the database has a ${noun} of the same ${keyName(format, key)}, with the id ${quoted(other)}: give that id, or none`
        : `${quoted(value)} belongs to the ${noun} ${other} in the database: correct it, or give that id`,
  };
}

function unknownReference(format: FileFormat, { column }: ColumnFormat, target: FileFormat): Check {
  return {
    format,
    column,
    found: sql`
      select s.line, s.${raw(column)}::text as value, '' as other
      from ${stagingTable(format.table)} s join (
        select ${raw(column)} from ${stagingTable(format.table)} where ${raw(column)} is not null
        except select ${raw(target.id)} from ${stagingTable(target.table)}
      ) as outside on outside.${raw(column)} = s.${raw(column)}
      where not exists (select from ${raw(target.table)} t where t.${raw(target.id)} = outside.${raw(column)})`,
    reason: ({ value }) =>
      `${quoted(value)} is the id of no ${target.noun} in the folder or the database: correct it, or add the ${target.noun} to ${target.file}`,
  };
}

function ofAnotherCompany(format: FileFormat, { column }: ColumnFormat, target: FileFormat): Check {
  return {
    format,
    column,
    found: sql`
      select s.line, s.${raw(column)}::text as value, coalesce(n.company_id, t.company_id)::text as other
      from ${stagingTable(format.table)} s
      left join ${stagingTable(target.table)} n on n.id = s.${raw(column)}
      left join ${raw(target.table)} t on t.id = s.${raw(column)}
      where coalesce(n.company_id, t.company_id) <> s.company_id`,
    reason: ({ value, other }) =>
      `${quoted(value)} is a ${target.noun} of the company ${other}: expected one of the ${format.noun}'s own company`,
  };
}

/** Departments and bands that move to another company while stored users of theirs, whom the folder does not name, stay. */
function leavingUsersBehind(format: FileFormat, { column }: ColumnFormat, target: FileFormat): Check {
  return {
    format: target,
    column: 'company_id',
    found: sql`
      select n.line, n.company_id::text as value, count(*)::text as other
      from ${stagingTable(target.table)} n join ${raw(format.table)} t on t.${raw(column)} = n.id
      where t.company_id <> n.company_id
        and not exists (select from ${stagingTable(format.table)} named where named.id = t.id)
      group by n.line, n.company_id`,
    reason: ({ value, other }) =>
      `${quoted(value)} is not the company of the ${target.noun}'s users in the database (${other}): move them too, in ${format.file}`,
  };
}

/** The column of a key that is blamed where the key stands twice. */
function lastColumn(key: UniqueKey): string {
  return key.columns.at(-1) ?? '';
}

function keyName(format: FileFormat, key: UniqueKey): string {
  const names = key.columns.map((column) => columnName(format, column));
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function columnName(format: FileFormat, column: string): string {
  return format.columns.find((candidate) => candidate.column === column)?.name ?? column;
}
