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
  it('a search for a city and its state finds the whole name in that state, with or without a comma', () => {
    assert.deepEqual([whole('springfield, illinois'), whole('san jose, new jersey')], [[0], [3]]);
    assert.deepEqual([whole('springfield，missouri'), whole('springfield , ill')], [[1], [0]]);
    assert.deepEqual([whole('Springfield Missouri'), whole('san jose new jersey')], [[1], [3]]);
  });

  it('a search for the beginning of a city and its state finds cities only if a comma is between', () => {
    assert.deepEqual([beginning('spring, il'), beginning('spring il'), whole('spring il')], [[0, 2], [], []]);
  });

  it('a search for a city, its state and a postal code finds the city', () => {
    assert.deepEqual([whole('Springfield, Illinois 62701'), whole('springfield missouri 65801-1234')], [[0], [1]]);
  });

  it('a search for a city in another state finds nothing, and a state of one letter is ignored', () => {
    assert.deepEqual([whole('springfield, new jersey'), whole('springfield, nowhere')], [[], []]);
    assert.deepEqual([whole('springfield,'), whole('springfield, m'), whole('springfield m')], [[0, 1], [0, 1], []]);
  });

  it('a search for a city and its state is separate from names that begin with the whole text', () => {
    assert.deepEqual([whole('san jose new'), beginning('san jose new')], [[3], [4]]);
  });
});

it('a search for a name without a match tries other spellings', () => {
  assert.deepEqual([...typed.respelled('luettich')], [5]);
  assert.deepEqual([...typed.respelled('spring field')], [0, 1, 2]);
  const official = typedNameSearch(names, inState, true);
  for (const [name, found] of [
    ['county springfield park', [2]],
    ['springfield park (republic of)', [2]],
    ['springfield park city', [2]],
  ] as const) {
    assert.deepEqual([...official.respelled(name)], found);
    assert.deepEqual([...typed.respelled(name)], name.endsWith('city') ? found : []);
  }
  assert.deepEqual([...typed.respelled('xyz')], []);
});
