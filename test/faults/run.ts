import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { machineInWords } from '../../bench/support/medians.ts';
import { headingOf, recordSection } from '../../bench/support/record-section.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { childrenOf, parentOf } from '../support/process-tree.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';
import { DATABASE_FAULTS, type DatabaseFault, whileSpoiled } from './database-faults.ts';
import { startDatabaseTarget } from './database-target.ts';
import { tryDiskFaults } from './disk-faults.ts';
import { tryDraining } from './drain.ts';
import { tryFolderFaults } from './folder-faults.ts';
import { tryKeeper } from './keeper-faults.ts';
import { tryKillFaults } from './kill-faults.ts';
import { tryLogicalReplication } from './logical-replication.ts';
import { tryMachineFaults } from './machine-faults.ts';
import { tryPowerFaults } from './power-faults.ts';
import { bearSteadyLoad } from './steady-load.ts';
import { tryOften } from './try-often.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string' }, pause: { type: 'string' } },
});
/** Seconds for which the service is stopped. */
const PAUSE = 60;
const pause = Number(values.pause ?? PAUSE);

/** Tries each fault of a part so often; gives rows of a table: the fault, how often it was borne, and what was seen the last time. */
type Part = (rounds: number) => Promise<string[]>;

/*
 * Each fault several times, with the time limits of production; ends with 1 where the service does not hold its promises.
 * `--only database` runs one part, `--rounds 2` all of them that often, `--pause 5` stops the service for less than a minute. What parts have been run with their own number of rounds, their
 * results are written to docs/results/faults.md.
 */
const PARTS: Readonly<Record<string, { rounds: number; run: Part }>> = {
  database: { rounds: 5, run: tryDatabaseFaults },
  drain: { rounds: 50, run: tryDraining },
  load: { rounds: 1, run: tryLoad },
  disk: { rounds: 5, run: tryDiskFaults },
  folder: { rounds: 20, run: tryFolderFaults },
  kills: { rounds: 100, run: tryKillFaults },
  power: { rounds: 5, run: tryPowerFaults },
  keeper: { rounds: 1, run: tryKeeper },
  machine: { rounds: 1, run: (rounds) => tryMachineFaults(rounds, pause) },
  replication: { rounds: 1, run: tryLogicalReplication },
};
const LOAD = { seconds: 30 * 60, rate: 1_000 };
/** Milliseconds, and the share by which memory may grow. */
const LOAD_GOALS = { p99: 100, growth: 0.1 };

const RESULTS = {
  path: 'docs/results/faults.md',
  head: '# Faults\n\nEach part is written by the command that it names; `npm run long -- faults` tries all of them.',
  parts: Object.keys(PARTS),
};

const parts = Object.entries(PARTS).filter(([name]) => name.includes(values.only));
if (parts.length === 0) throw new Error(`There is no such part: ${values.only}. There are ${Object.keys(PARTS)}.`);
for (const [name, part] of parts) {
  const rounds = values.rounds === undefined ? part.rounds : Number(values.rounds);
  const command = `npm run long -- faults --only ${name}`;
  const text = [
    headingOf(name),
    '',
    `Command: \`${command}\`, ${rounds} times each. Machine: ${machineInWords()}.`,
    '',
    '| fault | held | the last time |',
    '| --- | --- | --- |',
    ...(await part.run(rounds)),
  ].join('\n');
  process.stdout.write(`${text}\n\n`);
  if (rounds === part.rounds && pause === PAUSE) recordSection(RESULTS, text);
}

async function tryLoad(rounds: number): Promise<string[]> {
  const name = `${LOAD.rate} requests a second of all kinds for ${LOAD.seconds / 60} minutes`;
  const bear = async () => {
    const { requests, p50, p99, slowest, memory, failures } = await bearSteadyLoad(LOAD);
    const seen =
      `${requests} requests; p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms; ` +
      `memory ${memory.before.toFixed(0)} MB, then ${memory.after.toFixed(0)} MB; ${failures.length} failed`;
    const growth = memory.after / memory.before - 1;
    if (failures.length > 0 || !(p99 <= LOAD_GOALS.p99) || growth >= LOAD_GOALS.growth) {
      throw new Error([seen, ...failures.slice(0, 5)].join('\n'));
    }
    return seen;
  };
  return [await tryOften(name, rounds, bear)];
}

async function tryDatabaseFaults(rounds: number): Promise<string[]> {
  await using server = await startPostgresServer();
  await using templates = await makePostgresTemplates(server.url);
  const url = databaseUrl(server.url, `${templates.prefix}_demo`);
  await using target = await startDatabaseTarget(url, { statementTimeout: 1_500, slack: 1 });
  await using administration = openPostgresDatabase({ url, maxConnections: 1 });
  const [backend] = await administration.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const serverProcess = parentOf(backend?.pid ?? 0);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [serverProcess, ...childrenOf(serverProcess)]) process.kill(pid, name);
  };
  const paused: DatabaseFault = {
    name: 'the server is paused (SIGSTOP)',
    run: (target) =>
      whileSpoiled(
        target,
        () => signal('SIGSTOP'),
        () => signal('SIGCONT'),
      ),
  };
  const rows: string[] = [];
  for (const { name, run } of [...DATABASE_FAULTS, paused]) rows.push(await tryOften(name, rounds, () => run(target)));
  return rows;
}
