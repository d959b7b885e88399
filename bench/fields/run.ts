import { writeFile } from 'node:fs/promises';
import sql, { type Sql } from 'sql-template-tag';
import { ownConditions } from '../../src/api/own-filter.ts';
import type { Database, Reader } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { user } from '../../src/entities/user.ts';
import { listUsers } from '../../src/features/people/users-queries.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { recordStatements } from '../../test/support/recorded-statements.ts';
import { uuid } from '../../test/support/rows.ts';
import { clonePGlite } from '../../test/support/test-database.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';

/*
 * What a page of people by a field of one's own costs the database beside one by department: 100,000 people of one company with 20 fields
 * each, on a server and embedded. Writes bench/results/fields.md, and fails where a field costs more than twice as much.
 */
const [PEOPLE, DEPARTMENTS, FIELDS] = [100_000, 100, 20];
const ROUNDS = 9;
const COMPANY = uuid(1);
const caller = {
  keyId: '',
  directoryId: '',
  companyId: COMPANY,
  createdBy: null,
  confirmedBy: null,
  isSuspended: false,
  scopes: [],
};

const page = { page: 1, limit: 25 };
const byField =
  (filter: Parameters<typeof ownConditions>[4], more: object = {}) =>
  async (db: Reader) => {
    const own = await ownConditions(db, user, caller, COMPANY, filter);
    return listUsers(db, { companyId: COMPANY, ...more, own }, page);
  };
/** Each is compared with the first. */
const CASES: Readonly<Record<string, (db: Reader) => Promise<unknown>>> = {
  'by department (1,000 people)': (db) => listUsers(db, { companyId: COMPANY, departmentId: uuid(7) }, page),
  'by a choice (1,000 people)': byField({ ownFilters: [['fields.f1', 'c7']] }),
  'by a text (1 person)': byField({ ownFilters: [['fields.f2', 't77']] }),
  'by a choice and a department': byField({ ownFilters: [['fields.f1', 'c7']] }, { departmentId: uuid(7) }),
};
const OTHERS: typeof CASES = {
  'by a range of numbers (all are read)': byField({ ownFilters: [['fields.f3.min', '99900']] }),
  'everybody in the order of a field': byField({ ownSort: 'fields.f3' }),
  'everybody in the order of approval limits': (db) =>
    listUsers(db, { companyId: COMPANY, sort: 'approvalLimit' }, page),
};

await using server = await startPostgresServer(SERVER_SETTINGS);
const databases = {
  PostgreSQL: openPostgresDatabase({ url: server.url, maxConnections: 1, statementTimeout: 600_000 }),
  PGlite: await clonePGlite('blank'),
};
const rows: string[][] = [];
const missed: string[] = [];
for (const [kind, db] of Object.entries(databases)) {
  await migrate(db);
  await fill(db);
  let first = 0;
  for (const [what, ask] of Object.entries({ ...CASES, ...OTHERS })) {
    const recorded = recordStatements(db);
    await ask(recorded.db);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let milliseconds = 0;
      for (const statement of recorded.statements) milliseconds += await timeOf(db, statement);
      times.push(milliseconds);
    }
    const taken = Math.min(...times);
    first ||= taken;
    if (what in CASES && taken > 2 * first) missed.push(`${kind}, ${what}: ${taken.toFixed(1)} ms`);
    rows.push([kind, what, String(recorded.statements.length), taken.toFixed(1), median(times).toFixed(1)]);
    process.stdout.write(`${rows.at(-1)?.join(' | ')}\n`);
  }
  await db[Symbol.asyncDispose]();
}
await writeFile(
  new URL('../results/fields.md', import.meta.url),
  [
    '# People by fields of one’s own',
    '',
    `Written by \`npm run bench -- fields\`: ${machineInWords()}. One company with ${PEOPLE.toLocaleString('en')} people in ${DEPARTMENTS} ` +
      `departments, each with ${FIELDS} fields.`,
    '',
    `Milliseconds of the database for a page of ${page.limit}, planning and execution of all statements (\`explain analyze\`), of ${ROUNDS} ` +
      'rounds. A filter by a value may take twice the time of the one by department.',
    '',
    markdownTable(['database', 'people', 'statements', 'fastest', 'median'], rows),
    '',
  ].join('\n'),
);
if (missed.length > 0) {
  process.stderr.write(`More than twice the time: ${missed.join('; ')}\n`);
  process.exitCode = 1;
}

async function timeOf(db: Database, statement: Sql): Promise<number> {
  const [found] = await db.query<{ 'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number }] }>(
    sql`explain (analyze, timing off, format json) ${statement}`,
  );
  const plan = found?.['QUERY PLAN'][0];
  return plan ? plan['Planning Time'] + plan['Execution Time'] : Number.NaN;
}

async function fill(db: Database): Promise<void> {
  const id = (number: Sql) => sql`('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
  const n = sql`n`;
  await db.query(sql`
    insert into companies (id, name, legal_name, gstin, email, credit_limit, credit_days)
    values (${COMPANY}::uuid, 'Large', 'Large Private Limited', '27AAPFU0939F1ZV', 'office@large.example', 1, 1)`);
  await db.query(sql`
    insert into departments (id, company_id, name, cost_code, budget)
    select ${id(n)}, ${COMPANY}::uuid, 'Department ' || n, 'D-' || n, 5000000 from generate_series(1, ${DEPARTMENTS}::integer) n`);
  await db.query(sql`
    insert into employee_bands (id, company_id, name, code, auto_approval_limit)
    values (${COMPANY}::uuid, ${COMPANY}::uuid, 'Band', 'B', 5000)`);
  await db.query(sql`
    insert into field_definitions (
      id, company_id, entity, key, label, type, choices, position, required, readable_by, writable_by, sensitive, in_list, active)
    select gen_random_uuid(), ${COMPANY}::uuid, 'user', 'f' || n, 'Field ' || n, case n % 3 when 1 then 'CHOICE' when 2 then 'TEXT' else 'INTEGER' end,
           case n % 3 when 1 then (select jsonb_agg('c' || c) from generate_series(1, ${DEPARTMENTS}::integer) c) end, n, false, 'SELF', 'ADMIN', false, false, true
      from generate_series(1, ${FIELDS}::integer) n`);
  await db.query(sql`
    insert into users (id, email, first_name, last_name, client_type, company_id, department_id, band_id, approval_limit, fields)
    select ${id(n)}, 'person' || n || '@large.example', 'Ana', 'Rao ' || md5(n::text), 'CORPORATE', ${COMPANY}::uuid,
           ${id(sql`1 + n % ${DEPARTMENTS}::integer`)}, ${COMPANY}::uuid, n,
           (select jsonb_object_agg('f' || f, case f % 3 when 1 then to_jsonb('c' || 1 + (n / f) % ${DEPARTMENTS}::integer)
                                                         when 2 then to_jsonb('t' || n) else to_jsonb(n) end)
              from generate_series(1, ${FIELDS}::integer) f)
      from generate_series(1, ${PEOPLE}::integer) n`);
  await db.session((session) => session.query(sql`vacuum (analyze)`));
}
