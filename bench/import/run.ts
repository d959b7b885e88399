import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { databaseUrl } from '../../test/support/templates.ts';
import { writePeople } from '../data/people.ts';
import { machineInWords, markdownTable } from '../support/medians.ts';
import { headingOf, type ResultsFile, recordSection } from '../support/record-section.ts';
import { bareCopy } from './bare-copy.ts';
import { byApi } from './by-api.ts';
import { runMeasured } from './measured-import.ts';

/*
 * The import next to a bare COPY of the same files into the same tables of the same server, and the import into the embedded
 * database. `--users 1000000 --bookings 10000000` is the size that the recorded results are of. `--api`: the import of people
 * by the API instead.
 */
const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    bookings: { type: 'string', default: '1000000' },
    embedded: { type: 'string', default: '100000' },
    api: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const [users, bookings, embedded] = [Number(values.users), Number(values.bookings), Number(values.embedded)];
const GOAL_RATIO = 0.5;
const GOAL_MEGABYTES = 300;
const GOAL_SECONDS = 60;
const RESULTS: ResultsFile = {
  path: fileURLToPath(new URL('../results/import.md', import.meta.url)),
  head: '# The import',
  parts: ['command line, beside a bare COPY', 'API'],
};

const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
try {
  const rows = values.api ? await byApi(folder) : [...(await onServer()), ...(await onEmbedded())];
  report(values.api ? apiSection(rows) : commandSection(rows));
  process.exitCode = rows.some((row) => row.at(-1) === 'no') ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function onServer(): Promise<string[][]> {
  const files = join(folder, 'server');
  await writePeople(files, { companies: 1000, users, roles: users, bookings });
  await using server = await startPostgresServer(SERVER_SETTINGS);
  const bareUrl = await newDatabase(server.url, 'bare');
  const importUrl = await newDatabase(server.url, 'imported');
  say('bare COPY …');
  const bare = await bareCopy(bareUrl, files);
  await checkpoint(server.url);
  say(`${seconds(bare)} s; import …`);
  const imported = await runMeasured(['import', files], { DATABASE_URL: importUrl, DATA_DIR: join(folder, 'keys') });
  say(`${seconds(imported.milliseconds)} s, ${Math.round(imported.peakMegabytes)} MB; the same again …`);
  const again = await runMeasured(['import', files], { DATABASE_URL: importUrl, DATA_DIR: join(folder, 'keys') });
  const count = 2 * users + bookings + 9000;
  const ratio = bare / imported.milliseconds;
  const what = `${thousands(users)} users with a role each, ${thousands(bookings)} bookings, PostgreSQL server`;
  return [
    [`${what}: bare COPY`, seconds(bare), rate(count, bare), '', '', ''],
    [
      `${what}: import`,
      seconds(imported.milliseconds),
      rate(count, imported.milliseconds),
      Math.round(imported.peakMegabytes).toString(),
      `rate ≥ ${GOAL_RATIO} of bare (${ratio.toFixed(2)}), ≤ ${GOAL_MEGABYTES} MB`,
      ratio >= GOAL_RATIO && imported.peakMegabytes <= GOAL_MEGABYTES ? 'yes' : 'no',
    ],
    [
      `${what}: the same folder again`,
      seconds(again.milliseconds),
      rate(count, again.milliseconds),
      Math.round(again.peakMegabytes).toString(),
      '',
      '',
    ],
  ];
}

async function onEmbedded(): Promise<string[][]> {
  const files = join(folder, 'embedded');
  await writePeople(files, { companies: 1000, users: embedded, roles: embedded, bookings: 0 });
  const settings = { DATA_DIR: join(folder, 'data') };
  await runMeasured(['migrate'], settings);
  say('embedded …');
  const { milliseconds, peakMegabytes } = await runMeasured(['import', files], settings);
  return [
    [
      `${thousands(embedded)} users with a role each, embedded database: import`,
      seconds(milliseconds),
      rate(2 * embedded + 9000, milliseconds),
      Math.round(peakMegabytes).toString(),
      `≤ ${GOAL_SECONDS} s`,
      milliseconds <= GOAL_SECONDS * 1000 ? 'yes' : 'no',
    ],
  ];
}

async function newDatabase(serverUrl: string, name: string): Promise<string> {
  await using server = openPostgresDatabase({ url: serverUrl, maxConnections: 1 });
  await server.query(sql`create database ${raw(name)}`);
  const url = databaseUrl(serverUrl, name);
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await migrate(db);
  return url;
}

async function checkpoint(url: string): Promise<void> {
  await using server = openPostgresDatabase({ url, maxConnections: 1 });
  await server.query(sql`checkpoint`);
}

function commandSection(rows: readonly string[][]): string {
  const header = ['what', 'seconds', 'rows/s', 'peak memory, MB', 'goal', 'met'];
  return [
    headingOf('command line, beside a bare COPY'),
    '',
    `Command: \`npm run bench -- import --users ${users} --bookings ${bookings} --embedded ${embedded} --record\`. Machine: ${machineInWords()}.`,
    '',
    'The bare COPY reads the same CSV files into the same tables with the same indexes and constraints, in one transaction, and',
    'checks nothing beforehand; the import is the installed command with its start, its checks and its report. Both run once, one after',
    'the other, on one PostgreSQL server as it comes, on the same machine. The largest of the 1,000 companies has 13 % of users and',
    'bookings. Memory is that of the orgdesk process, on the embedded default with the database in it.',
    '',
    markdownTable(header, rows),
  ].join('\n');
}

function apiSection(rows: readonly string[][]): string {
  const header = ['what', 'seconds', 'of them the service', 'the database', 'memory, MB', 'goal', 'met'];
  return [
    headingOf('API'),
    '',
    `Command: \`npm run bench -- import --api --record\`. Machine: ${machineInWords()}.`,
    '',
    '`POST /api/users/import` on a PostgreSQL server as it comes, on the same machine, each line with ten columns. The service',
    'and the database are told by the seconds of processor time that they took; what is beyond them was waited for: the disk, and other',
    'work on the machine. Memory is that of the service afterwards. One line is the median of nine.',
    '',
    markdownTable(header, rows),
  ].join('\n');
}

function report(section: string): void {
  process.stdout.write(`${section}\n`);
  if (values.record) recordSection(RESULTS, section);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

function rate(count: number, milliseconds: number): string {
  return thousands(Math.round(count / (milliseconds / 1000)));
}

function thousands(number: number): string {
  return number.toLocaleString('en');
}
