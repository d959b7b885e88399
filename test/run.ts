import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileProgram } from './support/command-line.ts';
import { startPostgresServer } from './support/postgres-server.ts';
import { type Group, runFiles } from './support/run-files.ts';
import { makePostgresTemplates, writePGliteTemplates } from './support/templates.ts';

const USAGE = `npm test [-- [--all] [--database pglite|postgres] [--slowest COUNT] [PART OF A FILE'S PATH]...]
TEST_POSTGRES_URL names a PostgreSQL server to test on, by an account that may create databases.`;

/** What the tests of behaviour run on: the settings name it to their processes, disposing cleans up after them. */
interface Target extends AsyncDisposable {
  name: string;
  settings: Readonly<Record<string, string>>;
}

async function preparePGlite(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-pglite-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  await writePGliteTemplates(folder);
  return {
    name: 'pglite',
    settings: { TEST_DATABASE: 'pglite', TEST_PGLITE_TEMPLATES: folder },
    [Symbol.asyncDispose]: async () => remove(),
  };
}

async function preparePostgres(): Promise<Target> {
  const given = process.env.TEST_POSTGRES_URL;
  const server = given === undefined ? await startPostgresServer() : undefined;
  const url = given ?? server?.url ?? '';
  const templates = await makePostgresTemplates(url);
  return {
    name: `postgres ${templates.serverVersion}`,
    settings: { TEST_DATABASE: 'postgres', TEST_POSTGRES_URL: url, TEST_POSTGRES_TEMPLATES: templates.prefix },
    async [Symbol.asyncDispose]() {
      await templates[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

const PREPARE = { pglite: preparePGlite, postgres: preparePostgres };
type Kind = keyof typeof PREPARE;

const under = (...starts: string[]) => {
  const paths = starts.map((start) => join('test', start));
  return (file: string) => paths.some((path) => file.startsWith(path));
};
/** These build the service without a database, and so need not run on each. */
const isWithoutDatabase = under('without-database/');
/** These are about a database server: the way to it, its roles. The embedded database has neither. */
const needsServer = under('faults/', 'server/');
/** These run the program as it is installed. */
const runsProgram = under('cli/', 'client/package');
/** These touch what differs between the two databases, or send each operation once: they run on both each time. */
const runsOnBoth = under(
  ...[
    'audit/audited-write',
    'audit/change-feed',
    'backup/backup',
    'documentation/',
    'import/export',
    'import/import.test',
  ],
  ...['db/drivers', 'db/migrations', 'db/notifications', 'db/sessions', 'db/transactions'],
);
/** These are of many rounds, kills, load or the whole world: not run unless all are, or they are named. */
const isLong = (file: string) => file.endsWith('.long.test.ts');

/**
 * Runs the tests: the units beside the sources and those without a database once, the others on a PostgreSQL server, and on the
 * embedded database what touches what is its own; with `--all` the long ones too, and all of them on both, on one where it is named.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { database: { type: 'string' }, all: { type: 'boolean', default: false }, slowest: { type: 'string' } },
    allowPositionals: true,
  });
  await import('../assets/build.ts');
  const kinds = (['postgres', 'pglite'] as const).filter((kind) => kind === (values.database ?? kind));
  if (kinds.length === 0) throw new Error(`There is no such database.\n${USAGE}`);
  const chosen = (folder: string) =>
    testFiles(folder, positionals).filter((file) => values.all || positionals.length > 0 || !isLong(file));
  const behaviour = chosen('test').filter((file) => !isWithoutDatabase(file));
  const filesOn = (kind: Kind) =>
    kind === 'postgres'
      ? behaviour
      : behaviour.filter((file) => !needsServer(file) && (values.all || values.database || runsOnBoth(file)));

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  if (behaviour.some(runsProgram)) process.env.TEST_PROGRAM = programFolder();
  const jobs = kinds
    .map((kind) => ({ kind, files: filesOn(kind) }))
    .filter(({ files }) => files.length > 0)
    .map((job) => ({ ...job, target: PREPARE[job.kind]() }));
  const units = [...chosen('assets'), ...chosen('src'), ...chosen('test').filter(isWithoutDatabase)];
  const groups: Group[] = [
    { name: 'without a database', files: units },
    ...jobs.map(({ kind, files, target }) => ({
      name: kind,
      files,
      settings: target.then(({ settings }) => settings),
    })),
  ];
  const tallies = await runFiles(groups, stop.signal);
  for (const { target } of jobs)
    await target.then(
      (each) => each[Symbol.asyncDispose](),
      () => undefined,
    );

  const seconds = groups.flatMap(({ name }, index) =>
    [...(tallies[index]?.seconds ?? [])].map(([file, took]) => ({
      took,
      line: `${took.toFixed(1)} s  ${name}: ${file}`,
    })),
  );
  const slowest = seconds.sort((a, b) => b.took - a.took).slice(0, Number(values.slowest ?? 0));
  for (const { line } of slowest) process.stdout.write(`${line}\n`);

  const summary = groups.flatMap(({ name }, index) => {
    const { passed = 0, failed = 0 } = tallies[index] ?? {};
    return passed + failed > 0 ? [`${name}: ${passed} passed, ${failed} failed`] : [];
  });
  let failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  if (stop.signal.aborted || passed + failed === 0) {
    failed++;
    summary.push(stop.signal.aborted ? 'stopped before the end' : 'no such tests');
  }
  process.stdout.write(`\n${summary.join('\n')}\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Compiles the program, once for all tests that run it. */
function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  compileProgram(folder);
  return folder;
}

function testFiles(folder: string, parts: string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
}

await main();
