import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { noteConnection, yieldToEventLoop } from './yield-to-event-loop.ts';

describe('work that yields to the event loop', () => {
  it('work that yields stands back while connections come one a turn, and is resumed however many come', async () => {
    let turns = 0;
    let isOver = false;
    const work = yieldToEventLoop().then(() => {
      isOver = true;
    });
    while (!isOver && turns < 1_000) {
      noteConnection();
      turns += 1;
      await setImmediate();
    }
    await work;
    assert.ok(turns > 100 && turns < 1_000, `${turns} turns`);
  });
});
