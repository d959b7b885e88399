import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { SIZE_OPTIONS, sizesOf } from '../data/sizes.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { measureInTurn } from '../support/measure.ts';
import { machineInWords } from '../support/medians.ts';
import { apiCases } from './cases.ts';
import { coldCases } from './cold.ts';
import { loadData, prepareCallers } from './data.ts';
import { apiReport, type CaseResult, caseRow } from './report.ts';
import { checkSameAnswers } from './same-answers.ts';
import { startAtLevel, startBare } from './servers.ts';

/*
 * orgdesk next to a bare server that sends the same statements.
 * DATABASE_URL names a database that holds data already (`npm run bench -- data`): lists in it are filled, people appointed, profiles updated. Without it a
 * server is started, and as much is loaded as the options say.
 */
const { values } = parseArgs({
  options: {
    ...SIZE_OPTIONS,
    rounds: { type: 'string' },
    milliseconds: { type: 'string' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
const [rounds, milliseconds] = values.small ? [3, 100] : [11, 250];
const load = { rounds: Number(values.rounds ?? rounds), milliseconds: Number(values.milliseconds ?? milliseconds) };

const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
await using ownServer = process.env.DATABASE_URL === undefined ? await startPostgresServer(SERVER_SETTINGS) : undefined;
const databaseUrl = ownServer?.url ?? process.env.DATABASE_URL ?? '';
say('Loading data …');
const { callers, counts } = await prepareData();
const callersFile = join(folder, 'callers.json');
await writeFile(callersFile, JSON.stringify(callers));

const info = await startAtLevel('info', databaseUrl, folder);
await using _info = info.server;
await waitForCompressedLists(join(folder, 'info'));
const warn = await startAtLevel('warn', databaseUrl, folder);
await using _warn = warn.server;
await waitForCompressedLists(join(folder, 'warn'));
const bare = await startBare(databaseUrl, callersFile);
await using _bare = bare.server;

const cases = apiCases(callers, counts.companies).filter(({ name }) => name.includes(values.only));
for (const one of cases) await checkSameAnswers(one, [info, bare]);
say('Measuring …');
const results: CaseResult[] = [];
for (const apiCase of cases) {
  const measured = await measureInTurn(apiCase.requests, [info.server, warn.server, bare.server], load);
  results.push({ apiCase, measured });
  say(caseRow({ apiCase, measured }).join('  '));
}
const cold = cases.filter(({ name }) => name.startsWith('who has to approve'));
const coldPart = ownServer && cold.length > 0 ? await coldCases(info, cold, databaseUrl) : undefined;
await report();

async function prepareData() {
  await using db = openPostgresDatabase({ url: databaseUrl, maxConnections: 1 });
  if (ownServer) await loadData(db, sizesOf(values, 'medium'));
  const prepared = await prepareCallers(db);
  const [found = { companies: 0, users: 0, bookings: 0 }] = await db.query<
    Record<'companies' | 'users' | 'bookings', number>
  >(sql`
    select (select count(*)::integer from companies) as companies, (select count(*)::integer from users) as users,
           (select count(*)::integer from bookings) as bookings`);
  return { callers: prepared, counts: found };
}

async function report(): Promise<void> {
  const options = process.argv.slice(2).join(' ');
  const data = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  const text = [
    '# The API, beside a bare server',
    '',
    `Command: \`npm run bench -- api${options === '' ? '' : ` ${options}`}\`${ownServer ? '' : ', with DATABASE_URL'}. Machine: ${machineInWords()}.`,
    '',
    apiReport(results, { data: data.join(', '), callers: callers.length, ...load }),
    ...(coldPart === undefined ? [] : ['', coldPart]),
    '',
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.record) await writeFile(fileURLToPath(new URL('../results/api.md', import.meta.url)), text);
}

function say(text: string): void {
  if (text !== '') process.stderr.write(`${text}\n`);
}
