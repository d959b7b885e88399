import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CityRecord, CountryRecord } from '../../src/features/geography/records.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { findMissing } from './missing.ts';
import type { LocatedState } from './read-package.ts';

const texts = { phoneCode: '1', currency: 'XXX', flag: '🏳', nativeName: 'Own' };
const macau: CountryRecord = {
  id: 128,
  name: 'Macau S.A.R.',
  iso2: 'MO',
  iso3: 'MAC',
  ...texts,
  latitude: 0,
  longitude: 0,
};
const states: LocatedState[] = [
  { id: 1, countryId: 128, name: 'North', stateCode: 'N', type: null, parentId: null, latitude: 5e7, longitude: 0 },
  { id: 2, countryId: 128, name: 'South', stateCode: 'S', type: null, parentId: null, latitude: -5e7, longitude: 0 },
];
const near: CityRecord = {
  id: 9,
  stateId: 2,
  countryId: 128,
  name: 'Near',
  latitude: 4e7,
  longitude: 0,
  timezone: 'Asia/Macau',
  population: 1,
};

function place(id: number, more: Partial<GeoNamesPlace> = {}): GeoNamesPlace {
  const own = {
    id,
    name: `Place ${id}`,
    alternateNames: [],
    featureCode: 'PPL',
    countryCode: 'MO',
    admin1: '',
    admin2: '',
    population: 15_000,
  };
  return { ...own, latitude: 4e7, longitude: 0, timezone: 'Asia/Macau', ...more };
}

function added(
  places: GeoNamesPlace[],
  geography: { states?: LocatedState[]; cities?: CityRecord[] } = {},
  joined: GeoNamesPlace[] = [],
  stateOfPlace?: (place: GeoNamesPlace) => number,
) {
  const missing = findMissing(
    { countries: [macau], states: geography.states ?? states, cities: geography.cities ?? [near] },
    places,
    new Set(joined),
    stateOfPlace,
  );
  return { states: missing.states, cities: [...missing.cities.keys()] };
}

describe('missing places of a geography', () => {
  it('a missing place of 15,000 people is added with a new id to the state of the nearest city', () => {
    const { cities } = added([place(1821274, { name: 'Macau', population: 649_335 })]);
    assert.deepEqual(cities, [
      {
        id: 101_821_274,
        stateId: 2,
        countryId: 128,
        name: 'Macau',
        latitude: 4e7,
        longitude: 0,
        timezone: 'Asia/Macau',
        population: 649_335,
      },
    ]);
  });

  it('smaller places, parts of cities, places of other countries and existing cities are not added', () => {
    const joined = place(4);
    assert.deepEqual(
      added(
        [place(1, { population: 14_999 }), place(2, { featureCode: 'PPLX' }), place(3, { countryCode: 'HK' }), joined],
        {},
        [joined],
      ).cities,
      [],
    );
  });

  it('a missing place in a country without cities is added to the nearest state', () => {
    assert.equal(added([place(1)], { cities: [] }).cities[0]?.stateId, 1);
    const nowhere = states.map((state) => ({ ...state, latitude: null, longitude: null }));
    assert.equal(added([place(1)], { states: nowhere, cities: [] }).cities[0]?.stateId, 1);
  });

  it("a country without states gets a state with the country's name", () => {
    const { states: own, cities } = added([place(1)], { states: [], cities: [] });
    assert.deepEqual(own, [
      {
        id: 200_000_128,
        countryId: 128,
        name: 'Macau S.A.R.',
        stateCode: 'MO',
        type: null,
        parentId: null,
        latitude: 0,
        longitude: 0,
      },
    ]);
    assert.deepEqual(
      cities.map(({ stateId }) => stateId),
      [200_000_128],
    );
  });

  it('a missing capital is added, whatever its size', () => {
    const capital = place(1, { featureCode: 'PPLC', population: 500 });
    const village = place(2, { population: 500 });
    assert.deepEqual(
      added([capital, village], { cities: [] }).cities.map(({ id }) => id),
      [100_000_001],
    );
    assert.deepEqual(
      added([capital, village], { states: [], cities: [] }).states.map(({ id }) => id),
      [200_000_128],
    );
    assert.deepEqual(added([{ ...capital, name: near.name }]).cities, []);
    assert.deepEqual(added([village], { states: [], cities: [] }), { states: [], cities: [] });
  });

  it('the largest place of a state without cities is added to that state', () => {
    const places = [place(1, { population: 300 }), place(2, { population: 900 }), place(3, { population: 16_000 })];
    const stateOfPlace = ({ id }: GeoNamesPlace) => (id === 3 ? 2 : 1);
    assert.deepEqual(
      added(places, {}, [], stateOfPlace).cities.map(({ id, stateId }) => [id, stateId]),
      [
        [100_000_003, 2],
        [100_000_002, 1],
      ],
    );
  });
});
