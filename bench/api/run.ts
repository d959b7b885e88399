import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres-database.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { CONNECTIONS, measureInTurn } from '../support/measure.ts';
import { machineInWords } from '../support/medians.ts';
import { type ApiCase, apiCases } from './cases.ts';
import { loadData } from './data.ts';
import { apiReport, bareRow, type CaseResult, peerRow } from './report.ts';
import { checkSameAnswers } from './same-answers.ts';
import { INSTALL_PEERS, type NamedServer, PEER_PROGRAMS, startBare, startOrgdesk, startPeers } from './servers.ts';
import { findSubjects } from './subjects.ts';

/*
 * orgdesk beside a bare server that sends the same statements, and beside what people would otherwise put together.
 * DATABASE_URL names a database that holds data already: profiles in it are updated, and the audit trail grows. Without it a server
 * is started, and as much is loaded as the options say.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '11' },
    milliseconds: { type: 'string', default: '250' },
    companies: { type: 'string', default: '1000' },
    users: { type: 'string', default: '20000' },
    bookings: { type: 'string', default: '200000' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
const load = { rounds: Number(values.rounds), milliseconds: Number(values.milliseconds) };

const PEER_ROUNDS = 5;

/** As a server comes, where the tests' own is made for speed alone. */
const SERVER_SETTINGS = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' };

const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
await using ownServer = process.env.DATABASE_URL === undefined ? await startPostgresServer(SERVER_SETTINGS) : undefined;
const databaseUrl = ownServer?.url ?? process.env.DATABASE_URL ?? '';
if (ownServer) {
  say('Loading data …');
  const { companies, users, bookings } = values;
  const sizes = { companies: Number(companies), users: Number(users), bookings: Number(bookings) };
  await loadData(databaseUrl, { ...sizes, roles: sizes.users });
}
await using orgdeskServer = await startOrgdesk(databaseUrl, join(folder, 'data'));
const orgdesk: NamedServer = { name: 'orgdesk', server: orgdeskServer };
await waitForCompressedLists(orgdeskServer.port);
const { subjects, data } = await lookInto(databaseUrl);
const subjectsFile = join(folder, 'subjects.json');
await writeFile(subjectsFile, JSON.stringify(subjects));
await using bareServer = await startBare(databaseUrl, subjectsFile);
const bare: NamedServer = { name: 'the bare server', server: bareServer };
await using peerServers = await startPeers(databaseUrl);
const { peers } = peerServers;
if (peers.length < PEER_PROGRAMS.length) say(`Peers are missing. To measure beside them: ${INSTALL_PEERS}`);

const cases = apiCases(subjects).filter(({ name }) => name.includes(values.only));
for (const one of cases) await checkSameAnswers(one, serversOf(one));
say('Measuring …');
const results: CaseResult[] = cases.map((apiCase) => ({ apiCase }));
for (const result of results) {
  await measureBesideBare(result);
  say(bareRow(result)?.join('  ') ?? '');
}
// Apart, and last, as some of their answers take seconds.
for (const result of results) {
  await measureBesidePeers(result);
  say(peerRow(result)?.join('  ') ?? '');
}
await report();

function serversOf({ bareGoal }: ApiCase): NamedServer[] {
  return [orgdesk, ...(bareGoal === undefined ? [] : [bare]), ...peers];
}

async function measureBesideBare(result: CaseResult): Promise<void> {
  const { requests, bareGoal } = result.apiCase;
  if (bareGoal === undefined) return;
  const [own = [], others = []] = await measureInTurn(requests, [orgdeskServer, bareServer], load);
  result.bare = { orgdesk: own, bare: others };
}

async function measureBesidePeers(result: CaseResult): Promise<void> {
  if (peers.length === 0) return;
  const servers = [orgdeskServer, ...peers.map(({ server }) => server)];
  const measured = await measureInTurn(result.apiCase.requests, servers, { ...load, rounds: PEER_ROUNDS });
  const [own = [], ...others] = measured;
  result.peers = { orgdesk: own, peers: others };
}

async function lookInto(url: string) {
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  const [counts] = await db.query<Record<'companies' | 'users' | 'bookings', number>>(sql`
    select (select count(*)::integer from companies) as companies, (select count(*)::integer from users) as users,
           (select count(*)::integer from bookings) as bookings`);
  const data = Object.entries(counts ?? {}).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  return { subjects: await findSubjects(db, CONNECTIONS), data: data.join(', ') };
}

async function report(): Promise<void> {
  const options = process.argv.slice(2).join(' ');
  const text = [
    '# The API, beside a bare server and beside others',
    '',
    `Command: \`npm run bench:api${options === '' ? '' : ` -- ${options}`}\`${ownServer ? '' : ', with DATABASE_URL'}. Machine: ${machineInWords()}.`,
    '',
    apiReport(results, { data, peerNames: peers.map(({ name }) => name), ...load, peerRounds: PEER_ROUNDS }),
    '',
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.record) await writeFile(fileURLToPath(new URL('../results/api.md', import.meta.url)), text);
}

function say(text: string): void {
  if (text !== '') process.stderr.write(`${text}\n`);
}
