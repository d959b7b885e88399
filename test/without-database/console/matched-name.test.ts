import assert from 'node:assert/strict';
import { it } from 'node:test';
import { matchedName } from '../../../web/src/pages/matched-name.ts';

const OTHERS = ['BOM', 'Bombaim', 'Bombay', 'मुंबई', 'St. Mumbai'];

it('matchedName returns the alternate name that was typed, or else one that begins with the typed text', () => {
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

it('matchedName returns undefined if the own name matches or no name does', () => {
  for (const search of ['mum', 'umba', 'MUMBAI, in', 'delhi', '', ' ', ',']) {
    assert.equal(matchedName(search, 'Mumbai', OTHERS), undefined, search);
  }
});
