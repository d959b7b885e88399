import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineInWords } from '../../../bench/support/medians.ts';
import { headingOf, recordSection } from '../../../bench/support/record-section.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { buildCommandLine } from '../../support/command-line.ts';
import { makeDataFolder } from '../../support/data-folders.ts';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { makePostgresTemplates, type TemplateName } from '../../support/templates.ts';
import { addCountry, clonePGlite, clonePostgres, type TestDatabase } from '../../support/test-database.ts';
import { openAdministration } from '../administration.ts';
import { loseAnswers } from './lost-answers.ts';
import type { Tally } from './outcomes.ts';
import { RACES } from './races.ts';
import { administerAtRandom } from './random-operations.ts';
import { expectFeedToGiveTables, expectRoundTrip } from './replay.ts';
import { WRITER_RACES } from './writers.ts';

/*
 * The rules of administration under what is rare: many at the same moment, lost answers, thousands of operations at random; on both
 * databases. Ends with 1 where one does not hold. `--only races` runs one part, `--rounds`, `--operations` and `--seed` change its size;
 * parts of full size have their results written to docs/results/administration.md.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    operations: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});

type Open = (template: TemplateName) => Promise<TestDatabase>;
/** Gives what was done, and what came of it. */
type Check = () => Promise<string>;
type Part = (open: Open, size: number) => AsyncIterable<readonly [what: string, check: Check]>;

const PARTS: Readonly<Record<string, { size: number; unit: string; given: string | undefined; checks: Part }>> = {
  races: { size: 200, unit: 'rounds', given: values.rounds, checks: races },
  'lost answers': { size: 50, unit: 'rounds', given: values.rounds, checks: lostAnswers },
  'random operations': { size: 10_000, unit: 'operations', given: values.operations, checks: randomOperations },
};
const RESULTS = {
  path: 'docs/results/administration.md',
  head: '# Administration\n\nEach part is written by the command that it names; `npm run test:administration` tries all of them.',
  parts: Object.keys(PARTS),
};

await using server = await startPostgresServer();
await using templates = await makePostgresTemplates(server.url);
process.env.TEST_POSTGRES_URL = server.url;
process.env.TEST_POSTGRES_TEMPLATES = templates.prefix;
const DATABASES: Readonly<Record<string, Open>> = {
  [`PostgreSQL ${templates.serverVersion}`]: clonePostgres,
  embedded: clonePGlite,
};

for (const [name, { size, unit, given, checks }] of Object.entries(PARTS)) {
  if (!name.includes(values.only)) continue;
  const wanted = Number(given ?? size);
  const rows: string[] = [];
  for (const [database, open] of Object.entries(DATABASES)) {
    for await (const [what, check] of checks(open, wanted)) rows.push(await tryOnce(what, database, check));
  }
  const text = [
    headingOf(name),
    '',
    `Command: \`npm run test:administration -- --only '${name}'\`, ${wanted} ${unit}. Machine: ${machineInWords()}.`,
    '',
    '| what | database | holds | seen |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  process.stdout.write(`${text}\n\n`);
  if (wanted === size && process.exitCode === undefined) recordSection(RESULTS, text);
}

/** The row of a check, which is told at once, as the whole takes long. */
async function tryOnce(what: string, database: string, check: Check): Promise<string> {
  const began = performance.now();
  let row = `| ${what} | ${database} | no | |`;
  try {
    const seen = await check();
    row = `| ${what} | ${database} | yes | ${seen}; ${((performance.now() - began) / 1000).toFixed(0)} s |`;
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${what}, ${database}: ${error instanceof Error ? error.stack : String(error)}\n`);
  }
  process.stderr.write(`${row}\n`);
  return row;
}

async function* races(open: Open, rounds: number): ReturnType<Part> {
  await using administration = await openAdministration(() => open('migrated'));
  for (const [what, race] of Object.entries({ ...RACES, ...WRITER_RACES })) {
    yield [what, () => race(administration, rounds)];
  }
}

async function* lostAnswers(open: Open, rounds: number): ReturnType<Part> {
  await using commandLine = buildCommandLine();
  const DATA_DIR = join(commandLine.folder, 'data');
  await using database = open === clonePostgres ? await open('demo') : undefined;
  if (database) await addCountry(database);
  else await makeDataFolder(DATA_DIR, 'demo', addCountry);
  const settings = { DATA_DIR, LOG_LEVEL: 'warn', ...(database?.url && { DATABASE_URL: database.url }) };
  yield [
    'the service is killed before a create is answered, which is repeated',
    () => loseAnswers(commandLine, settings, rounds),
  ];
}

async function* randomOperations(open: Open, operations: number): ReturnType<Part> {
  const seed = Number(values.seed);
  await using api = await buildCheckedApp({}, () => open('demo'));
  yield [`operations at random, seed ${seed}`, async () => outcomesIn(await administerAtRandom(api, operations, seed))];
  yield [
    'then the feed from its beginning gives the tables',
    async () => `${await expectFeedToGiveTables(api, 'super.admin@orgdesk.example')} changes`,
  ];
  await using empty = await open('migrated');
  yield [
    'and an export comes back byte for byte, into an empty database too',
    async () => `${await expectRoundTrip(api.db, empty)} rows`,
  ];
}

/** How often there was each outcome, whatever the operation. */
function outcomesIn({ counts }: Tally): string {
  const outcomes = new Map<string, number>();
  for (const [what, count] of counts) {
    const outcome = what.slice(what.indexOf(' ') + 1);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  }
  const sorted = [...outcomes].sort(([, a], [, b]) => b - a);
  return sorted.map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
}
