import assert from 'node:assert/strict';
import test from 'node:test';
import { fold } from '../../lib/text-folding.ts';
import { foldNeedle } from './needle.ts';

test('a search text is folded, unless it is longer then than what it is looked for in', () => {
  const pieces = [
    'San',
    ' ',
    '   ',
    'é',
    'İ',
    'ß',
    '\u0301',
    '\u{1d165}',
    '😀',
    '\ufdfa',
    'क',
    'ａ',
    '\u3000',
    'x'.repeat(63),
  ];
  let state = 1;
  for (let round = 0; round < 3000; round++) {
    let text = '';
    for (let count = 0; count < round % 90; count++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      text += pieces[(state >>> 16) % pieces.length];
    }
    const folded = fold(text);
    for (const longest of [0, folded.length - 1, folded.length, folded.length + 1, 59]) {
      assert.equal(foldNeedle(text, longest), folded.length <= longest ? folded : undefined, JSON.stringify(text));
    }
  }
});

test('marks alone are a blank search, however many', () => {
  assert.equal(foldNeedle('\u0301'.repeat(1000), 59), '');
  assert.equal(foldNeedle('\u{1d165}'.repeat(1000), 59), '');
});
