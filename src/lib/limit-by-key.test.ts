import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limitByKey, QueueFullError } from './limit-by-key.ts';

/** Work that the test ends. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { started, work, end: (name: string) => ends.get(name)?.() };
}

describe('a limit by key', () => {
  it('limitByKey runs work up to its limit per key, queues more in order, and rejects the rest', async () => {
    const { started, work, end } = controlled();
    const limit = limitByKey({ running: 2, waiting: 2 });
    const results = ['a', 'b', 'c', 'd'].map((name) => limit('key', work(name)));
    await assert.rejects(limit('key', work('e')), QueueFullError);
    const other = limit('other', work('f'));
    assert.deepEqual(started, ['a', 'b', 'f']);
    end('b');
    assert.equal(await results[1], 'b');
    assert.deepEqual(started, ['a', 'b', 'f', 'c']);
    for (const name of ['a', 'c', 'f']) end(name);
    await other;
    await results[2];
    end('d');
    assert.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd']);
  });

  it('limitByKey continues with the next work after a failure', async () => {
    const limit = limitByKey({ running: 1, waiting: 1 });
    const failing = limit('key', () => Promise.reject(new Error('failed')));
    const next = limit('key', async () => 'next');
    await assert.rejects(failing, /failed/);
    assert.equal(await next, 'next');
    assert.equal(await limit('key', async () => 'again'), 'again');
  });
});
