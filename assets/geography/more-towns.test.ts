import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CityRecord, CountryRecord } from '../../src/features/geography/records.ts';
import { findMoreTowns, readAirportTowns, type Town } from './more-towns.ts';

const at = { latitude: 40e7, longitude: -80e7 };
const countries = [{ id: 233, iso2: 'US' }] as CountryRecord[];
const states = [
  { id: 1, countryId: 233, name: 'Ohio', stateCode: 'OH', type: null, parentId: null },
  { id: 2, countryId: 233, name: 'Kansas', stateCode: 'KS', type: null, parentId: null },
];
const city = (id: number, name: string, stateId: number): CityRecord => ({
  ...{ id, name, stateId, countryId: 233, ...at, timezone: 'America/New_York', population: 5 },
});
const cities = [city(1, 'St. Paris', 1), city(2, 'McLean', 1), city(3, 'Dodge', 2)];
const town = (code: number, name: string, stateCode = 'OH'): Town => ({
  ...{ id: 300_000_000 + code, name, countryCode: 'US', stateCode, ...at },
});
const find = (towns: readonly Town[], zone?: string) =>
  findMoreTowns(
    towns,
    { countries, states, cities },
    ({ name }) => [name],
    () => zone,
  );

it('a post town that is a city of its state in another spelling is not added', () => {
  assert.deepEqual(find([town(1, 'Saint Paris'), town(2, 'Mc Lean'), town(3, 'McLean Township')]), []);
});

it('a post town with several postal codes is added once, by the lowest, with the zone near it', () => {
  const [first, ...more] = find([town(44001, 'Amherst'), town(44002, 'Amherst')], 'America/Chicago');
  assert.deepEqual([first?.id, first?.stateId, first?.timezone, more], [300_044_001, 1, 'America/Chicago', []]);
});

it('a town of the name of a city in another state is added, and one of a state that is none is not', () => {
  assert.deepEqual(
    find([town(5, 'Dodge'), town(6, 'APO', 'AE')]).map(({ name, timezone }) => [name, timezone]),
    [['Dodge', 'America/New_York']],
  );
});

it('every town of an airport has another id', () => {
  const ids = readAirportTowns().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 150 && ids.every((id) => id > 310_000_000));
});
