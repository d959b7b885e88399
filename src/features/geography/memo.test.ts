import assert from 'node:assert/strict';
import test from 'node:test';
import { createMemo } from './memo.ts';

const CAPACITY = 100_000;

function neverAsked(): never {
  throw new Error('It was remembered.');
}

test('what was found is given again without being looked for', () => {
  const memo = createMemo<Uint32Array>(CAPACITY);
  const rows = Uint32Array.of(1, 2, 3);
  assert.equal(
    memo.get('san', () => rows),
    rows,
  );
  assert.equal(memo.get('san', neverAsked), rows);
});

test('memory stays within the capacity whatever is asked for, and what is used all the time stays', () => {
  const memo = createMemo<Uint32Array>(CAPACITY);
  const rows = memo.get('often', () => Uint32Array.of(7));
  for (let round = 0; round < 5000; round++) {
    memo.get(`needle ${round}`, () => new Uint32Array(round % 300));
    assert.equal(memo.get('often', neverAsked), rows);
    assert.ok(memo.bytes <= CAPACITY);
  }
  assert.ok(memo.bytes > CAPACITY / 4);
});

test('what was not used for long is forgotten', () => {
  const memo = createMemo<Uint32Array>(CAPACITY);
  memo.get('old', () => Uint32Array.of(1));
  for (let round = 0; round < 5000; round++) memo.get(`needle ${round}`, () => new Uint32Array(10));
  assert.deepEqual(
    memo.get('old', () => Uint32Array.of(2)),
    Uint32Array.of(2),
  );
});

test('a result that would push out many others is not kept', () => {
  const memo = createMemo<Uint32Array>(CAPACITY);
  memo.get('a', () => new Uint32Array(CAPACITY / 32));
  memo.get('x'.repeat(CAPACITY), () => new Uint32Array(0));
  assert.equal(memo.bytes, 0);
});
