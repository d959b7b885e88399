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
const inState = (rows: Uint32Array, area: string) => rows.filter((row) => CITIES[row]?.[1].startsWith(area));
const typed = typedNameSearch(names, inState, false);
const whole = (text: string) => [...typed.wholeInArea(fold(text))];
const beginning = (text: string) => [...typed.beginning(fold(text))];

describe('a name with the area behind it', () => {
  it('finds the whole name there, with a comma and without', () => {
    assert.deepEqual([whole('springfield, illinois'), whole('san jose, new jersey')], [[0], [3]]);
    assert.deepEqual([whole('springfield，missouri'), whole('springfield , ill')], [[1], [0]]);
    assert.deepEqual([whole('Springfield Missouri'), whole('san jose new jersey')], [[1], [3]]);
  });

  it('finds what begins so, with a comma alone', () => {
    assert.deepEqual([beginning('spring, il'), beginning('spring il'), whole('spring il')], [[0, 2], [], []]);
  });

  it('finds it with a postal code after the area', () => {
    assert.deepEqual([whole('Springfield, Illinois 62701'), whole('springfield missouri 65801-1234')], [[0], [1]]);
  });

  it('finds nothing in another area, and ignores an area of one letter', () => {
    assert.deepEqual([whole('springfield, new jersey'), whole('springfield, nowhere')], [[], []]);
    assert.deepEqual([whole('springfield,'), whole('springfield, m'), whole('springfield m')], [[0, 1], [0, 1], []]);
  });

  it('is found apart from names that begin with the whole text', () => {
    assert.deepEqual([whole('san jose new'), beginning('san jose new')], [[3], [4]]);
  });
});

it('a name that is found nowhere is tried in other spellings', () => {
  assert.deepEqual([...typed.respelled('luettich')], [5]);
  assert.deepEqual([...typed.respelled('spring field')], [0, 1, 2]);
  const official = typedNameSearch(names, inState, true);
  for (const [name, found] of [
    ['county springfield park', [2]],
    ['springfield park (republic of)', [2]],
    ['springfield park city', [2]],
  ] as const) {
    assert.deepEqual([...official.respelled(name)], found);
    assert.deepEqual([...typed.respelled(name)], []);
  }
  assert.deepEqual([...typed.respelled('xyz')], []);
});
