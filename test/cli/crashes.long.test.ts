import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDemoCommandLine } from '../support/demo-command-line.ts';
import { killAmidUpdates, makeWriters } from '../support/killed-service.ts';

/** `npm run long -- faults --only kills` goes on for a hundred. */
const ROUNDS = 3;

const demo = await openDemoCommandLine();
const { commandLine } = demo;
const settings = { ...demo.settings, LOG_LEVEL: 'warn' };

after(() => demo[Symbol.asyncDispose]());

test(`a service killed ${ROUNDS} times amid updates has lost none that it had answered`, async () => {
  let service = await commandLine.serve(settings);
  const writers = await makeWriters(commandLine, settings);
  for (let round = 1; round <= ROUNDS; round++) {
    ({ service } = await killAmidUpdates(commandLine, settings, service, writers));
  }
  const { code } = await service.kill('SIGTERM');
  assert.equal(code, 0);
});
