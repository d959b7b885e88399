import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearSteadyLoad } from './steady-load.ts';

test('the service answers requests of all kinds that come whether it keeps up or not', async () => {
  const { requests, failures } = await bearSteadyLoad({ seconds: 3, rate: 100 });
  assert.equal(requests, 300);
  assert.deepEqual(failures, []);
});
