import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from '../../../lib/text-folding.ts';
import { indexNames } from './build.ts';
import { openNameSearch } from './search.ts';
import { typedNameSearch } from './typed-names.ts';

const CITIES = [
  ['Springfield', 'illinois'],
  ['Springfield', 'missouri'],
  ['Springfield Park', 'illinois'],
  ['San Jose', 'new jersey'],
  ['San Jose New', 'missouri'],
  ['Lüttich', 'liege'],
] as const;

const names = openNameSearch(
  indexNames({ own: CITIES.map(([name]) => name), others: CITIES.map(() => ''), countryCodes: CITIES.map(() => 'US') }),
);
const typed = typedNameSearch(names, (area) => {
  if (!CITIES.some(([, state]) => state.startsWith(area))) return undefined;
  return { narrow: (rows) => rows.filter((row) => CITIES[row]?.[1].startsWith(area)) };
});
const whole = (text: string) => [...typed.whole(fold(text))];
const beginning = (text: string) => [...typed.beginning(fold(text))];

describe('a name with the area behind it', () => {
  it('finds it there, with a comma as the whole name', () => {
    assert.deepEqual([whole('springfield, illinois'), whole('san jose, new jersey')], [[0], [3]]);
    assert.deepEqual([whole('springfield，missouri'), whole('springfield , ill')], [[1], [0]]);
  });

  it('finds with a comma what begins so, and without one the whole name alone', () => {
    assert.deepEqual([beginning('spring, il'), beginning('spring il')], [[0, 2], []]);
    assert.deepEqual([beginning('Springfield Missouri'), beginning('san jose new jersey')], [[1], [3]]);
    assert.deepEqual([whole('springfield missouri'), beginning('springfield m')], [[], []]);
  });

  it('finds nothing in another area, and takes no notice of a single letter', () => {
    assert.deepEqual([whole('springfield, new jersey'), whole('springfield, nowhere')], [[], []]);
    assert.deepEqual(
      [whole('springfield,'), whole('springfield, m')],
      [
        [0, 1],
        [0, 1],
      ],
    );
  });

  it('comes beside names that begin with the whole text, in search order', () => {
    assert.deepEqual(beginning('san jose new'), [3, 4]);
  });
});

it('a name that is found nowhere is tried in other spellings', () => {
  assert.deepEqual([...typed.respelled('luettich')], [5]);
  assert.deepEqual([...typed.respelled('spring field')], [0, 1, 2]);
  assert.deepEqual([...typed.respelled('xyz')], []);
});
