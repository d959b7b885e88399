import { join } from 'node:path';
import { tryOften } from '../../faults/try-often.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { buildCommandLine } from '../../support/command-line.ts';
import { makeDataFolder } from '../../support/data-folders.ts';
import type { DatabaseKind } from '../../support/installed.ts';
import { startPostgresServer } from '../../support/postgres-server.ts';
import { runParts } from '../../support/run-parts.ts';
import { makePostgresTemplates, type TemplateName } from '../../support/templates.ts';
import { clonePGlite, clonePostgres, type TestDatabase } from '../../support/test-database.ts';
import { openAdministration } from '../administration.ts';
import { loseAnswers } from './lost-answers.ts';
import type { Tally } from './outcomes.ts';
import { RACES } from './races.ts';
import { administerAtRandom } from './random-operations.ts';
import { assertFeedToGiveTables, assertRoundTrip } from './replay.ts';
import { WRITER_RACES } from './writers.ts';

await using server = await startPostgresServer();
await using templates = await makePostgresTemplates(server.url);
process.env.TEST_POSTGRES_URL = server.url;
process.env.TEST_POSTGRES_TEMPLATES = templates.prefix;

/*
 * The rules of administration under what is rare: many at the same moment, lost answers, thousands of operations at random.
 * `--rounds 5 --kills 2 --operations 100` for less, `--seed 1` for the same operations again.
 */
await runParts({
  name: 'administration',
  title: 'Administration',
  full: { rounds: 200, kills: 50, operations: 10_000 },
  given: { seed: Date.now() % 2 ** 31 },
  parts: ({ rounds, kills, operations, seed }) => ({
    races: (kind) => tryRaces(kind, rounds),
    'lost-answers': (kind) => tryLostAnswers(kind, kills),
    'random-operations': (kind) => tryRandomOperations(kind, operations, seed),
  }),
});

function open(kind: DatabaseKind, template: TemplateName): Promise<TestDatabase> {
  return kind === 'server' ? clonePostgres(template) : clonePGlite(template);
}

async function tryRaces(kind: DatabaseKind, rounds: number): Promise<string[]> {
  await using administration = await openAdministration(() => open(kind, 'migrated'));
  const rows: string[] = [];
  for (const [what, race] of Object.entries({ ...RACES, ...WRITER_RACES })) {
    rows.push(await tryOften(`${what}; ${kind}`, 1, () => race(administration, rounds)));
  }
  return rows;
}

async function tryLostAnswers(kind: DatabaseKind, kills: number): Promise<string[]> {
  await using commandLine = buildCommandLine();
  const DATA_DIR = join(commandLine.folder, 'data');
  await using database = kind === 'server' ? await open(kind, 'demo') : undefined;
  if (!database) await makeDataFolder(DATA_DIR, 'demo');
  const settings = { DATA_DIR, LOG_LEVEL: 'warn', ...(database?.url && { DATABASE_URL: database.url }) };
  const what = `the service is killed before a create is answered, which is repeated; ${kind}`;
  return [await tryOften(what, 1, () => loseAnswers(commandLine, settings, kills))];
}

async function tryRandomOperations(kind: DatabaseKind, operations: number, seed: number): Promise<string[]> {
  await using api = await buildCheckedApp({}, () => open(kind, 'demo'));
  await using empty = await open(kind, 'migrated');
  const checks: Readonly<Record<string, () => Promise<string>>> = {
    [`operations at random, seed ${seed}`]: async () => outcomesIn(await administerAtRandom(api, operations, seed)),
    'then the feed from its beginning gives the tables': async () =>
      `${await assertFeedToGiveTables(api, 'super.admin@orgdesk.example')} changes`,
    'and an export comes back byte for byte, into an empty database too': async () =>
      `${await assertRoundTrip(api.db, empty)} rows`,
  };
  const rows: string[] = [];
  for (const [what, check] of Object.entries(checks)) rows.push(await tryOften(`${what}; ${kind}`, 1, check));
  return rows;
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
