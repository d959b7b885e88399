import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inScoreOrder, wholeBonus } from './score.ts';

const weights = Float32Array.from([7, 6, 5, 4, 1]);
const ranks = (...list: number[]) => Uint32Array.from(list);

it('inScoreOrder orders ranks by their weight plus the highest bonus of their lists', () => {
  const order = inScoreOrder(weights, [
    { ranks: ranks(0, 1, 4), bonus: -1 },
    { ranks: ranks(2, 4), bonus: 3 },
    { ranks: ranks(1, 3), bonus: 0 },
  ]);
  // 8 for the third, 6 for the first and the second, 4 for the fourth and for the last.
  assert.deepEqual([...new Set(order)], [2, 1, 0, 4, 3]);
});

it('the bonus of a whole name is higher for a longer needle and for an own name', () => {
  const own = ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef'].map((form) => wholeBonus(form, true));
  assert.deepEqual(
    own,
    own.toSorted((a, b) => a - b),
  );
  for (const form of ['abc', 'abcd', 'abcde']) assert.ok(wholeBonus(form, true) > wholeBonus(form, false));
  assert.equal(wholeBonus('北京', true), wholeBonus('beijing', true));
});
