import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearSteadyLoad } from './steady-load.ts';

test('the service answers a steady load of all kinds of requests without a failure', async () => {
  const { requests, failures } = await bearSteadyLoad({ seconds: 3, rate: 100 });
  assert.equal(requests, 300);
  assert.deepEqual(failures, []);
});
