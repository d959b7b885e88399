import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keepTicksFast } from '../../src/lib/fast-ticks.ts';
import { median } from '../support/medians.ts';

/*
 * What one call of process.nextTick takes before the process has been idle, and after: `npm run bench:ticks`, and
 * `npm run bench:ticks -- kept` with the objects' hidden class kept alive. The garbage is collected here as V8 does by itself in an idle process.
 */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CALLS = 20_000;
const ROUNDS = 10;

async function nanosecondsACall(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begin = process.cpuUsage();
    for (let call = 0; call < CALLS; call++) process.nextTick(nothing);
    const { user, system } = process.cpuUsage(begin);
    rounds.push(((user + system) * 1000) / CALLS);
    await setTimeout(10);
  }
  return Math.round(median(rounds));
}

function nothing(): void {}

if (process.argv[2] === 'kept') keepTicksFast();
const before = await nanosecondsACall();
for (let collection = 0; collection < 4; collection++) {
  collectGarbage();
  await setTimeout(10);
}
process.stdout.write(`${before} ns a call, ${await nanosecondsACall()} ns after the process was idle\n`);
