import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildGeographyIndex } from './geography-index.ts';
import type { GeographyRows } from './geography-queries.ts';
import type { FoundLocations } from './location-list.ts';

const geography: GeographyRows = {
  revision: '7',
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

test('items are as the specification writes them, in list order', () => {
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

test('places come by folded name, then by id', () => {
  assert.deepEqual(ids(index.cities.find({})), [4, 8, 9, 6, 5, 3, 7]);
});

test('search ignores case, accents and the dots of İ and ı', () => {
  for (const search of ['istanbul', 'ISTANBUL', 'İSTANBUL', 'ıstanbul', ' İstan ']) {
    assert.deepEqual(ids(index.states.find({ search })), [2170], search);
  }
  assert.deepEqual(ids(index.cities.find({ search: 'BOGOTÁ' })), [8, 9]);
  assert.deepEqual(ids(index.cities.find({ search: 'KADIKÖY' })), [5]);
  assert.deepEqual(ids(index.cities.find({ search: 'new   delhi' })), [3]);
});

test('characters that mean something to SQL are ordinary ones', () => {
  for (const search of ['%', '_', '\\', '%_\\ "']) assert.deepEqual(ids(index.cities.find({ search })), [4], search);
});

test('a blank search is none, and so is one of nothing but marks', () => {
  for (const search of ['', '   ', '\u3000', '\u0301']) assert.equal(index.cities.find({ search }).totalItems, 7);
});

test('states match by name or by a part of their code', () => {
  assert.deepEqual(ids(index.states.find({ search: 'un' })), [2896]);
  assert.deepEqual(ids(index.states.find({ search: '3' })), [2171, 2170]);
  assert.deepEqual(ids(index.states.find({ search: 'delhidl' })), []);
});

test('countries match by name or by a whole code', () => {
  assert.deepEqual(ids(index.countries.find({ search: 'tr' })), [225]);
  assert.deepEqual(ids(index.countries.find({ search: 'tur' })), [225]);
  assert.deepEqual(ids(index.countries.find({ search: 'IN' })), [101]);
  assert.deepEqual(ids(index.countries.find({ search: 'ax' })), [2]);
  assert.deepEqual(ids(index.countries.find({ search: 'x' })), []);
});

describe('other names', () => {
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
    revision: '1',
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

  test('come with those whose name or other name is the text, then own names that begin with it, other names, and the rest', () => {
    // PAR is Paris; Parma begins so; Perth has another name that does; Spart holds it.
    assert.deepEqual(cities('par', withAll), [3, 4, 8, 7]);
    assert.deepEqual(cities('san', withAll), [6, 5]);
    assert.deepEqual(cities('bombay', withAll), [1, 2]);
    assert.deepEqual(cities('孟买', withAll), [1]);
  });

  test('that only begin with a text of two letters do not count', () => {
    assert.deepEqual(cities('lu', withAll), []);
    assert.deepEqual(cities('lut', withAll), [3]);
    assert.deepEqual(cities('孟', withAll), []);
  });

  test('count by default only where no name has the text, and never where they are refused', () => {
    assert.deepEqual(cities('par'), [4, 3, 7]);
    assert.deepEqual(cities('bombay'), [2]);
    assert.deepEqual(cities('lutetia'), [3]);
    assert.deepEqual(
      [cities('bombay', { alternateNames: false }), cities('lutetia', { alternateNames: false })],
      [[2], []],
    );
  });

  test('hold together with filters and ids', () => {
    assert.deepEqual(cities('bombay', { ...withAll, countryId: 1 }), [1]);
    assert.deepEqual(cities('bombay', { countryId: 1 }), [1]);
    assert.deepEqual(cities('par', { ...withAll, countryId: 2 }), [4, 8, 7]);
    assert.deepEqual(cities('par', { ...withAll, ids: [8, 7, 3, 1] }), [3, 8, 7]);
    assert.deepEqual(cities('par', { ...withAll, ids: [8, 7, 3, 1], stateId: 12 }), [8, 7]);
    assert.deepEqual(cities('', { ...withAll, ids: [8, 3] }), [3, 8]);
  });

  test('are those of states and countries too, behind a whole code', () => {
    assert.deepEqual(ids(own.states.find({ search: 'madras', ...withAll })), [11]);
    assert.deepEqual(ids(own.states.find({ search: 'tamilnadu' })), [11]);
    assert.deepEqual(ids(own.states.find({ search: 'tn' })), [11]);
    assert.deepEqual(ids(own.states.find({ search: 'ile de france' })), [13]);
    assert.deepEqual(ids(own.countries.find({ search: 'भारत' })), [1]);
    assert.deepEqual(ids(own.countries.find({ search: 'bhar', ...withAll })), [1]);
  });

  test('are told where they are asked for, as they are written', () => {
    const page = (found: FoundLocations) => JSON.parse(found.page({ page: 1, limit: 10 }).toString()).data;
    assert.deepEqual(
      page(own.cities.find({ ids: [1, 2], include: ['alternateNames'] })).map(
        (city: { alternateNames: string[] }) => city.alternateNames,
      ),
      [[], ['Bombay', 'BOM', '孟买']],
    );
    assert.deepEqual(page(own.states.find({ search: 'tamil', include: ['alternateNames'] }))[0].alternateNames, [
      'Madras State',
    ]);
    assert.deepEqual(page(own.countries.find({ search: 'in', include: ['alternateNames'] }))[0].alternateNames, [
      'Bharat',
      'भारत',
    ]);
  });
});

test('filters hold together with each other and with the search', () => {
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

test('a page past the end is empty and knows the true total', () => {
  for (const query of [{}, { search: 'bog' }]) {
    const found = index.cities.find(query);
    const { data, pagination } = JSON.parse(found.page({ page: 2 ** 40, limit: 1000 }).toString());
    assert.deepEqual(data, []);
    assert.equal(pagination.totalItems, found.totalItems);
    assert.deepEqual([pagination.hasNextPage, pagination.hasPreviousPage], [false, true]);
  }
});

test('all cities come in the one shared buffer', () => {
  const [piece, ...more] = [...index.cities.find({}).pieces()];
  assert.equal(piece, index.cities.all);
  assert.deepEqual(more, []);
});

test('the version is the same for the same rows in any order, and another for other rows', () => {
  const { countries, states, cities } = geography;
  const same = {
    revision: '8',
    countries: countries.toReversed(),
    states: states.toReversed(),
    cities: cities.toReversed(),
  };
  assert.equal(buildGeographyIndex(same).version, index.version);
  assert.match(index.version, /^[\w-]{16}$/);
  const other = { ...geography, cities: cities.with(0, { id: 9, name: 'Bogota', stateId: 2896 }) };
  assert.notEqual(buildGeographyIndex(other).version, index.version);
});

test('a geography without a row has empty lists', () => {
  const empty = buildGeographyIndex({ revision: '0', countries: [], states: [], cities: [] });
  for (const list of [empty.cities, empty.states, empty.countries]) {
    assert.deepEqual(ids(list.find({})), []);
    assert.deepEqual(ids(list.find({ search: 'a' })), []);
  }
});
