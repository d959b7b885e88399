import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildGeographyIndex } from './geography-index.ts';
import type { FoundLocations } from './location-list.ts';

function page(found: FoundLocations): { id: number; alternateNames: string[] }[] {
  return JSON.parse(found.page({ page: 1, limit: 100 }).toString()).data;
}

function ids(found: FoundLocations): number[] {
  return page(found).map(({ id }) => id);
}

describe('alternate names', () => {
  const [IN, JM, FR] = ['IN', 'JM', 'FR'].map((iso2, row) => ({
    id: row + 1,
    name: `Country ${row}`,
    iso2,
    iso3: `${iso2}X`,
  }));
  assert.ok(IN && JM && FR);
  const names = (kind: 'country' | 'state' | 'city', id: number, ...others: string[]) => ({
    kind,
    id,
    names: others.join('\t'),
  });
  const own = buildGeographyIndex({
    countries: [IN, JM, FR],
    states: [
      { id: 11, name: 'Tamil Nadu', countryId: 1, stateCode: 'TN' },
      { id: 12, name: 'Tennessee', countryId: 2, stateCode: 'XX' },
      { id: 13, name: 'Île-de-France', countryId: 3, stateCode: 'IDF' },
    ],
    cities: [
      { id: 1, name: 'Mumbai', stateId: 11, population: 9_000_000 },
      { id: 2, name: 'Bombay', stateId: 12, population: 10 },
      { id: 3, name: 'Paris', stateId: 13, population: 2_000_000 },
      { id: 4, name: 'Parma', stateId: 12, population: 3_000_000 },
      { id: 5, name: 'Shanghai', stateId: 12, population: 8_000_000 },
      { id: 6, name: 'San Diego', stateId: 12, population: 5 },
      { id: 7, name: 'Spart', stateId: 12, population: 7_000_000 },
      { id: 8, name: 'Perth', stateId: 12, population: 1_000_000 },
      { id: 9, name: 'St. Louis', stateId: 12 },
    ],
    alternateNames: [
      names('city', 1, 'Bombay', 'BOM', '孟买'),
      names('city', 3, 'PAR', 'Lutetia'),
      names('city', 5, 'Sangay'),
      names('city', 8, 'Parth'),
      names('country', 1, 'Bharat', 'भारत'),
      names('state', 11, 'Madras State'),
      names('city', 999, 'Of nobody'),
    ],
  });
  const cities = (search: string, more: object = {}) => ids(own.cities.find({ search, ...more }));
  const withAll = { alternateNames: true };

  test('a search by alternate names ranks by one score of match and population, with inner matches last', () => {
    // PAR is an alternate name of Paris; Parma begins with it, and so does one of Perth; Spart contains it.
    assert.deepEqual(cities('par', withAll), [3, 4, 8, 7]);
    // Shanghai, by another name, has a million times the people of San Diego.
    assert.deepEqual(cities('san', withAll), [5, 6]);
    assert.deepEqual(cities('bombay', withAll), [1, 2]);
    assert.deepEqual(cities('孟买', withAll), [1]);
  });

  test('a search of two letters does not match the beginnings of alternate names', () => {
    assert.deepEqual(cities('lu', withAll), []);
    assert.deepEqual(cities('lut', withAll), [3]);
    assert.deepEqual(cities('孟', withAll), []);
  });

  test('a search finds locations by alternate names only on request', () => {
    assert.deepEqual(cities('par'), [4, 3, 7]);
    for (const without of [{}, { alternateNames: false }]) {
      assert.deepEqual([cities('bombay', without), cities('lutetia', without)], [[2], []]);
    }
    assert.deepEqual(cities('lutetia', withAll), [3]);
  });

  test('a search by alternate names can be combined with filters and ids', () => {
    assert.deepEqual(cities('bombay', { ...withAll, countryId: 1 }), [1]);
    assert.deepEqual(cities('bombay', { countryId: 1 }), []);
    assert.deepEqual(cities('par', { ...withAll, countryId: 2 }), [4, 8, 7]);
    assert.deepEqual(cities('par', { ...withAll, ids: [8, 7, 3, 1] }), [3, 8, 7]);
    assert.deepEqual(cities('par', { ...withAll, ids: [8, 7, 3, 1], stateId: 12 }), [8, 7]);
    assert.deepEqual(cities('', { ...withAll, ids: [8, 3] }), [3, 8]);
  });

  test('a search by alternate names also finds states and countries, after a match of a whole code', () => {
    assert.deepEqual(ids(own.states.find({ search: 'madras', ...withAll })), [11]);
    assert.deepEqual(ids(own.states.find({ search: 'tamilnadu', ...withAll })), [11]);
    assert.deepEqual(ids(own.states.find({ search: 'tn' })), [11]);
    assert.deepEqual(ids(own.states.find({ search: 'ile de france', ...withAll })), [13]);
    assert.deepEqual(ids(own.countries.find({ search: 'भारत', ...withAll })), [1]);
    assert.deepEqual(ids(own.countries.find({ search: 'bhar', ...withAll })), [1]);
  });

  test('a list with include=alternateNames returns the alternate names as they are written', () => {
    assert.deepEqual(
      page(own.cities.find({ ids: [1, 2], include: ['alternateNames'] })).map((city) => city.alternateNames),
      [[], ['Bombay', 'BOM', '孟买']],
    );
    assert.deepEqual(page(own.states.find({ search: 'tamil', include: ['alternateNames'] }))[0]?.alternateNames, [
      'Madras State',
    ]);
    assert.deepEqual(page(own.countries.find({ search: 'in', include: ['alternateNames'] }))[0]?.alternateNames, [
      'Bharat',
      'भारत',
    ]);
  });
});
