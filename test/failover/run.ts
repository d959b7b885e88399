import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.ts';
import { commitCost } from './commit-cost.ts';
import { findPrograms, versionsInWords } from './programs.ts';
import { lineOf, reportOf, type Tried } from './report.ts';
import { SCENARIOS, tryOnce } from './scenarios.ts';
import { startServices } from './services.ts';
import { makeWorkingFolder } from './working-folder.ts';

/*
 * Each scenario several times, on a cluster that is made for it and removed; ends with 1 where a promise is not held. `--only crash`
 * tries one; with all of them tried the results are written to docs/results/failover.md.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = Number(values.rounds);
/** Milliseconds for which the machine may not get to run in a round, and rounds that are repeated at most because it did. */
const STANDSTILL = 2_000;
const MAX_REPEATED = 5;
const say = (line: string) => void process.stdout.write(`${line}\n`);

const scenarios = SCENARIOS.filter(({ name }) => name.includes(values.only));
if (scenarios.length === 0)
  throw new Error(`There is no such scenario. There are ${SCENARIOS.map(({ name }) => name)}.`);
if (!(ROUNDS >= 1)) throw new Error('--rounds takes a whole number from 1.');

const programs = findPrograms();
const versions = versionsInWords(programs);
await using folder = makeWorkingFolder();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    isStopped = true;
    void folder[Symbol.asyncDispose]().then(() => process.exit(130));
  });
}
try {
  say(`Starting ${versions} …`);
  const cluster = await startCluster(folder, programs);
  await cluster.wholeness();
  await using services = await startServices(folder, cluster);
  const tried: Tried[] = [];
  let repeated = 0;
  for (const scenario of scenarios) {
    const own = { scenario, rounds: [] as Awaited<ReturnType<typeof tryOnce>>[] };
    tried.push(own);
    for (let place = 1; own.rounds.length < ROUNDS; place++) {
      const round = await tryOnce(cluster, services, scenario, `${scenario.name}${place}`);
      if (round.stoodStill > STANDSTILL && repeated++ < MAX_REPEATED) {
        say(`${scenario.name}: the machine stood still for ${(round.stoodStill / 1000).toFixed(0)} s, once more`);
        if (round.lost.length === 0) continue;
      }
      own.rounds.push(round);
      say(lineOf(own));
    }
  }
  const report = reportOf(versions, tried, { repeated, commits: await commitCost(cluster) });
  say(`\n${report}`);
  if (scenarios.length === SCENARIOS.length) writeFileSync('docs/results/failover.md', report);
  if (tried.some(({ rounds }) => rounds.some(({ failures }) => failures.length > 0))) throw new Error('Not all held.');
} catch (error) {
  process.exitCode = 1;
  if (!isStopped) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write(`What the programs wrote is in ${folder.keepLogs()}.\n`);
  }
}
