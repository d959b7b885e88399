import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildNgramIndex, openNgramIndex, TEXT_SEPARATOR } from './ngram-index.ts';
import { filterTo } from './number-lists.ts';

/** Returns a pseudo-random number generator with reproducible results. */
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

test('the n-gram index finds exactly the texts with a needle, those that begin with it first', () => {
  const random = numbers(1);
  const texts = Array.from({ length: 300 }, () => randomText(random, 12));
  const all = Uint32Array.from(texts.keys());
  const index = openNgramIndex(buildNgramIndex(texts));
  for (let round = 0; round < 3000; round++) {
    const needle = randomText(random, 6, LETTERS.slice(0, -1));
    if (needle === '') continue;
    const hits = [...all].filter((rank) => texts[rank]?.includes(needle));
    const [prefix, inside] = [true, false].map((is) => hits.filter((rank) => texts[rank]?.startsWith(needle) === is));
    const expected = [...(prefix ?? []), ...(inside ?? [])];
    const { ranks, prefixCount } = index.find(needle);
    assert.deepEqual([...ranks], expected, JSON.stringify(needle));
    assert.equal(prefixCount, prefix?.length);
    assert.equal(index.isReady(needle), needle.length <= 3);

    // A filter of many texts, of few, and of none.
    const left = all.filter((rank) => rank % ([2, 50, 1000][round % 3] ?? 2) === 1);
    const filtered = index.find(needle, filterTo(left));
    assert.deepEqual(
      [...filtered.ranks],
      expected.filter((rank) => left.includes(rank)),
      JSON.stringify(needle),
    );
    assert.equal(filtered.prefixCount, prefix?.filter((rank) => left.includes(rank)).length);
  }
});

test('a needle of the n-gram index does not match across two texts or across two parts of a text', () => {
  const index = openNgramIndex(buildNgramIndex([`ab${TEXT_SEPARATOR}cd`, 'ef']));
  for (const needle of ['bc', 'abc', 'abcd', 'de', 'cdef', 'fe']) assert.deepEqual([...index.find(needle).ranks], []);
  const { ranks, prefixCount } = index.find('cd');
  assert.deepEqual([[...ranks], prefixCount], [[0], 0]);
});

test('an n-gram index without texts finds nothing', () => {
  const index = openNgramIndex(buildNgramIndex([]));
  for (const needle of ['a', 'abcd']) assert.deepEqual([...index.find(needle).ranks], []);
});
