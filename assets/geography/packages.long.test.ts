import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeographySource } from '../../src/features/geography/load/source.ts';
import { readPackages } from './packages.ts';

const records = readPackages();
const { countries, states, cities } = records;

test('what is packed for the program is what the packages say', () => {
  assert.deepEqual(readGeographySource(), records);
});

test('the package has all countries, states and cities, each id once', () => {
  assert.deepEqual([countries.length, states.length, cities.length], [250, 5308, 152_970]);
  for (const list of [countries, states, cities]) {
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
    assert.ok(list.every(({ id }, row) => row === 0 || id > (list[row - 1]?.id ?? 0)));
  }
});

test('names are trimmed, in NFC and without control characters', () => {
  for (const { name } of [...countries, ...states, ...cities]) {
    assert.equal(name, name.trim().normalize('NFC'));
    assert.match(name, /^\P{Cc}+$/u);
  }
  assert.equal(states.find(({ id }) => id === 5242)?.name, 'Trashi Yangtse');
  assert.equal(cities.find(({ id }) => id === 157_152)?.name, 'Feixi');
});

test('state codes keep their zeros', () => {
  assert.equal(states.find(({ id }) => id === 4967)?.stateCode, '01');
});

test('every city is in a state of its own country', () => {
  const countryOfState = new Map(states.map(({ id, countryId }) => [id, countryId]));
  const countryIds = new Set(countries.map(({ id }) => id));
  for (const { stateId, countryId } of cities) assert.equal(countryOfState.get(stateId), countryId);
  for (const { countryId } of states) assert.ok(countryIds.has(countryId));
});
