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
  indexNames(
    { own: CITIES.map(([name]) => name), others: CITIES.map(() => ''), countryCodes: CITIES.map(() => 'US') },
    Uint32Array.from(CITIES.keys()),
  ),
);
const typed = typedNameSearch(
  names,
  (area) => {
    if (!CITIES.some(([, state]) => state.startsWith(area))) return undefined;
    return { narrow: (rows) => rows.filter((row) => CITIES[row]?.[1].startsWith(area)) };
  },
  (one, other) => one - other,
  CITIES.length,
);
const whole = (text: string) => [...typed.whole(fold(text))];
const beginning = (text: string) => [...typed.beginning(fold(text))];

describe('a name with the area behind it', () => {
  it('finds it there, with a comma or without', () => {
    assert.deepEqual([whole('springfield, illinois'), whole('Springfield Missouri')], [[0], [1]]);
    assert.deepEqual([whole('san jose new jersey'), whole('san jose, new jersey')], [[3], [3]]);
    assert.deepEqual([whole('springfield，missouri'), whole('springfield , ill')], [[1], [0]]);
  });

  it('finds with a comma what begins so', () => {
    assert.deepEqual([beginning('spring, il'), beginning('spring il')], [[0, 2], []]);
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

  it('comes beside a name that is the whole text, in search order', () => {
    assert.deepEqual(whole('san jose new'), [3, 4]);
  });
});

it('a name that is found nowhere is tried in other spellings', () => {
  assert.deepEqual([...typed.respelled('luettich')], [5]);
  assert.deepEqual([...typed.respelled('spring field')], [0, 1, 2]);
  assert.deepEqual([...typed.respelled('xyz')], []);
});
