import { readFileSync } from 'node:fs';

/** The rows of all tables of a file in bench/results, each by the heads of its columns. */
function rowsOf(file: string): Record<string, string>[] {
  const text = readFileSync(new URL(`../../bench/results/${file}.md`, import.meta.url), 'utf8');
  const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [heads = [], , ...rows] = table
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    return rows.map((cells) => Object.fromEntries(heads.map((head, column) => [head || 'what', cells[column] ?? ''])));
  });
}

/** The cells of a column, of the rows whose first cell matches. */
function cells(file: string, row: RegExp, column: string): string[] {
  const found = rowsOf(file).filter((each) => row.test(Object.values(each)[0] ?? ''));
  const values = found.map((each) => each[column]).filter((value) => value !== undefined);
  if (values.length === 0) throw new Error(`bench/results/${file}.md has no ${column} of ${row}`);
  return values;
}

const cell = (file: string, row: RegExp, column: string): string => cells(file, row, column)[0] ?? '';
const number = (text: string): number => Number(text.replaceAll(',', ''));
const rounded = (value: number): string => String(Number(value.toPrecision(2)));

/** Milliseconds of a statement behind the private lists; of several the least and the most. */
function plan(statement: RegExp): string {
  const times = cells('plans', statement, 'ms').map(Number);
  const [least, most] = [rounded(Math.min(...times)), rounded(Math.max(...times))];
  return least === most ? `${least} ms` : `${least} to ${most} ms`;
}

/** How many rows the plans were made with. */
function plannedRows(table: string): string {
  const text = readFileSync(new URL('../../bench/results/plans.md', import.meta.url), 'utf8');
  return new RegExp(`([\\d,]+) ${table}`).exec(text)?.[1] ?? '';
}

function table(...rows: readonly (readonly string[])[]): string {
  const [heads = [], ...others] = rows.map((row) => `| ${row.join(' | ')} |`);
  return [heads, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n');
}

const from = (name: string) => `[${name}](../bench/results/${name}.md)`;

/** What fits one machine, for docs/deployment.md. */
export function capacityTable(): string {
  const [rate = ''] = cell('geography', /^page of 10$/, 'requests/s: info / warn / bare').split(' / ');
  const [slowest = ''] = cell('geography', /^page of 10$/, 'p99 ms').split(' / ');
  const memory = (row: RegExp) => cells('geography', row, 'memory MB')[0];
  const update = number(cell('audit', /^the whole request, 10 at once$/, 'with the trail, µs each')) / 1000;
  const imported = /PostgreSQL server: import$/;
  const minutes = Math.round(number(cell('import', imported, 'seconds')) / 60);
  return table(
    ['what', 'figure', 'from'],
    [
      'a page of 10 of a public list',
      `${number(rate).toLocaleString('en')} a second on one processor, p99 ${rounded(Number(slowest))} ms; no database in it`,
      from('geography'),
    ],
    [
      'memory of a process, with all places',
      `${memory(/on a PostgreSQL server$/)} MB on a server; ${memory(/on the embedded database$/)} MB on the embedded database`,
      from('geography'),
    ],
    [
      'a profile update with its trail, safe on the disk (the complete request without the socket)',
      `${rounded(update)} ms each, ten at once`,
      from('audit'),
    ],
    [
      'the statement behind a profile; behind the check of a caller',
      `${plan(/^profile$/)}; ${plan(/^the check of the caller$/)}, at ${plannedRows('users')} users`,
      from('plans'),
    ],
    [
      'a page of companies; with a search that matches nearly all',
      `${plan(/^(?:active )?companies, page/)}; ${plan(/^(?:active )?companies with "(?:@|a|te)"/)}, at ${plannedRows('companies')} companies`,
      from('plans'),
    ],
    [
      'import of 1,000,000 users with roles and 10,000,000 bookings',
      `${minutes} minutes, ${cell('import', imported, 'peak memory, MB')} MB`,
      from('import'),
    ],
  );
}

/** What each operation costs, for docs/performance.md. */
export function costTable(): string {
  const asCaller = "the caller's as above, and one";
  const companyList = `${plan(/^listDepartments, page 1$/)}; with search up to ${plan(/^listDepartments with "qua"$/)}`;
  const update = number(cell('audit', /^the statement alone, 1 at once$/, 'with the trail, µs each')) / 1000;
  return table(
    ['operation', 'statements', 'in the database', 'grows with', 'what limits it next'],
    [
      'cities, states, countries',
      'none',
      '–',
      "the answer's size",
      "Node's HTTP server; one process uses one processor",
    ],
    [
      "profile view; SCIM's `userName eq`",
      'one for up to 32 simultaneous callers ([decision 22](decisions/0022-through-the-framework.md))',
      plan(/^profile$/),
      'roles of the caller',
      'sending the answer through the socket',
    ],
    [
      'profile update',
      `${asCaller} with its audit trail`,
      `${rounded(update)} ms with the commit`,
      'fields that change',
      'the disk, at each commit',
    ],
    [
      'companies, a page',
      asCaller,
      plan(/^(?:active )?companies, page 1$/),
      'matching companies, because the answer contains their number; neither users nor bookings',
      'the count of matches, from some 100,000 companies on',
    ],
    [
      'people of a company, a page',
      "as the companies'",
      "as one company's lists; more with search or filter, as people of the company match",
      'people of the company: totals need every match',
      'searches and filters in a company of 100,000 and more',
    ],
    [
      'who has to approve, for a person',
      "the caller's as above, and three",
      `${cell('organisation', /^evaluate for a person, of whom/, 'median')} ms in a company of 130,000 people with 200 policies, where 13,000 have the role (${from('organisation')})`,
      'people with the role of a step, only in an index',
      'the total of the approvers',
    ],
    [
      'spending of departments in a period, a page of 100',
      `${asCaller} more than for a list`,
      `${cell('organisation', /^departments\/spending of a year/, 'median')} ms in that company, with a million bookings`,
      'departments, months and cost centres; days around whole months read their bookings',
      'the number of departments',
    ],
    [
      'departments, approval policies, a page',
      "as the companies'",
      companyList,
      'entries of the company',
      'messages to the database',
    ],
    [
      'audit trail, change feed, a page',
      "the caller's as above, one or two, and one for each 25 changes",
      "as one company's lists",
      'entries that match',
      'the count of matches of a Super Admin without a filter',
    ],
    [
      'import',
      'one step a table',
      `${cell('import', /PostgreSQL server: import$/, 'rows/s')} rows a second`,
      'rows',
      'checking references and keeping indexes, by one connection',
    ],
  );
}

/** With how many rows the plans were made, in words. */
export function plannedAmounts(): string {
  const [companies, users, bookings] = ['companies', 'users', 'bookings'].map(plannedRows);
  return `Milliseconds are measured in the database with ${companies} companies, ${users} users and ${bookings} bookings, all in memory (${from('plans')}).`;
}

/** How much of a page of 10 of the public lists, and of an answer that nothing is searched for, is Node's HTTP server. */
export function publicListRatios(): string {
  const ratio = (row: RegExp) => cell('geography', row, 'ratio at info');
  return (
    `The rate of the service is ${ratio(/^page of 10$/)} of a bare server's with a page of 10, ${ratio(/^page of 1,000$/)} with a page of 1,000, ` +
    `and ${ratio(/^304: all cities$/)} with an answer 304, which needs no search.`
  );
}
