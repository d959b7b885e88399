import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { batchLoader } from './batch-loader.ts';

/** Doubles numbers, and records the batches it was called with. */
function doubling() {
  const calls: (readonly number[])[] = [];
  const double = batchLoader(async (numbers: readonly number[]) => {
    calls.push(numbers);
    await setImmediate();
    if (numbers.includes(13)) throw new RangeError('13');
    return numbers.map((number) => 2 * number);
  });
  return { calls, double };
}

it('requests of one turn of the event loop are looked up together, and everyone gets their own result', async () => {
  const { calls, double } = doubling();
  const first = Promise.all([double(1), double(2), double(1)]);
  await setImmediate();
  assert.deepEqual(await Promise.all([first, double(3)]), [[2, 4, 2], 6]);
  assert.deepEqual(calls, [[1, 2, 1], [3]]);
});

it('a batch has a bound', async () => {
  const { calls, double } = doubling();
  const numbers = Array.from({ length: 70 }, (_, number) => 100 + number);
  assert.deepEqual(
    await Promise.all(numbers.map(double)),
    numbers.map((number) => 2 * number),
  );
  assert.deepEqual(
    calls.map(({ length }) => length),
    [32, 32, 6],
  );
});

it('a failure is that of the whole batch, and of no later one', async () => {
  const { double } = doubling();
  const results = await Promise.allSettled([double(1), double(13)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await double(1), 2);
});
