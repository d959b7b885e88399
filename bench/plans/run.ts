import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql, { type Sql } from 'sql-template-tag';
import { findCallers } from '../../src/auth/callers/identity-queries.ts';
import type { Reader } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { approvalPolicies } from '../../src/features/approval-policies/approval-policies-queries.ts';
import { listCompanies } from '../../src/features/companies/companies-queries.ts';
import { departments } from '../../src/features/departments/departments-operations.ts';
import { findProfiles } from '../../src/features/profile/profile-queries.ts';
import { readListRequest } from '../../src/features/scim/scim-operation.ts';
import { listScimUsers } from '../../src/features/scim/users/users-queries.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { mediansOf } from '../support/measure.ts';
import { machineInWords, markdownTable } from '../support/medians.ts';
import { ADMINISTRATOR, FIRST_COMPANY, fillTables } from './data.ts';
import { companyOfAbout, type PeopleCase, peopleCases } from './people.ts';
import { compareRates, type Rates } from './rates.ts';

/*
 * The plan of every statement behind the private lists and the profile, on a PostgreSQL server with many rows. Fails where one
 * reads the whole of a table that grows. DATABASE_URL names a database that is filled already; otherwise a server is started.
 */
const { values: options } = parseArgs({
  options: {
    companies: { type: 'string', default: '10000' },
    users: { type: 'string', default: '200000' },
    bookings: { type: 'string', default: '1000000' },
    'per-company': { type: 'string', default: '8' },
    'of-first': { type: 'string', default: '2000' },
    /** The company whose lists are asked for, and the person whose profile: those of the rows that are made here. */
    company: { type: 'string', default: FIRST_COMPANY },
    person: { type: 'string', default: ADMINISTRATOR },
    /** Only what has this in its name. */
    only: { type: 'string', default: '' },
    /** Whether the service is loaded as well: profile views next to people found by SCIM. */
    rates: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});

/** People found by SCIM for each profile viewed. */
const SCIM_GOAL = 0.9;
const owner = { userId: options.person };
const page = (number: number) => ({ page: number, limit: 10 });
const companyId = options.company;
const NEEDLES = ['@', 'a', 'q', 'te', 'qx', 'tex', 'textiles', 'jaipur timber', '1Z77', 'nothing like it', '100%'];

/** What is asked for. */
const CASES: readonly (readonly [what: string, ask: (db: Reader) => Promise<unknown>])[] = [
  ['profile', (db) => findProfiles(db, [owner])],
  ['the check of the caller', (db) => findCallers(db, [owner])],
  ...[1, 100, 900].flatMap((number) => [
    [`companies, page ${number}`, (db: Reader) => listCompanies(db, {}, page(number))] as const,
    [
      `active companies, page ${number}`,
      (db: Reader) => listCompanies(db, { activeOnly: true }, page(number)),
    ] as const,
  ]),
  ...NEEDLES.flatMap((search) => [
    [`companies with "${search}"`, (db: Reader) => listCompanies(db, { search }, page(1))] as const,
    [
      `active companies with "${search}", page 50`,
      (db: Reader) => listCompanies(db, { search, activeOnly: true }, page(50)),
    ] as const,
  ]),
  ...[
    'userName eq "Person1@test.example"',
    'externalId eq "00uperson1@test.example"',
    `id eq "${options.person}"`,
    undefined,
  ].map(
    (filter) =>
      [
        `SCIM users, ${filter ?? 'all'}`,
        (db: Reader) =>
          listScimUsers(db, { companyId, directoryId: companyId }, readListRequest({ filter, count: 100 })),
      ] as const,
  ),
  ...Object.entries({ listDepartments: departments.list, listApprovalPolicies: approvalPolicies.list }).flatMap(
    ([name, list]) => [
      ...[1, 190].map(
        (number) => [`${name}, page ${number}`, (db: Reader) => list(db, { companyId }, page(number))] as const,
      ),
      ...['a', 'qua', 'abroad travel 19', '%'].map(
        (search) => [`${name} with "${search}"`, (db: Reader) => list(db, { companyId, search }, page(1))] as const,
      ),
    ],
  ),
];

/** Tables that grow with the platform. */
const WHOLE_TABLE =
  /Seq Scan on (companies|users|bookings|departments|employee_bands|company_roles|system_roles|approval_policies|approval_policy_levels|audit_changes|scim_users)\b/;

await using server =
  process.env.DATABASE_URL === undefined ? await startPostgresServer({ shared_buffers: '512MB' }) : undefined;
const databaseUrl = process.env.DATABASE_URL ?? server?.url ?? '';
await using db = openPostgresDatabase({ url: databaseUrl, maxConnections: 1 });
await migrate(db);
if (server !== undefined) {
  await fillTables(db, {
    companies: Number(options.companies),
    users: Number(options.users),
    bookings: Number(options.bookings),
    perCompany: Number(options['per-company']),
    ofFirst: Number(options['of-first']),
  });
}

const rows: string[][] = [];
const plans: string[] = [];
const people: PeopleCase[] = [];
for (const id of [companyId, await companyOfAbout(db, 100)]) people.push(...(await peopleCases(db, id)));
for (const [what, ask] of [...CASES, ...people].filter(([what]) => what.includes(options.only))) {
  const statement = await statementOf(ask);
  // The second time all that is read is in memory.
  await explain(statement);
  const plan = await explain(statement);
  const milliseconds = /Execution Time: ([\d.]+)/.exec(plan)?.[1] ?? '';
  const pages = /Buffers: shared hit=(\d+)/.exec(plan)?.[1] ?? '';
  rows.push([what, milliseconds, pages, WHOLE_TABLE.exec(plan)?.[1] ?? 'none']);
  plans.push(`## ${what}\n\n\`\`\`\n${plan}\n\`\`\`\n`);
}
const rates = options.rates ? await compareRates(db, databaseUrl) : undefined;
await report();
if (rows.some((row) => row.at(-1) !== 'none') || (rates && rates.ratio < SCIM_GOAL)) process.exitCode = 1;

/** The statement that a question sends. */
async function statementOf(ask: (db: Reader) => Promise<unknown>): Promise<Sql> {
  const statements: Sql[] = [];
  await ask({
    query: (statement) => {
      statements.push(statement);
      return db.query(statement);
    },
  });
  const [statement] = statements;
  if (statement === undefined || statements.length > 1)
    throw new Error(`It took ${statements.length} statements, not one.`);
  return statement;
}

async function explain(statement: Sql): Promise<string> {
  const lines = await db.query<Record<string, string>>(sql`explain (analyze, buffers) ${statement}`);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

function ratesInWords({ profile, scim, ratio }: Rates): string[] {
  const [view, find] = [mediansOf(profile), mediansOf(scim)];
  return [
    `Over HTTP: ${find.requestsPerSecond.toFixed(0)} people a second found by SCIM's \`userName eq\` (p99 ${find.p99.toFixed(1)} ms), ` +
      `${view.requestsPerSecond.toFixed(0)} profile views (p99 ${view.p99.toFixed(1)} ms): ${ratio.toFixed(2)} times as many, ${SCIM_GOAL} at the least.`,
    '',
  ];
}

async function report(): Promise<void> {
  const [counts] = await db.query<{ text: string; version: string }>(sql`
    select (select string_agg(trim(to_char(reltuples, '999,999,999')) || ' ' || replace(relname::text, '_', ' '), ', ' order by relname)
              from pg_class where relname in ('companies', 'users', 'bookings', 'departments', 'approval_policies')) as text,
           current_setting('server_version') as version`);
  const text = [
    '# The plan of every statement of the private lists and the profile',
    '',
    `Command: \`npm run bench -- plans ${process.argv.slice(2).join(' ')}\`${server ? '' : ', with DATABASE_URL'}. PostgreSQL ${counts?.version}. Machine: ${machineInWords()}.`,
    '',
    `Rows: ${counts?.text}. "Whole table" names a table of these that is read from end to end: there may be none.`,
    '',
    markdownTable(['statement', 'ms', 'pages read, in memory', 'whole table'], rows),
    '',
    ...(rates ? ratesInWords(rates) : []),
    ...plans,
  ].join('\n');
  process.stdout.write(`${text.slice(0, text.indexOf('\n## '))}\n`);
  if (options.record) await writeFile(fileURLToPath(new URL('../results/plans.md', import.meta.url)), text);
  for (const plan of plans.filter((one) => WHOLE_TABLE.test(one))) process.stdout.write(`\n${plan}`);
}
