import assert from 'node:assert/strict';
import test from 'node:test';
import { buildNameSearch, TEXT_SEPARATOR } from './name-search.ts';

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const LETTERS = ['a', 'b', 'c', ' ', 'я', '😀', '\uffff', TEXT_SEPARATOR];

function randomText(random: (below: number) => number, longest: number, letters = LETTERS): string {
  return Array.from({ length: random(longest + 1) }, () => letters[random(letters.length)]).join('');
}

test('a needle of any length is found in exactly the rows that contain it', () => {
  const random = numbers(1);
  const texts = Array.from({ length: 300 }, () => randomText(random, 12));
  const search = buildNameSearch(texts);
  for (let round = 0; round < 3000; round++) {
    const needle = randomText(random, 6, LETTERS.slice(0, -1));
    if (needle === '') continue;
    const expected = [...texts.keys()].filter((row) => texts[row]?.includes(needle));
    const candidates = [...search.candidates(needle)];
    assert.deepEqual(
      candidates.filter((row) => search.contains(row, needle)),
      expected,
      JSON.stringify(needle),
    );
    if (search.isExact(needle)) assert.deepEqual(candidates, expected, JSON.stringify(needle));
  }
});

test('a needle does not reach from one text of a row into the next, nor from one row into the next', () => {
  const search = buildNameSearch([`ab${TEXT_SEPARATOR}cd`, 'ef']);
  for (const needle of ['bc', 'abc', 'abcd', 'de', 'cdef', 'fe']) assert.deepEqual([...search.candidates(needle)], []);
  assert.equal(search.contains(0, 'abcd'), false);
  assert.equal(search.contains(0, 'cdef'), false);
  assert.deepEqual([...search.candidates('cd')], [0]);
});

test('no texts at all are a search that finds nothing', () => {
  assert.deepEqual([...buildNameSearch([]).candidates('a')], []);
});
