import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import sql from 'sql-template-tag';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { buildApp } from '../../src/app/build-app.ts';
import { contextOf } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import { migrate, schemaVersions } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { dataOf } from '../support/answers.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { fewPlaces } from '../support/geographies.ts';
import { COMPANIES_LIST } from '../support/list-paths.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { LANDED_SCHEMA, makeLandedDatabase, type Slowest, sendAllTheTime } from './landed.ts';

/*
 * Upgrades a database of the version before the baseline, with a million bookings more, migration by migration and then all at once, while statements go on such
 * as that version sends; looks whether they go on afterwards, and whether this version answers. Writes docs/results/upgrade.md.
 */
const BOOKINGS = 1_000_000;
const [STAFF, EMPLOYEE] = ['super.admin@orgdesk.example', 'employee@acme.example'];

await using server = await startPostgresServer({ autovacuum: 'on' });
const url = (name: string) => server.url.replace(/[^/]*$/, name);
await using admin = openPostgresDatabase({ url: server.url, maxConnections: 1 });
for (const name of ['landed', 'stepwise']) {
  const made = name === 'landed' ? '' : 'template landed';
  await admin.query(sql([`create database ${name} ${made}`]));
  if (name !== 'landed') continue;
  await using db = openPostgresDatabase({ url: url(name), maxConnections: 4 });
  await makeLandedDatabase(db, url(name), BOOKINGS);
}

const steps = await stepByStep();
const whole = await allAtOnce();
writeFileSync(
  new URL('../../docs/results/upgrade.md', import.meta.url),
  [
    '# Upgrades from version 0.3.0',
    '',
    `Written by \`npm run long -- upgrade\`: ${machineInWords()}. The demo and ${BOOKINGS.toLocaleString('en')} bookings, on PostgreSQL.`,
    '',
    'Each migration by itself, while statements such as 0.3.0 sends go on: how long it took, and the slowest statement meanwhile.',
    '',
    markdownTable(['schema', 'took', 'slowest of others', 'which was'], steps),
    '',
    'All of them in one transaction, as the program does it, and the statements of 0.3.0 beside it and behind it.',
    '',
    markdownTable(['statement', 'slowest during the upgrade', 'slowest afterwards'], whole),
    '',
  ].join('\n'),
);

async function stepByStep(): Promise<string[][]> {
  await using db = openPostgresDatabase({ url: url('stepwise'), maxConnections: 4, statementTimeout: 600_000 });
  const { newest } = await schemaVersions(db);
  const rows: string[][] = [];
  for (let version = LANDED_SCHEMA + 1; version <= newest; version++) {
    const others = await sendAllTheTime(url('stepwise'));
    const took = await migrateTo(db, version);
    const [name = '', longest = 0] = Object.entries(await others.stop()).sort(([, a], [, b]) => b - a)[0] ?? [];
    rows.push([String(version).padStart(4, '0'), formatDuration(took), formatDuration(longest), name]);
  }
  return rows;
}

async function allAtOnce(): Promise<string[][]> {
  await using db = openPostgresDatabase({ url: url('landed'), maxConnections: 10, statementTimeout: 600_000 });
  const others = await sendAllTheTime(url('landed'));
  const took = await migrateTo(db, undefined);
  const during = await others.stop();
  const rolling = await sendAllTheTime(url('landed'));
  await lookAtThisVersion(db);
  const afterwards = await rolling.stop();
  const row = (name: string, of: Slowest) => formatDuration(of[name] ?? Number.NaN);
  return [
    ['the upgrade itself', formatDuration(took), ''],
    ...Object.keys(during).map((name) => [name, row(name, during), row(name, afterwards)]),
  ];
}

/** This version answers from what it has taken over, while instances of the other go on. */
async function lookAtThisVersion(db: ReturnType<typeof openPostgresDatabase>): Promise<void> {
  const context = await contextOf(readConfig({ LOG_LEVEL: 'silent', JWT_SECRET: TEST_SECRET }), db);
  const geography = fewPlaces();
  const app = await buildApp({ ...context, geography });
  const ask = async (email: string, path: string) => {
    const [user] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
    const authorization = `Bearer ${await context.signToken(user?.id ?? '', 600)}`;
    return app.inject({ url: path, headers: { authorization } });
  };
  const companies = dataOf<{ _count: { bookings: number } }[]>(await ask(STAFF, `${COMPANIES_LIST}?limit=100`));
  const bookings = companies.reduce((sum, { _count }) => sum + _count.bookings, 0);
  assert.ok(bookings > BOOKINGS, `${bookings} bookings are counted`);
  assert.equal(dataOf<{ email: string }>(await ask(EMPLOYEE, '/api/users/profile')).email, EMPLOYEE);
  assert.ok(dataOf<unknown[]>(await ask(EMPLOYEE, '/api/audit/list')).length > 0);
  await app.close();
}

/** @returns milliseconds */
async function migrateTo(db: ReturnType<typeof openPostgresDatabase>, version: number | undefined): Promise<number> {
  const began = performance.now();
  await migrate(db, { version });
  return performance.now() - began;
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
