import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GeographyRecords } from '../../src/features/geography/load/records.ts';
import { readPackages } from './packages.ts';
import { type GeoNamesPlace, joinPopulations, readGeoNames } from './populations.ts';

function place(
  name: string,
  population: number,
  [longitude, latitude]: [number, number],
  country = 'CO',
): GeoNamesPlace {
  const loc = { type: 'Point', coordinates: [longitude, latitude] } as const;
  return {
    cityId: 0,
    name,
    altName: '',
    country,
    adminCode: '',
    featureCode: 'PPL',
    population,
    loc: { ...loc, coordinates: [longitude, latitude] },
  };
}

/** The population that a city at 0° 0° in Colombia gets. */
function populationOf(name: string, places: GeoNamesPlace[]): number | null | undefined {
  const country = {
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
  const city = {
    id: 1,
    stateId: 1,
    countryId: 1,
    name,
    latitude: 0,
    longitude: 0,
    timezone: 'America/Bogota',
    population: null,
  };
  const records: GeographyRecords = { countries: [country], states: [], cities: [city] };
  joinPopulations(records, places);
  return records.cities[0]?.population;
}

describe('a city has the population of the GeoNames place', () => {
  for (const [what, name, places, expected] of [
    ['of its name', 'Bogotá', [place('Bogota', 7, [0.1, 0.1])], 7],
    ['whose name it begins with', 'Bogotá D.C.', [place('Bogotá', 7, [0, 0])], 7],
    ['that begins with its name', 'Bogotá', [place('Bogotá, D.C.', 7, [0, 0])], 7],
    ['but not in the middle of a word', 'York', [place('Yorkton', 7, [0, 0])], null],
    ['and not at the end of a name', 'York', [place('New York', 7, [0, 0])], null],
    ['the largest of several', 'York', [place('York', 7, [0, 0]), place('York Town', 8, [0, 0])], 8],
    ['within 30 km', 'York', [place('York', 7, [0, 0.26])], 7],
    ['not further away', 'York', [place('York', 7, [0, 0.28])], null],
    ['in the same country', 'York', [place('York', 7, [0, 0], 'GB')], null],
    ['of no known number', 'York', [place('York', 0, [0, 0])], 0],
    ['that is large, without a city near it', 'York', [place('York', 500_001, [0, 1.3])], 500_001],
    ['but not a third of the country away', 'York', [place('York', 500_001, [0, 1.4])], null],
  ] as const) {
    it(`${what}: ${name}`, () => assert.equal(populationOf(name, [...places]), expected));
  }
});

describe('the cities of the packages', () => {
  const records = readPackages();
  for (const city of records.cities) city.population = null;
  const places = readGeoNames();
  const taken = joinPopulations(records, places);

  it('at least 122,000 of them have a population', () => {
    assert.ok(records.cities.filter(({ population }) => population !== null).length >= 122_000);
  });

  it('of the 809 places above 500,000 people at most 40 are left out', () => {
    const large = places.filter(({ population }) => population > 500_000);
    assert.equal(large.length, 809);
    assert.ok(large.filter((one) => !taken.has(one)).length <= 40);
  });
});
