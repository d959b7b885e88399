import { setMaxListeners } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { compileProgram } from './support/command-line.ts';
import { startPostgresServer } from './support/postgres-server.ts';
import { runFiles } from './support/run-files.ts';
import { makePostgresTemplates, writePGliteTemplates } from './support/templates.ts';

const USAGE = `npm test [-- [--database pglite|postgres] [PART OF A FILE'S PATH]...]
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

/** The tests in it build the service without a database, and so need not run on each. */
const WITHOUT_DATABASE = join('test', 'without-database');

/** The tests in these are about a database server: the way to it, its roles. The embedded database has neither. */
const ON_A_SERVER = ['faults', 'server'].map((folder) => join('test', folder));

/** The tests in it run the program as it is installed. */
const COMMAND_LINE = join('test', 'cli');

/** Runs the tests: the units beside the sources and those without a database once, the others once on each database. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { database: { type: 'string' } }, allowPositionals: true });
  const kinds = (['pglite', 'postgres'] as const).filter((kind) => kind === (values.database ?? kind));
  if (kinds.length === 0) throw new Error(`There is no such database.\n${USAGE}`);
  const units = [...testFiles('src', positionals), ...testFiles(WITHOUT_DATABASE, positionals)];
  const behaviour = testFiles('test', positionals).filter((file) => !file.startsWith(WITHOUT_DATABASE));

  const stop = new AbortController();
  // Each file that runs listens to it.
  setMaxListeners(0, stop.signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const [summary, total] = [[] as string[], { passed: 0, failed: 0 }];
  const record = (group: string, passed: number, failed: number) => {
    summary.push(`${group}: ${passed} passed, ${failed} failed`);
    total.passed += passed;
    total.failed += failed;
  };
  const runGroup = async (group: string, files: string[]) => {
    // A selection of files may leave a group out; otherwise a group without a test is a failure.
    if (stop.signal.aborted || (files.length === 0 && positionals.length > 0)) return;
    const { passed, failed } = await runFiles(group, files, stop.signal);
    record(group, passed, passed + failed === 0 ? 1 : failed);
  };

  if (behaviour.some((file) => file.startsWith(COMMAND_LINE))) process.env.TEST_PROGRAM = programFolder();
  const unitsRun = runGroup('without a database', units);
  for (const kind of behaviour.length > 0 || positionals.length === 0 ? kinds : []) {
    try {
      await using target = await PREPARE[kind]();
      await unitsRun;
      Object.assign(process.env, target.settings);
      await runGroup(
        target.name,
        behaviour.filter((file) => kind === 'postgres' || !ON_A_SERVER.some((folder) => file.startsWith(folder))),
      );
    } catch (error) {
      if (stop.signal.aborted) break;
      process.stdout.write(`\n✖ ${kind}: the tests could not be run\n${inspect(error)}\n`);
      record(kind, 0, 1);
    }
  }
  await unitsRun;
  if (stop.signal.aborted || total.passed + total.failed === 0) {
    record(stop.signal.aborted ? 'stopped before the end' : 'no such tests', 0, 1);
  }
  process.stdout.write(`\n${summary.join('\n')}\n${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed > 0 ? 1 : 0;
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
    .filter((file) => file.endsWith('.test.ts') && (parts.length === 0 || parts.some((part) => file.includes(part))))
    .sort();
}

await main();
