import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import sql, { type Sql } from 'sql-template-tag';
import type { Database, Reader } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { evaluate } from '../../src/features/approval-policies/evaluate.ts';
import { checkPolicies } from '../../src/features/approval-policies/policy-check.ts';
import { listCompanySpending, listDepartmentSpending } from '../../src/features/spending/spending-queries.ts';
import type { SpendingGroup } from '../../src/features/spending/spending-schemas.ts';
import { timeSpan } from '../../src/features/spending/time-span.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { recordStatements } from '../../test/support/recorded-statements.ts';
import { uuid } from '../../test/support/rows.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';

/*
 * What approvals and spending cost the database in one large company: 130,000 people, 200 policies, 130 departments in a tree and a
 * million bookings of two years. Writes bench/results/organisation.md, and fails above the goals.
 */
const [PEOPLE, DEPARTMENTS, POLICIES, BOOKINGS] = [130_000, 130, 200, 1_000_000];
const ROUNDS = 15;
/** Milliseconds of the database. */
const GOAL = 10;
const COMPANY = uuid(1);
const PERSON = uuid(70_001);

await using server = await startPostgresServer({ ...SERVER_SETTINGS, shared_buffers: '512MB' });
await using db = openPostgresDatabase({ url: server.url, maxConnections: 1, statementTimeout: 600_000 });
await migrate(db);
await fill(db);

const caller = {
  keyId: '',
  directoryId: '',
  companyId: null,
  createdBy: null,
  confirmedBy: null,
  isSuspended: false,
  scopes: [],
};
const evaluation = (policy: string | undefined, amount: string) => (reader: Reader) =>
  evaluate(
    reader,
    {
      id: policy,
      companyId: undefined,
      userId: PERSON,
      amount,
      facts: {},
      on: undefined,
      requestedBy: undefined,
      approvedAmount: undefined,
      currency: undefined,
    },
    caller,
  );
const page = { page: 1, limit: 100 };
const year = await timeSpan(db, COMPANY, { from: '2026-01-01', to: '2027-01-01' });
const days = await timeSpan(db, COMPANY, { from: '2026-01-15', to: '2026-12-15' });
const by = (group: SpendingGroup) => ({ group, departmentId: undefined });

/** What is measured, with a goal where one is asked for. */
const CASES: readonly (readonly [what: string, goal: number | undefined, ask: (reader: Reader) => Promise<unknown>])[] =
  [
    ['evaluate for a person, of whom 13,000 managers approve', GOAL, evaluation(undefined, '60000.00')],
    ['evaluate for a person by line manager and head', GOAL, evaluation('relative', '60000.00')],
    ['evaluate for a person where 130,000 employees approve', undefined, evaluation('employees', '60000.00')],
    ['approval-policies/check', undefined, (reader) => checkPolicies(reader, COMPANY)],
    [
      'departments/spending of a year, a page of 100',
      GOAL,
      (reader) => listDepartmentSpending(reader, COMPANY, year, page),
    ],
    [
      'departments/spending between two days, a page of 100',
      undefined,
      (reader) => listDepartmentSpending(reader, COMPANY, days, page),
    ],
    [
      'companies/spending of a year by month',
      GOAL,
      (reader) => listCompanySpending(reader, COMPANY, year, by('month')),
    ],
    [
      'companies/spending of a year by department',
      GOAL,
      (reader) => listCompanySpending(reader, COMPANY, year, by('department')),
    ],
  ];

const { values } = parseArgs({
  options: { plans: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const rows: string[][] = [];
const missed: string[] = [];
for (const [what, goal, ask] of CASES.filter(([name]) => name.includes(values.only))) {
  const recorded = recordStatements(db);
  await ask(recorded.db);
  if (values.plans) for (const statement of recorded.statements) await showPlan(statement);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let milliseconds = 0;
    for (const statement of recorded.statements) milliseconds += await timeOf(statement);
    times.push(milliseconds);
  }
  const time = median(times);
  if (goal !== undefined && time > goal) missed.push(`${what}: ${time.toFixed(1)} ms`);
  rows.push([
    what,
    String(recorded.statements.length),
    time.toFixed(1),
    Math.max(...times).toFixed(1),
    goal ? String(goal) : '',
  ]);
  process.stdout.write(`${rows.at(-1)?.join(' | ')}\n`);
}
if (values.only === '')
  await writeFile(
    new URL('../results/organisation.md', import.meta.url),
    [
      '# Approvals and spending in a large company',
      '',
      `Written by \`npm run bench -- organisation\`: ${machineInWords()}. One company on PostgreSQL: ${PEOPLE.toLocaleString('en')} people, ` +
        `${POLICIES} approval policies, ${DEPARTMENTS} departments in a tree, ${BOOKINGS.toLocaleString('en')} bookings of two years.`,
      '',
      `Milliseconds of the database, planning and execution of all statements (\`explain analyze\`), of ${ROUNDS} rounds.`,
      '',
      markdownTable(['operation', 'statements', 'median', 'slowest', 'goal'], rows),
      '',
    ].join('\n'),
  );
if (missed.length > 0) {
  process.stderr.write(`Above the goal: ${missed.join(', ')}\n`);
  process.exitCode = 1;
}

async function showPlan(statement: Sql): Promise<void> {
  const lines = await db.query<{ 'QUERY PLAN': string }>(sql`explain (analyze, buffers) ${statement}`);
  process.stdout.write(`${lines.map((line) => line['QUERY PLAN']).join('\n')}\n\n`);
}

async function timeOf(statement: Sql): Promise<number> {
  const [found] = await db.query<{ 'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number }] }>(
    sql`explain (analyze, timing off, format json) ${statement}`,
  );
  const plan = found?.['QUERY PLAN'][0];
  return plan ? plan['Planning Time'] + plan['Execution Time'] : Number.NaN;
}

async function fill(database: Database): Promise<void> {
  const id = (number: Sql) => sql`('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
  const n = sql`n`;
  await database.query(sql`
    insert into companies (id, name, legal_name, gstin, email, credit_limit, credit_days)
    values (${COMPANY}::uuid, 'Large', 'Large Private Limited', '27AAPFU0939F1ZV', 'office@large.example', 1, 1)`);
  await database.query(sql`
    insert into departments (id, company_id, name, cost_code, budget, parent_id)
    select ${id(n)}, ${COMPANY}::uuid, 'Department ' || n, 'D-' || n, 5000000, case when n > 1 then ${id(sql`1 + (n - 2) / 5`)} end
      from generate_series(1, ${DEPARTMENTS}::integer) n`);
  await database.query(sql`
    insert into employee_bands (id, company_id, name, code, auto_approval_limit) values (${COMPANY}::uuid, ${COMPANY}::uuid, 'Band', 'B', 5000)`);
  await database.query(sql`
    insert into users (id, email, first_name, last_name, client_type, company_id, department_id, band_id, approval_limit, manager_id)
    select ${id(n)}, 'person' || n || '@large.example', 'Ana', 'Rao ' || md5(n::text), 'CORPORATE', ${COMPANY}::uuid,
           ${id(sql`1 + n % ${DEPARTMENTS}::integer`)}, ${COMPANY}::uuid, 1000 + n % 100000, case when n > 1 then ${id(sql`1 + (n - 2) / 8`)} end
      from generate_series(1, ${PEOPLE}::integer) n`);
  await database.query(sql`update departments set head_id = id`);
  await database.query(sql`
    insert into company_roles (user_id, company_id, role)
    select ${id(n)}, ${COMPANY}::uuid, role
      from generate_series(1, ${PEOPLE}::integer) n, (values ('EMPLOYEE'), ('MANAGER')) roles (role) where role = 'EMPLOYEE' or n % 10 = 0`);
  const policy = (what: string, ...roles: string[]) =>
    database.query(sql`
    with added as (
      insert into approval_policies (id, company_id, name, auto_approval_limit, priority) values (${what}, ${COMPANY}::uuid, ${what}, 1000, 200))
    insert into approval_policy_levels (id, policy_id, level, role_required, min_amount)
    select ${what} || level, ${what}, level, role, level * 1000
      from json_array_elements_text(${JSON.stringify(roles)}::text::json) with ordinality roles (role, level)`);
  await policy('relative', 'LINE_MANAGER', 'SECOND_LINE_MANAGER', 'DEPARTMENT_HEAD', 'MANAGER');
  await policy('employees', 'EMPLOYEE');
  await database.query(sql`
    with added as (
      insert into approval_policies (id, company_id, name, auto_approval_limit, department_ids)
      select 'policy ' || n, ${COMPANY}::uuid, 'Policy ' || n, 1000, case when n > 100 then (${id(sql`1 + n % ${DEPARTMENTS}::integer`)})::text end
        from generate_series(3, ${POLICIES}::integer) n returning id)
    insert into approval_policy_levels (id, policy_id, level, role_required, min_amount)
    select id || level, id, level, case level when 2 then 'EMPLOYEE' else 'MANAGER' end, level * 1000
      from added, generate_series(1, 3, 2) level`);
  await database.query(sql`
    insert into bookings (id, company_id, user_id, amount, created_at)
    select 'booking ' || n, ${COMPANY}::uuid, ${id(sql`1 + n % ${PEOPLE}::integer`)}, 1500 + n % 7919 + 0.07,
           timestamptz '2025-01-01 00:00+00' + n * interval '63 seconds'
      from generate_series(1, ${BOOKINGS}::integer) n`);
  await database.session((session) => session.query(sql`vacuum (analyze)`));
}
