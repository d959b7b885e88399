import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../entities/api-error.ts';
import { createRateLimiter } from './rate-limiter.ts';

const MINUTE = 60_000;

/** Returns a limiter with a fake clock; `take` returns undefined if allowed, else the seconds to wait. */
function limiterAt(limit: number, start = 1_000 * MINUTE) {
  let time = start;
  const limiter = createRateLimiter(limit, () => time);
  return {
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    forgive: () => limiter.forgive('a'),
    take(key = 'a'): number | undefined {
      try {
        limiter.take(key);
        return undefined;
      } catch (error) {
        assert.ok(error instanceof ApiError);
        assert.equal(error.code, 'TOO_MANY_REQUESTS');
        return Number(error.headers['retry-after']);
      }
    },
  };
}

test('the rate limiter allows each key its limit and no more, whatever other keys do', () => {
  const { take } = limiterAt(3);
  assert.deepEqual([take(), take(), take()], [undefined, undefined, undefined]);
  assert.equal(typeof take(), 'number');
  assert.equal(take('b'), undefined);
});

test('the rate limiter admits a caller who waits for Retry-After, and refuses one a second earlier', () => {
  for (const limit of [1, 2, 3, 10, 100]) {
    for (const into of [0, 1, 29_500, 59_999]) {
      const { take, pass } = limiterAt(limit, 1_000 * MINUTE + into);
      for (let number = 0; number < limit; number++) assert.equal(take(), undefined);
      const wait = take() ?? 0;
      assert.ok(wait >= 1 && wait <= 120, `${wait} s`);
      pass(Math.max(wait - 1, 0) * 1000 - 1);
      if (wait > 1) assert.notEqual(take(), undefined, `${limit} after ${wait - 1} s of ${wait}`);
      pass(1001);
      assert.equal(take(), undefined, `${limit} after ${wait} s`);
    }
  }
});

test('the rate limiter never allows twice the limit within a minute, not even at the change of the minute', () => {
  const { take, pass } = limiterAt(60, 1_000 * MINUTE + 59_000);
  let allowed = 0;
  for (let second = 0; second < 60; second++) {
    for (let ask = 0; ask < 20; ask++) if (take() === undefined) allowed++;
    pass(1000);
  }
  assert.ok(allowed <= 120 && allowed >= 60, `${allowed} allowed`);
  const { take: burst, pass: wait } = limiterAt(60, 1_000 * MINUTE + 59_000);
  for (let ask = 0; ask < 60; ask++) burst();
  wait(2_000);
  assert.ok(Array.from({ length: 60 }, () => burst()).filter((refused) => refused === undefined).length <= 1);
});

test('the rate limiter does not count refused requests, so a caller who slows down is admitted', () => {
  const { take, pass } = limiterAt(2);
  for (let ask = 0; ask < 1000; ask++) take();
  pass(2 * MINUTE);
  assert.equal(take(), undefined);
});

test('the rate limiter forgets the oldest key beyond its maximum of keys', () => {
  const { take } = limiterAt(1);
  for (let key = 0; key < 100_001; key++) take(String(key));
  assert.equal(take('0'), undefined, 'the oldest is forgotten');
  assert.notEqual(take('100000'), undefined);
});

test('a forgiven request makes room for one more request', () => {
  const { take, forgive } = limiterAt(2);
  for (const _ of [1, 2, 3]) forgive();
  assert.deepEqual([take(), take()], [undefined, undefined]);
  forgive();
  assert.equal(take(), undefined);
  assert.equal(typeof take(), 'number');
});
