import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { machineInWords } from '../../bench/support/medians.ts';
import { openPostgresDatabase } from '../../src/db/postgres-database.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';
import { DATABASE_FAULTS, type DatabaseFault, whileSpoiled } from './database-faults.ts';
import { startDatabaseTarget } from './database-target.ts';
import { tryDraining } from './drain.ts';

/*
 * Each fault several times, with the time limits of production; ends with 1 where the service does not hold its promises.
 * `--only database` runs one part; with all parts run, the results are written to docs/results/faults.md.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});
const ROUNDS = Number(values.rounds);
const PARTS: Readonly<Record<string, () => Promise<string[]>>> = {
  database: tryDatabaseFaults,
  drain: tryDraining,
};

const parts = Object.entries(PARTS).filter(([name]) => name.includes(values.only));
if (parts.length === 0) throw new Error(`There is no such part: ${values.only}. There are ${Object.keys(PARTS)}.`);
const lines = ['# Faults', '', `Command: \`npm run test:faults\`, ${ROUNDS} times each. Machine: ${machineInWords()}.`];
for (const [name, tryFaults] of parts) {
  lines.push(
    '',
    `## The ${name}`,
    '',
    '| fault | held | the last time |',
    '| --- | --- | --- |',
    ...(await tryFaults()),
  );
}
process.stdout.write(`${lines.join('\n')}\n`);
if (parts.length === Object.keys(PARTS).length) writeFileSync('docs/results/faults.md', `${lines.join('\n')}\n`);

async function tryDatabaseFaults(): Promise<string[]> {
  await using server = await startPostgresServer();
  await using templates = await makePostgresTemplates(server.url);
  const url = databaseUrl(server.url, `${templates.prefix}_demo`);
  await using target = await startDatabaseTarget(url, { timeLimit: 1_500, slack: 1 });
  await using administration = openPostgresDatabase({ url, maxConnections: 1 });
  await administration.query(sql`insert into countries (id, name, iso2, iso3) values (1, 'Land', 'XX', 'XXX')`);
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
  for (const { name, run } of [...DATABASE_FAULTS, paused]) rows.push(await tryOften(name, () => run(target)));
  return rows;
}

async function tryOften(name: string, run: () => Promise<string>): Promise<string> {
  let [held, seen] = [0, ''];
  for (let round = 0; round < ROUNDS; round++) {
    try {
      seen = await run();
      held++;
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${name}: ${String(error)}\n`);
    }
  }
  return `| ${name} | ${held} of ${ROUNDS} | ${seen} |`;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function childrenOf(parent: number): number[] {
  const isChild = (pid: number) => {
    try {
      return parentOf(pid) === parent;
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').map(Number).filter(Number.isInteger).filter(isChild);
}
