import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGeographyIndex } from './geography-index.ts';
import type { FoundLocations } from './location-list.ts';
import type { GeographyRows } from './records.ts';

const geography: GeographyRows = {
  countries: [
    { id: 225, name: 'Turkey', iso2: 'TR', iso3: 'TUR' },
    { id: 48, name: 'Colombia', iso2: 'CO', iso3: 'COL' },
    { id: 101, name: 'India', iso2: 'IN', iso3: 'IND' },
    { id: 2, name: 'Aland Islands', iso2: 'AX', iso3: 'ALA' },
  ],
  states: [
    { id: 2170, name: 'İstanbul', countryId: 225, stateCode: '34' },
    { id: 2171, name: 'Isparta', countryId: 225, stateCode: '32' },
    { id: 2896, name: 'Cundinamarca', countryId: 48, stateCode: 'CUN' },
    { id: 4021, name: 'Delhi', countryId: 101, stateCode: 'DL' },
  ],
  cities: [
    { id: 9, name: 'Bogotá', stateId: 2896 },
    { id: 8, name: 'BOGOTA', stateId: 2896 },
    { id: 7, name: 'Şile', stateId: 2170 },
    { id: 6, name: 'Isparta', stateId: 2171 },
    { id: 5, name: 'Kadıköy', stateId: 2170 },
    { id: 4, name: '100%_\\ "sure"', stateId: 4021 },
    { id: 3, name: 'New Delhi', stateId: 4021 },
  ],
};
const index = buildGeographyIndex(geography);

function ids(found: FoundLocations): number[] {
  const { data, pagination } = JSON.parse(found.page({ page: 1, limit: 100 }).toString());
  assert.equal(pagination.totalItems, found.totalItems);
  const all = JSON.parse(Buffer.concat([...found.pieces()]).toString());
  assert.deepEqual(all, { success: true, message: all.message, data });
  return data.map((item: { id: number }) => item.id);
}

test('list items have exactly the JSON of the specification, in list order', () => {
  assert.equal(
    index.cities.find({ search: 'bogota' }).page({ page: 1, limit: 1 }).toString(),
    '{"success":true,"message":"Cities retrieved successfully","data":[' +
      '{"id":8,"name":"BOGOTA","stateId":2896,"countryId":48,' +
      '"state":{"id":2896,"name":"Cundinamarca","stateCode":"CUN"},' +
      '"country":{"id":48,"name":"Colombia","iso2":"CO","iso3":"COL"}}' +
      '],"pagination":{"totalItems":2,"currentPage":1,"totalPages":2,"pageSize":1,"hasNextPage":true,"hasPreviousPage":false}}',
  );
  assert.equal(
    index.states.find({ search: 'dl' }).page({ page: 1, limit: 10 }).toString(),
    '{"success":true,"message":"States retrieved successfully","data":[' +
      '{"id":4021,"name":"Delhi","stateCode":"DL","countryId":101,' +
      '"country":{"id":101,"name":"India","iso2":"IN","iso3":"IND"},"_count":{"cities":2}}' +
      '],"pagination":{"totalItems":1,"currentPage":1,"totalPages":1,"pageSize":10,"hasNextPage":false,"hasPreviousPage":false}}',
  );
  assert.equal(
    index.countries.all.toString(),
    '{"success":true,"message":"Countries retrieved successfully","data":[' +
      '{"id":2,"name":"Aland Islands","iso2":"AX","iso3":"ALA","_count":{"states":0,"cities":0}},' +
      '{"id":48,"name":"Colombia","iso2":"CO","iso3":"COL","_count":{"states":1,"cities":2}},' +
      '{"id":101,"name":"India","iso2":"IN","iso3":"IND","_count":{"states":1,"cities":2}},' +
      '{"id":225,"name":"Turkey","iso2":"TR","iso3":"TUR","_count":{"states":2,"cities":3}}]}',
  );
});

test('list items are ordered by folded name, then by id', () => {
  assert.deepEqual(ids(index.cities.find({})), [4, 8, 9, 6, 5, 3, 7]);
});

test('a geography search ignores case, accents and the dots of İ and ı', () => {
  for (const search of ['istanbul', 'ISTANBUL', 'İSTANBUL', 'ıstanbul', ' İstan ']) {
    assert.deepEqual(ids(index.states.find({ search })), [2170], search);
  }
  assert.deepEqual(ids(index.cities.find({ search: 'BOGOTÁ' })), [8, 9]);
  assert.deepEqual(ids(index.cities.find({ search: 'KADIKÖY' })), [5]);
  assert.deepEqual(ids(index.cities.find({ search: 'new   delhi' })), [3]);
});

test('a geography search treats characters with a meaning in SQL as ordinary ones', () => {
  for (const search of ['%', '_', '\\', '%_\\ "']) assert.deepEqual(ids(index.cities.find({ search })), [4], search);
});

test('a geography search for blanks or combining marks alone returns the whole list', () => {
  for (const search of ['', '   ', '\u3000', '\u0301']) assert.equal(index.cities.find({ search }).totalItems, 7);
});

test('a search for states matches the name or a part of the code', () => {
  assert.deepEqual(ids(index.states.find({ search: 'un' })), [2896]);
  assert.deepEqual(ids(index.states.find({ search: '3' })), [2171, 2170]);
  assert.deepEqual(ids(index.states.find({ search: 'delhidl' })), []);
});

test('a search for countries matches the name or a whole code', () => {
  assert.deepEqual(ids(index.countries.find({ search: 'tr' })), [225]);
  assert.deepEqual(ids(index.countries.find({ search: 'tur' })), [225]);
  assert.deepEqual(ids(index.countries.find({ search: 'IN' })), [101]);
  assert.deepEqual(ids(index.countries.find({ search: 'ax' })), [2]);
  assert.deepEqual(ids(index.countries.find({ search: 'x' })), []);
});

test('geography filters can be combined with each other and with a search', () => {
  assert.deepEqual(ids(index.cities.find({ countryId: 225 })), [6, 5, 7]);
  assert.deepEqual(ids(index.cities.find({ stateId: 2170 })), [5, 7]);
  assert.deepEqual(ids(index.cities.find({ stateId: 2170, countryId: 225 })), [5, 7]);
  assert.deepEqual(ids(index.cities.find({ stateId: 2170, countryId: 48 })), []);
  assert.deepEqual(ids(index.cities.find({ search: 'i', countryId: 225 })), [6, 5, 7]);
  assert.deepEqual(ids(index.cities.find({ search: 'i', stateId: 225 })), [], 'a state with the id of a country');
  assert.deepEqual(ids(index.cities.find({ search: 'sile', stateId: 2170, countryId: 225 })), [7]);
  assert.deepEqual(ids(index.states.find({ search: 'a', countryId: 225 })), [2171, 2170]);
  for (const id of [0, 1, -1, 2 ** 31, 2 ** 53]) assert.deepEqual(ids(index.cities.find({ stateId: id })), []);
});

test('a page past the end is empty and reports the true total', () => {
  for (const query of [{}, { search: 'bog' }]) {
    const found = index.cities.find(query);
    const { data, pagination } = JSON.parse(found.page({ page: 2 ** 40, limit: 1000 }).toString());
    assert.deepEqual(data, []);
    assert.equal(pagination.totalItems, found.totalItems);
    assert.deepEqual([pagination.hasNextPage, pagination.hasPreviousPage], [false, true]);
  }
});

test('the list of all cities is sent from one shared buffer', () => {
  const [piece, ...more] = [...index.cities.find({}).pieces()];
  assert.equal(piece, index.cities.all);
  assert.deepEqual(more, []);
});

test('the version of a geography is the same for the same rows in any order, and different for other rows', () => {
  const { countries, states, cities } = geography;
  const same = {
    countries: countries.toReversed(),
    states: states.toReversed(),
    cities: cities.toReversed(),
  };
  assert.equal(buildGeographyIndex(same).version, index.version);
  assert.match(index.version, /^[\w-]{16}$/);
  const other = { ...geography, cities: cities.with(0, { id: 9, name: 'Bogota', stateId: 2896 }) };
  assert.notEqual(buildGeographyIndex(other).version, index.version);
});

test('a geography without rows has empty lists', () => {
  const empty = buildGeographyIndex({ countries: [], states: [], cities: [] });
  for (const list of [empty.cities, empty.states, empty.countries]) {
    assert.deepEqual(ids(list.find({})), []);
    assert.deepEqual(ids(list.find({ search: 'a' })), []);
  }
});

test('the result of a search does not change while another search runs', () => {
  for (const query of [{ search: 'bogot' }, { search: 'bogot', ids: [8, 9] }, { search: 'o', stateId: 2896 }]) {
    const found = index.cities.find(query);
    assert.equal(index.cities.find({ search: 'kadik', stateId: 2170, countryId: 225 }).totalItems, 1);
    assert.deepEqual(ids(found), [8, 9]);
  }
});
