import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { machineInWords } from '../../bench/support/medians.ts';
import {
  deepBodies,
  largeBodies,
  manyHeaders,
  slowBodies,
  slowBodiesOfStrangers,
  slowHeaders,
  unwantedBodies,
} from './overload.ts';
import { sendRandomRequests } from './random.ts';
import { startTarget, type Witness, witness } from './target.ts';
import { compareTimes } from './timing.ts';

/*
 * The attacks that take long, on a service as it is installed, on the loopback interface. Prints a row for each, and ends with 1
 * where one of them succeeds.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
  },
});
/** MB by which the service may grow while it is overloaded, and milliseconds that others may wait. */
const MAX_GROWTH = 20;
const MAX_WAIT = 1_000;
const GLOBEX = 'admin@globex.example';

await using target = await startTarget();
const { port } = target;
const staff = await target.authorizationOf('super.admin@orgdesk.example');
const manager = await target.authorizationOf('manager@acme.example');
const foreign = await companyOf(GLOBEX);

const ATTACKS: readonly (readonly [name: string, isOverload: boolean, attack: () => Promise<string>])[] = [
  [`random requests, ${values.requests} to each operation, seed ${values.seed}`, false, randomRequests],
  [
    'a foreign company and one that does not exist, 5,000 answers each',
    false,
    () => compareTimes(target, manager, foreign, 5000),
  ],
  ['800 callers who send a header a second', true, () => slowHeaders(port, 800)],
  ['300 callers who send a byte of their body a second', true, () => slowBodies(port, 300, manager)],
  ['300 such callers without a token', true, () => slowBodiesOfStrangers(port, 300)],
  ['20 bodies of 100 MB', true, () => largeBodies(port, 20, manager)],
  ['20 bodies of 100 MB that nobody reads', true, () => unwantedBodies(port, 20)],
  ['200 bodies of 100,000 levels of JSON, and of as many as fit', true, () => deepBodies(port, 50)],
  ['200 requests with 2,000 headers', true, () => manyHeaders(port, 200, 2000)],
];

// What a process holds settles while it serves.
for (let round = 0; round < 2000; round++) {
  await target.send({ method: 'GET', url: '/api/users/profile', headers: { authorization: manager } });
}
process.stdout.write(`${machineInWords()}\n\n| attack | result | others |\n|---|---|---|\n`);
for (const [name, isOverload, attack] of ATTACKS.filter(([what]) => what.includes(values.only))) {
  try {
    let result = '';
    const seen = await witness(target, manager, async () => {
      result = await attack();
    });
    process.stdout.write(`| ${name} | ${result} | ${othersIn(seen)} |\n`);
    if (isOverload) {
      assert.ok(seen.growth <= MAX_GROWTH, `The service grew by ${seen.growth.toFixed(0)} MB.`);
      assert.ok(seen.slowest <= MAX_WAIT, `Another caller waited ${seen.slowest.toFixed(0)} ms.`);
    }
  } catch (error) {
    process.stdout.write(`| ${name} | FAILED: ${String(error).slice(0, 2000)} | |\n`);
    process.exitCode = 1;
  }
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

function othersIn({ served, slowest, growth }: Witness): string {
  return `${served} requests of others answered, the slowest after ${slowest.toFixed(0)} ms; memory +${growth.toFixed(0)} MB`;
}
