import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { buildCheckedApp } from '../support/checked-app.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { administerAtRandom } from './long/random-operations.ts';
import { assertFeedToGiveTables, assertRoundTrip } from './long/replay.ts';

/** `npm run long -- administration` does many more, by another seed each time. */
const OPERATIONS = 250;
const SEED = 1;

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

it(`the feed gives the tables after ${OPERATIONS} random operations, and an export is imported to the byte`, async () => {
  const tally = await administerAtRandom(api, OPERATIONS, SEED);
  const outcomes = new Set([...tally.counts.keys()].map((what) => what.split(' ')[1]));
  for (const outcome of ['200', '400', '403', '404', '409', '412']) assert.ok(outcomes.has(outcome), tally.summary());
  const changes = await assertFeedToGiveTables(api, 'super.admin@orgdesk.example');
  assert.ok(changes > OPERATIONS / 2);
  await using empty = await openTestDatabase();
  assert.ok((await assertRoundTrip(api.db, empty)) > 1000);
});
