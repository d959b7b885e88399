import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileInBackground } from './support/command-line.ts';
import { startPostgresServer } from './support/postgres-server.ts';
import { type Group, runFiles } from './support/run-files.ts';
import { makePostgresTemplates, writePGliteTemplates } from './support/templates.ts';
import { slowestFiles } from './support/test-output.ts';
import { chooseFiles } from './support/where-files-run.ts';

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
  const server = given === undefined ? await startPostgresServer({}, { inMemory: true }) : undefined;
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

/**
 * Runs the tests: the units next to the sources and those without a database once, the others on a PostgreSQL server, and on the
 * embedded database what is its own; with `--all` the long ones too; on one database, where it is named, all that can run on it.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { database: { type: 'string' }, all: { type: 'boolean', default: false }, slowest: { type: 'string' } },
    allowPositionals: true,
  });
  const only = (['postgres', 'pglite'] as const).find((kind) => kind === values.database);
  if (only !== values.database) throw new Error(`There is no such database.\n${USAGE}`);
  await import('../assets/build.ts');
  const files = chooseFiles({ parts: positionals, all: values.all, only });

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  const program = files.needProgram ? programFolder() : Promise.resolve({});
  const jobs = (['postgres', 'pglite'] as const)
    .filter((kind) => files[kind].length > 0)
    .map((kind) => ({ kind, files: files[kind], target: PREPARE[kind]() }));
  const groups: Group[] = [
    { name: 'without a database', files: files.withoutDatabase },
    ...jobs.map(({ kind, files, target }) => ({
      name: kind,
      files,
      settings: Promise.all([target, program]).then(([{ settings }, compiled]) => ({ ...settings, ...compiled })),
    })),
  ];
  const tallies = await runFiles(groups, stop.signal);
  for (const { target } of jobs)
    await target.then(
      (each) => each[Symbol.asyncDispose](),
      () => undefined,
    );

  for (const line of slowestFiles(groups, tallies, Number(values.slowest ?? 0))) process.stdout.write(`${line}\n`);

  const summary = groups.flatMap(({ name }, index) => {
    const { passed = 0, failed = 0 } = tallies[index] ?? {};
    return passed + failed > 0 ? [`${name}: ${passed} passed, ${failed} failed`] : [];
  });
  let failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  if (stop.signal.aborted || passed + failed === 0) {
    failed++;
    summary.push(
      stop.signal.aborted ? 'stopped before the end' : 'no such tests: a long one needs --all, or its whole name',
    );
  }
  process.stdout.write(`\n${summary.join('\n')}\n${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Compiles the program, once for all tests that run it, and returns the setting that names its folder. */
async function programFolder(): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await compileInBackground(folder);
  return { TEST_PROGRAM: folder };
}

await main();
