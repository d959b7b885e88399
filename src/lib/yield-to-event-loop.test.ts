import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Milliseconds of a fake clock that only advances during work. */
let now = 0;
beforeEach(() => {
  mock.method(performance, 'now', () => now);
});
afterEach(() => mock.restoreAll());

/** Works in two pieces, each longer than a turn may take. */
async function work(name: string, log: string[], behind?: boolean): Promise<void> {
  for (let piece = 0; piece < 2; piece++) {
    await yieldToEventLoop(behind);
    log.push(`${name}${piece}`);
    now += 6;
  }
}

test('waiting workers continue in their order of arrival, and the event loop runs in between', async () => {
  const log: string[] = [];
  const done = Promise.all([work('a', log), work('b', log), work('c', log)]);
  for (const expected of ['a0', 'b0', 'c0', 'a1', 'b1', 'c1']) {
    await later();
    assert.equal(log.at(-1), expected, log.join());
  }
  await done;
  assert.equal(log.length, 6);
});

test('workers with little to do share one turn of the event loop', async () => {
  const began: number[] = [];
  const all = Array.from({ length: 10 }, async () => {
    await yieldToEventLoop();
    began.push(began.length);
  });
  await later();
  assert.equal(began.length, 10);
  await Promise.all(all);
});

test('a background worker continues when no other worker waits', async () => {
  const log: string[] = [];
  await Promise.all([work('behind', log, true), work('a', log), work('b', log)]);
  assert.deepEqual(log, ['a0', 'b0', 'a1', 'b1', 'behind0', 'behind1']);
});
