import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CityRecord, CountryRecord } from '../../src/features/geography/records.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { joinCities } from './join.ts';

const COLOMBIA: CountryRecord = {
  id: 1,
  name: 'Colombia',
  iso2: 'CO',
  iso3: 'COL',
  phoneCode: '57',
  currency: 'COP',
  flag: '🇨🇴',
  nativeName: 'Colombia',
  latitude: 0,
  longitude: 0,
};
const DEGREE = 1e7;

interface Spec {
  name: string;
  /** Degrees to the north of the equator. */
  north?: number | null;
  population?: number;
  others?: string[];
  countryCode?: string;
}

function place({ name, north = 0, population = 7, others = [], countryCode = 'CO' }: Spec, id: number): GeoNamesPlace {
  const own = {
    id,
    name,
    alternateNames: others,
    featureCode: 'PPL',
    countryCode,
    population,
    admin1: '',
    admin2: '',
    timezone: 'America/Bogota',
  };
  return { ...own, latitude: Math.round((north ?? 0) * DEGREE), longitude: 0 };
}

function city({ name, north = 0 }: Spec, id: number): CityRecord {
  const position =
    north === null ? { latitude: null, longitude: null } : { latitude: Math.round(north * DEGREE), longitude: 0 };
  return { id, stateId: 1, countryId: 1, name, ...position, timezone: 'America/Bogota', population: null };
}

/** The places that the cities are, by their numbers in the list; undefined: none. */
function joined(cities: Spec[], places: Spec[]): (number | undefined)[] {
  const own = cities.map(city);
  const found = joinCities([COLOMBIA], own, places.map(place));
  return own.map((one) => found.get(one)?.id);
}

it('a part of a city whose name begins with the name of the city is not joined to that city', () => {
  const parts = [{ name: 'Jakarta Pusat' }, { name: 'Jakarta Timur' }];
  assert.deepEqual(joined(parts, [{ name: 'Jakarta', population: 8_540_121 }]), [undefined, undefined]);
  assert.deepEqual(joined([{ name: 'Jakarta' }, ...parts], [{ name: 'Jakarta' }]), [0, undefined, undefined]);
  assert.deepEqual(joined([{ name: 'Bogotá D.C.' }, { name: 'Bogotol' }], [{ name: 'Bogotá' }]), [0, undefined]);
  assert.deepEqual(joined([{ name: 'Toyota Shi' }, { name: 'Toyota Shi', north: 9 }], [{ name: 'Toyota' }])[0], 0);
});

describe('a city is the GeoNames place', () => {
  for (const [what, name, places, expected] of [
    ['a GeoNames place of its name', 'Bogotá', [{ name: 'Bogota' }], 0],
    [
      'a GeoNames place with its name as an alternate name',
      'Bombay',
      [{ name: 'Mumbai', others: ['Bombaim', 'BOMBAY'] }],
      0,
    ],
    ['a GeoNames place whose name begins with its name', 'Bogotá', [{ name: 'Bogotá, D.C.' }], 0],
    ['a GeoNames place with the beginning of its name', 'Bogotá D.C.', [{ name: 'Bogotá' }], 0],
    ['no GeoNames place that has its name within a word', 'York', [{ name: 'Yorkton' }], undefined],
    ['no GeoNames place whose name ends with its name', 'York', [{ name: 'New York' }], undefined],
    [
      'no GeoNames place whose alternate name begins with its name',
      'York',
      [{ name: 'Eboracum', others: ['York Town'] }],
      undefined,
    ],
    [
      'the place of its exact name before a larger one of a shorter name',
      'Chicago Ridge',
      [
        { name: 'Chicago', population: 9 },
        { name: 'Chicago Ridge', population: 1 },
      ],
      1,
    ],
    [
      'the place of its exact name before a larger one with that alternate name',
      'York',
      [
        { name: 'Big', others: ['York'], population: 9 },
        { name: 'York', population: 1 },
      ],
      1,
    ],
    [
      'the place with its name as an alternate name before a larger one of a longer name',
      'York',
      [
        { name: 'York Town', population: 9 },
        { name: 'Eboracum', others: ['York'], population: 1 },
      ],
      1,
    ],
    [
      'the largest of several places of its name',
      'York',
      [
        { name: 'York', population: 1 },
        { name: 'York', population: 9, north: 0.2 },
        { name: 'York', population: 5 },
      ],
      1,
    ],
    ['a GeoNames place within 30 km', 'York', [{ name: 'York', north: 0.26 }], 0],
    ['no GeoNames place further away than 30 km', 'York', [{ name: 'York', north: 0.28 }], undefined],
    ['no GeoNames place in another country', 'York', [{ name: 'York', countryCode: 'GB' }], undefined],
    ['a GeoNames place of unknown population', 'York', [{ name: 'York', population: 0 }], 0],
    ['a GeoNames place of 15,000 people within 75 km', 'York', [{ name: 'York', north: 0.67, population: 15_000 }], 0],
    [
      'no GeoNames place of fewer people within 75 km',
      'York',
      [{ name: 'York', north: 0.67, population: 14_999 }],
      undefined,
    ],
    [
      'no GeoNames place of 15,000 people further away than 75 km',
      'York',
      [{ name: 'York', north: 0.68, population: 15_000 }],
      undefined,
    ],
    [
      'a GeoNames place of 100,000 people within 150 km',
      'York',
      [{ name: 'York', north: 1.34, population: 100_000 }],
      0,
    ],
    [
      'no GeoNames place further away than 150 km',
      'York',
      [{ name: 'York', north: 1.36, population: 9_000_000 }],
      undefined,
    ],
    [
      'no distant GeoNames place of a longer name',
      'York',
      [{ name: 'York Town', north: 0.5, population: 9_000_000 }],
      undefined,
    ],
  ] as const satisfies [string, string, Spec[], number | undefined][]) {
    it(`the city ${name} is joined to ${what}`, () => assert.deepEqual(joined([{ name }], [...places]), [expected]));
  }
});

describe('no place is two cities', () => {
  it('a GeoNames place is joined to the nearer of two cities with its name', () => {
    assert.deepEqual(
      joined(
        [
          { name: 'York', north: 0.1 },
          { name: 'York', north: 0.05 },
        ],
        [{ name: 'York' }],
      ),
      [undefined, 0],
    );
  });

  it('a second city of the same name is joined to the next GeoNames place', () => {
    const places = [
      { name: 'York', population: 9 },
      { name: 'York', population: 1, north: 0.2 },
    ];
    assert.deepEqual(joined([{ name: 'York' }, { name: 'York', north: 0.2 }], places), [0, 1]);
  });

  it('a district does not get the population of its city', () => {
    const cities = [{ name: 'Budapest I. kerület' }, { name: 'Budapest', north: 0.1 }];
    assert.deepEqual(joined(cities, [{ name: 'Budapest' }]), [undefined, 0]);
  });

  it('the nearer of two cities is joined to a distant large place of their name', () => {
    const places = [{ name: 'York', population: 200_000 }];
    assert.deepEqual(
      joined(
        [
          { name: 'York', north: 0.3 },
          { name: 'York', north: 0.2 },
        ],
        places,
      ),
      [undefined, 0],
    );
  });
});

describe('positions', () => {
  it('a city that is far from its GeoNames place gets the position of the place, and a near one keeps its own', () => {
    const cities = [
      { name: 'Dhaka', north: 0.5 },
      { name: 'Khulna', north: 0.2 },
    ].map(city);
    joinCities(
      [COLOMBIA],
      cities,
      [
        { name: 'Dhaka', population: 9_000_000 },
        { name: 'Khulna', population: 9_000_000 },
      ].map(place),
    );
    assert.deepEqual(
      cities.map(({ latitude }) => latitude),
      [0, 0.2 * DEGREE],
    );
  });

  it('a city without a position is joined to no GeoNames place', () => {
    assert.deepEqual(joined([{ name: 'Yulin', north: null }], [{ name: 'Yulin', population: 9_000_000 }]), [undefined]);
  });

  it('a city and a GeoNames place on both sides of the date line are near each other', () => {
    const own = { ...city({ name: 'Taveuni' }, 1), longitude: -179.9 * DEGREE };
    const there = { ...place({ name: 'Taveuni' }, 5), longitude: 179.9 * DEGREE };
    assert.equal(joinCities([COLOMBIA], [own], [there]).get(own)?.id, 5);
  });
});
