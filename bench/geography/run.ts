import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { type ServerProcess, startServer } from '../support/child-server.ts';
import { CITIES, openCitySearches } from '../support/city-searches.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { fetchOnce, inTurn, requestBytes } from '../support/load.ts';
import { LOG_LEVELS, levelsRow } from '../support/log-levels.ts';
import { measureInTurn, mediansOf, processorRatio } from '../support/measure.ts';
import { machineInWords } from '../support/medians.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { readMessage, recordAnswers } from './answers.ts';
import { BROTLI_PAGE, benchCases, PLAIN_PAGE } from './cases.ts';
import { askAmongReaders } from './crowd.ts';
import { compressionReport, crowdReport, ratioReport, searchReport, startReport } from './report.ts';
import { timeSearches } from './searches.ts';
import { timeFirstStart, timeStart } from './starts.ts';

/*
 * The public lists next to a bare node:http server that sends the very same bytes: each alone on one processor, in turn, the
 * same load. Then: starts and memory, a crowd of slow readers, and single searches. `--small` does all of it in short.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    milliseconds: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
    small: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const usual = { rounds: Number(values.rounds), milliseconds: Number(values.milliseconds) };
const { load, crowd, attempts } = values.small
  ? { load: { rounds: 3, milliseconds: 100 }, crowd: { warmUp: 1_000, milliseconds: 1_000 }, attempts: 1 }
  : { load: usual, crowd: { warmUp: 8_000, milliseconds: 10_000 }, attempts: 3 };
const ownScript = (name: string) => ['--import', 'tsx', fileURLToPath(new URL(name, import.meta.url))];

const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
const dataDir = join(folder, 'data');
say('Loading the geography …');
const etag = await loadGeography();
const cases = benchCases(await openCitySearches(), etag);
const pages = cases.find(({ name }) => name === PLAIN_PAGE)?.requests ?? [];

const sections = [await ratios()];
if (values.only === '') sections.push(await starts(), searchReport(await timeSearches(attempts)));
const options = process.argv.slice(2).join(' ');
const text = [
  '# The public lists',
  `Command: \`npm run bench -- geography${options === '' ? '' : ` ${options}`}\`. Machine: ${machineInWords()}.`,
  ...sections,
].join('\n\n');
process.stdout.write(`${text}\n`);
if (values.record) await writeFile(fileURLToPath(new URL('../results/geography.md', import.meta.url)), `${text}\n`);

/** The first start makes the database and compresses the lists. @returns the tag of the lists */
async function loadGeography(): Promise<string> {
  await using first = await startOrgdesk(dataDir);
  await waitForCompressedLists(dataDir);
  const answer = await fetchOnce(first.port, requestBytes('GET', `${CITIES}?isPaginationNeeded=true`));
  return readMessage(answer).headers.etag ?? '';
}

/** The ratios to the bare server, and the crowd, which asks the service at `info`. */
async function ratios(): Promise<string> {
  const [info, warn] = LOG_LEVELS.map((level) => join(folder, level)) as [string, string];
  for (const copy of [info, warn]) await cp(dataDir, copy, { recursive: true });
  await using atInfo = await startOrgdesk(info, { env: { LOG_LEVEL: 'info' } });
  await using atWarn = await startOrgdesk(warn, { env: { LOG_LEVEL: 'warn' } });
  const requested = cases.filter(({ notModified = false }) => !notModified).map(({ requests }) => requests);
  const index = await recordAnswers(atInfo.port, requested, folder);
  await using bare = await startServer('The bare server', [...ownScript('bare-server.ts'), index]);
  say('Measuring …');
  const rows: string[][] = [];
  const rates = new Map<string, number>();
  for (const { name, goals, requests } of cases.filter(({ name }) => name.includes(values.only))) {
    const rounds = await measureInTurn(inTurn(requests), [atInfo, atWarn, bare], load);
    rates.set(name, mediansOf(rounds[0] ?? []).requestsPerSecond);
    const row = levelsRow(name, goals, rounds, processorRatio);
    rows.push(row);
    say(row.join('  '));
  }
  if (values.only !== '') return ratioReport(rows, load);
  const compressed = compressionReport(rates.get(PLAIN_PAGE), rates.get(BROTLI_PAGE));
  return `${ratioReport(rows, load)}\n\n${compressed}\n\n${crowdReport(await askAmongReaders(atInfo, pages, crowd))}`;
}

async function starts(): Promise<string> {
  say('Starting …');
  await using server = await startPostgresServer();
  const env = { DATABASE_URL: server.url };
  const onServer = (on: ServerProcess) => startOrgdesk(join(folder, 'server-data'), { env, ...on });
  // The first start loads the geography.
  await timeStart(onServer, pages, 1);
  const firstDir = join(folder, 'first');
  return startReport({
    first: await timeFirstStart(
      (on) => startOrgdesk(firstDir, on),
      pages[0] ?? Buffer.alloc(0),
      () => waitForCompressedLists(firstDir),
    ),
    bare: await timeStart(
      (on) => startServer('Fastify', ownScript('fastify-server.ts'), on),
      [requestBytes('GET', '/')],
      attempts,
    ),
    server: await timeStart(onServer, pages, attempts),
    embedded: await timeStart((on) => startOrgdesk(dataDir, on), pages, attempts),
  });
}

function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
