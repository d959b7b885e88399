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

it('the batch loader looks up the requests of one event loop turn together', async () => {
  const { calls, double } = doubling();
  const first = Promise.all([double(1), double(2), double(1)]);
  await setImmediate();
  assert.deepEqual(await Promise.all([first, double(3)]), [[2, 4, 2], 6]);
  assert.deepEqual(calls, [[1, 2, 1], [3]]);
});

it('the batch loader splits 70 requests into batches of at most 32', async () => {
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

it('the failure of a batch rejects all its requests and no later ones', async () => {
  const { double } = doubling();
  const results = await Promise.allSettled([double(1), double(13)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await double(1), 2);
});
