import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machineInWords } from '../../bench/support/medians.ts';
import { recordSection } from '../../bench/support/record-section.ts';
import { requestText } from '../support/raw-http.ts';
import {
  deepBodies,
  largeBodies,
  manyHeaders,
  slowBodies,
  slowBodiesOfStrangers,
  slowHeaders,
  unwantedBodies,
} from './overload.ts';
import { silentProvider } from './provider.ts';
import { sendRandomRequests } from './random.ts';
import { ATTACKS_HEADING, HOSTILE_RESULTS } from './results.ts';
import {
  breakingOff,
  hiddenHeaders,
  otherProtocols,
  pipelinedAndClosed,
  unreadLists,
  unreadPages,
} from './slow-readers.ts';
import { startTarget, type Witness, witness } from './target.ts';
import { compareTimes } from './timing.ts';

/*
 * The attacks that take long, on a service as it is installed, on the loopback interface. Prints a row for each, and ends with 1
 * where one of them succeeds. `--only` with a part of their name runs some. All of them at full size write docs/results/hostile.md, and
 * run `npm run long -- limits` after them.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
  },
});
const isComplete = values.only === '' && values.requests === '10000' && values.seconds === '300';
const HEAD = `${ATTACKS_HEADING}

Command: \`npm run long -- hostile\`. Machine: ${machineInWords()}.

The service is built and started on the loopback interface with the demo. During each attack another caller requests a page, a profile and
a full list. "Others" is what that caller saw, and by how much the service grew.`;

/** MB by which the service may grow meanwhile, and milliseconds that others may wait. */
interface Bounds {
  growth: number;
  wait: number;
}
const UNBOUNDED = { growth: Number.POSITIVE_INFINITY, wait: Number.POSITIVE_INFINITY };
const OVERLOADED = { growth: 20, wait: 1_000 };
/** While much is asked for that nobody reads. */
const UNREAD = { growth: 150, wait: 2_000 };
const GLOBEX = 'admin@globex.example';

await using target = await startTarget();
const { port } = target;
const staff = await target.authorizationOf('super.admin@orgdesk.example');
const manager = await target.authorizationOf('manager@acme.example');
const foreign = await companyOf(GLOBEX);

const ATTACKS: readonly (readonly [name: string, bounds: Bounds, attack: () => Promise<string>])[] = [
  [`random requests, ${values.requests} to each operation, seed ${values.seed}`, UNBOUNDED, randomRequests],
  [
    'a foreign company and one that does not exist, 5,000 answers each',
    UNBOUNDED,
    () => compareTimes(target, manager, foreign, 5000),
  ],
  ['800 callers who send a header a second', OVERLOADED, () => slowHeaders(port, 800)],
  ['300 callers who send a byte of their body a second', OVERLOADED, () => slowBodies(port, 300, manager)],
  ['300 such callers without a token', OVERLOADED, () => slowBodiesOfStrangers(port, 300)],
  ['20 bodies of 100 MB', OVERLOADED, () => largeBodies(port, 20, manager)],
  ['20 bodies of 100 MB that nobody reads', OVERLOADED, () => unwantedBodies(port, 20)],
  ['200 bodies of 100,000 levels of JSON, and of as many as fit', OVERLOADED, () => deepBodies(port, 50)],
  ['200 requests with 2,000 headers', OVERLOADED, () => manyHeaders(port, 200, 2000)],
  ['200 requests with 1,000 header lines and one behind them', OVERLOADED, () => hiddenHeaders(port, 200)],
  ['200 requests for another protocol, others behind them', OVERLOADED, () => otherProtocols(port, 200)],
  [
    'one connection that asks 60 pages and 1,010 full lists, and closes',
    UNREAD,
    () => pipelinedAndClosed(target, requestText('GET /api/cities/list')),
  ],
  [
    'one connection that asks 60 pages and 1,010 profiles, and closes',
    UNREAD,
    () => pipelinedAndClosed(target, requestText('GET /api/users/profile', [`Authorization: ${manager}`])),
  ],
  ['1,000 connections that do not read the full list', UNREAD, () => unreadLists(target, 1_000)],
  [
    '1,000 connections that do not read the full list, compressed',
    UNREAD,
    () => unreadLists(target, 1_000, 'Accept-Encoding: br'),
  ],
  ['10 connections that do not read 1,000 pages of 1,000 each', UNREAD, () => unreadPages(target, 10, 1_000)],
  ['1,000 connections that do not read 40 pages of 1,000 each', UNREAD, () => unreadPages(target, 1_000, 40)],
  [`200 connections that break off, seed ${values.seed}`, UNBOUNDED, connectionsThatBreakOff],
];

// What a process holds settles while it serves.
for (let round = 0; round < 2000; round++) {
  await target.send({ method: 'GET', url: '/api/users/profile', headers: { authorization: manager } });
  const page = `/api/cities/list?isPaginationNeeded=true&limit=1000&page=${1 + (round % 150)}`;
  if (round % 4 === 0) await target.send({ method: 'GET', url: page, headers: {} });
}
const rows: string[] = [];
row('attack', 'result', 'others');
row('---', '---', '---');
for (const [name, bounds, attack] of ATTACKS.filter(([what]) => what.includes(values.only))) {
  // The system clears away what the connections of the last one have left behind.
  await sleep(5_000);
  try {
    let result = '';
    const seen = await witness(target, manager, async () => {
      result = await attack();
    });
    row(name, result, othersIn(seen));
    assert.ok(seen.growth <= bounds.growth, `The service grew by ${seen.growth.toFixed(0)} MB.`);
    assert.ok(seen.slowest <= bounds.wait, `Another caller waited ${seen.slowest.toFixed(0)} ms.`);
  } catch (error) {
    fail(name, error);
  }
}
const SILENT = '2 × 1,100 tokens with unknown keys, while the identity provider says nothing';
if (SILENT.includes(values.only)) {
  try {
    const { result, seen } = await silentProvider(1100, UNREAD.wait);
    row(SILENT, result, othersIn(seen));
  } catch (error) {
    fail(SILENT, error);
  }
}

if (isComplete && process.exitCode === undefined) recordSection(HOSTILE_RESULTS, `${HEAD}\n\n${rows.join('\n')}`);

const MODEL = 'model';
if (isComplete || values.only === MODEL) {
  const script = ['tsx', 'test/hostile/model/run.ts', '--seed', values.seed];
  if (spawnSync('npx', script, { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}
if (isComplete) {
  const { status } = spawnSync('npm', ['run', '--silent', 'long', '--', 'limits'], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

function row(...cells: string[]): void {
  const text = `| ${cells.join(' | ')} |`;
  rows.push(text);
  process.stdout.write(`${text}\n`);
}

function fail(name: string, error: unknown): void {
  row(name, `FAILED: ${String(error).slice(0, 2000)}`, '');
  process.exitCode = 1;
}

async function companyOf(email: string): Promise<string> {
  const authorization = await target.authorizationOf(email);
  const answer = await target.send({ method: 'GET', url: '/api/users/profile', headers: { authorization } });
  return (answer.json() as { data: { companyId: string } }).data.companyId;
}

async function randomRequests(): Promise<string> {
  const authorizationFor = (path: string) => (path === '/api/companies/list' ? staff : manager);
  const each = Number(values.requests);
  const { operations, statuses } = await sendRandomRequests(target, authorizationFor, each, Number(values.seed));
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  return `${operations} operations; ${counts.join(', ')}; each answer as published`;
}

function connectionsThatBreakOff(): Promise<string> {
  const load = { connections: 200, seconds: Number(values.seconds), seed: Number(values.seed) };
  return breakingOff(target, load, manager);
}

function othersIn({ served, slowest, growth }: Witness): string {
  return `${served} requests of others answered, the slowest after ${slowest.toFixed(0)} ms; memory +${growth.toFixed(0)} MB`;
}
