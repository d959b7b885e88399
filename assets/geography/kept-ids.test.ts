import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CityRecord, GeographyRecords } from '../../src/features/geography/records.ts';
import { applyKeptIds, compareGeographies, FIRST_FRESH_ID, findFormer, findKeptIds } from './kept-ids.ts';
import type { PackageContent } from './read-package.ts';

const city = (id: number, name: string, longitude: number, stateId = 1): CityRecord => ({
  ...{ id, name, stateId, countryId: 7, latitude: 10e7, longitude: longitude * 1e7, timezone: 'UTC', population: null },
});
const state = (id: number, stateCode: string) => ({
  ...{ id, countryId: 7, name: `State ${stateCode}`, stateCode, type: null, parentId: null },
});
type Places = Pick<GeographyRecords, 'states' | 'cities' | 'doubles' | 'alternateNames'>;
const placesOf = (cities: CityRecord[], states = [state(1, 'A')]): Places => ({
  ...{ states, cities, doubles: {}, alternateNames: [] },
});
const contentOf = ({ states, cities }: Places) =>
  structuredClone({
    states: states.map((each) => ({ ...each, latitude: null, longitude: null })),
    cities,
  }) as unknown as PackageContent;

it('renumbered states and cities of a newer edition keep the ids they had', () => {
  const before = placesOf([city(10, 'Alba', 20), city(11, 'Bree', 30)]);
  const content = contentOf(placesOf([city(500, 'Alba', 20.1, 9), city(11, 'Bree', 30, 9)], [state(9, 'A')]));
  const kept = findKeptIds(before, content);
  assert.deepEqual(kept, { states: { 9: 1 }, cities: { 500: 10 } });
  applyKeptIds(content, { ...kept, former: {} });
  assert.deepEqual(
    content.cities.map(({ id, stateId, name }) => [id, stateId, name]),
    [
      [10, 1, 'Alba'],
      [11, 1, 'Bree'],
    ],
  );
});

it('a city with the id that was of another city gets a new id, and a renamed one near by keeps its id', () => {
  const before = placesOf([city(10, 'Alba', 20), city(11, 'Bree', 30)]);
  const content = contentOf(placesOf([city(10, 'Coria', 60), city(11, 'Breehaven', 30.1)]));
  assert.deepEqual(findKeptIds(before, content).cities, { 10: FIRST_FRESH_ID + 10 });
});

it('the id of a dropped city stands for the city of its name near by, else for the nearest of its state', () => {
  const before = { ...placesOf([city(10, 'Alba', 20), city(11, 'Bree', 30)]), doubles: { 12: [11, 'Brie'] } } as Places;
  const after = placesOf([city(13, 'Alba', 20.2), city(14, 'Coria', 31)]);
  assert.deepEqual(findFormer(before, after), { 10: [13, 'Alba'], 11: [14, 'Bree'], 12: [14, 'Brie'] });
});

it('the comparison lists what is added, dropped, renamed and moved', () => {
  const before = placesOf([city(10, 'Alba', 20), city(11, 'Bree', 30), city(12, 'Coria', 40)]);
  const after = placesOf([city(10, 'Alba', 21), city(11, 'Breehaven', 30), city(13, 'Dorne', 50)]);
  const changes = Object.entries(compareGeographies(before, after)).filter(([, found]) => found.length > 0);
  assert.deepEqual(Object.fromEntries(changes), {
    'cities added': ['Dorne (13)'],
    'cities dropped': ['Coria (12)'],
    'cities renamed': ['Bree (11): Breehaven'],
    'cities moved': ['Alba (10), 110 km'],
  });
});
