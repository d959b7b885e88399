import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_SEPARATOR } from './postings.ts';
import { FIRST, indexNames, NOWHERE, openNameSearch } from './search.ts';

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

/** What each row is to answer: where the needle stands in its text. */
function expectedPlace(text: string, needle: string): number {
  const at = text.indexOf(needle);
  return at === -1 ? NOWHERE : at === 0 ? FIRST : FIRST + 1;
}

test('a needle of any length is found in exactly the rows that contain it, in their order, at its beginning or further on', () => {
  const random = numbers(1);
  const texts = Array.from({ length: 300 }, () => randomText(random, 12));
  const order = Uint32Array.from(texts.keys()).sort((one, other) => ((one * 7919) % 307) - ((other * 7919) % 307));
  const search = openNameSearch(indexNames(texts, order));
  for (let round = 0; round < 3000; round++) {
    const needle = randomText(random, 6, LETTERS.slice(0, -1));
    if (needle === '') continue;
    const hits = [...order].filter((row) => texts[row]?.includes(needle));
    const found = [...search.candidates(needle)];
    assert.deepEqual(
      found,
      found.toSorted((one, other) => search.compare(one, other)),
    );
    assert.deepEqual(
      found.filter((row) => search.placeIn(row, needle) !== NOWHERE),
      hits,
      JSON.stringify(needle),
    );
    const places = new Map(hits.map((row) => [row, expectedPlace(texts[row] ?? '', needle)]));
    for (const [row, place] of places) assert.equal(search.placeIn(row, needle), place);
    const exact = search.exact(needle);
    assert.equal(exact !== undefined, needle.length <= 3);
    if (exact === undefined) continue;
    const ruled = hits.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
    assert.deepEqual([...exact], ruled, JSON.stringify(needle));
  }
});

test('a needle does not reach from one text of a row into the next, nor from one row into the next', () => {
  const search = openNameSearch(indexNames([`ab${TEXT_SEPARATOR}cd`, 'ef']));
  for (const needle of ['bc', 'abc', 'abcd', 'de', 'cdef', 'fe']) assert.deepEqual([...search.candidates(needle)], []);
  assert.equal(search.placeIn(0, 'abcd'), NOWHERE);
  assert.equal(search.placeIn(0, 'cdef'), NOWHERE);
  assert.deepEqual([...(search.exact('cd') ?? [])], [0]);
  assert.equal(search.placeIn(0, 'cd'), FIRST + 1);
});

test('no texts at all are a search that finds nothing', () => {
  const search = openNameSearch(indexNames([]));
  assert.deepEqual([[...search.candidates('a')], [...search.candidates('abcd')]], [[], []]);
});
