import assert from 'node:assert/strict';
import { it } from 'node:test';
import { matchedName } from '../../../web/src/pages/matched-name.ts';

const OTHERS = ['BOM', 'Bombaim', 'Bombay', 'मुंबई', 'St. Mumbai'];

it('the name that a search has found a place by is the one that was typed, else one that begins so', () => {
  for (const [search, matched] of [
    ['bombay', 'Bombay'],
    ['BOMBAY, India', 'Bombay'],
    ['bom', 'BOM'],
    ['bomba', 'Bombaim'],
    ['मुंबई', 'मुंबई'],
    ['st mumbai', 'St. Mumbai'],
  ] as const) {
    assert.equal(matchedName(search, 'Mumbai', OTHERS), matched, search);
  }
});

it('no matched name is returned if the own name matches, or if none is known', () => {
  for (const search of ['mum', 'umba', 'MUMBAI, in', 'delhi', '', ' ', ',']) {
    assert.equal(matchedName(search, 'Mumbai', OTHERS), undefined, search);
  }
});
