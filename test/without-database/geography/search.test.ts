import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertInvalid, pageOf } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { byGet, byPost, type GeographyPath, type Parameters } from '../../support/geography-lists.ts';

const [CITIES, STATES, COUNTRIES] = ['/api/cities/list', '/api/states/list', '/api/countries/list'] as const;

const CITY_NAMES = [
  'Bogotá',
  'Bogota',
  'İstanbul',
  'Istanbul',
  'Łódź',
  'Ærøskøbing',
  'Þingeyri',
  'Straße',
  'Diyarbakır',
  'Đà Nẵng',
  'San José',
  "Xi'an",
  'Xi’an',
  'New York',
  '100% Town',
  'Under_score',
  'Back\\slash',
  'Œuilly',
  '東京',
  'A',
];

const bare = await buildBareApp({
  places: {
    countries: [
      { id: 1, name: 'India', iso2: 'IN', iso3: 'IND' },
      { id: 2, name: 'Finland', iso2: 'FI', iso3: 'FIN' },
      { id: 3, name: 'Côte d’Ivoire', iso2: 'CI', iso3: 'CIV' },
      { id: 4, name: 'China', iso2: 'CN', iso3: 'CHN' },
    ],
    states: [
      { id: 1, name: 'Goa', countryId: 1, stateCode: 'GA' },
      { id: 2, name: 'Uusimaa', countryId: 2, stateCode: '18' },
      { id: 3, name: 'Lapland', countryId: 2, stateCode: '01' },
      { id: 4, name: 'Gagra', countryId: 2, stateCode: 'X-1' },
    ],
    cities: CITY_NAMES.map((name, index) => ({ id: index + 1, name, stateId: 1 })),
  },
});
after(() => bare[Symbol.asyncDispose]());

async function namesFound(path: GeographyPath, search: string, others: Parameters = {}): Promise<string[]> {
  const namesOf = async (request: ReturnType<typeof byGet | typeof byPost>) =>
    pageOf<{ name: string }>(await bare.app.inject(request)).items.map(({ name }) => name);
  const names = await namesOf(byGet(path, { search, ...others }));
  assert.deepEqual(await namesOf(byPost(path, { search, ...others })), names);
  const page = pageOf(await bare.app.inject(byGet(path, { search, ...others, isPaginationNeeded: true, limit: 1000 })));
  assert.equal(page.pagination.totalItems, names.length);
  return names;
}

describe('cities are found by a part of their name', () => {
  for (const [search, ...found] of [
    ['bogota', 'Bogotá', 'Bogota'],
    ['BOGOTÁ', 'Bogotá', 'Bogota'],
    ['Bogota\u0301', 'Bogotá', 'Bogota'],
    ['istanbul', 'İstanbul', 'Istanbul'],
    ['ISTANBUL', 'İstanbul', 'Istanbul'],
    ['İSTANBUL', 'İstanbul', 'Istanbul'],
    ['stanb', 'İstanbul', 'Istanbul'],
    ['lodz', 'Łódź'],
    ['aeroskobing', 'Ærøskøbing'],
    ['thing', 'Þingeyri'],
    ['STRASSE', 'Straße'],
    ['diyarbakir', 'Diyarbakır'],
    ['da nang', 'Đà Nẵng'],
    ['oeu', 'Œuilly'],
    ["xi'an", "Xi'an", 'Xi’an'],
    ['xi’an', "Xi'an", 'Xi’an'],
    ['  new \t\u00a0 york ', 'New York'],
    ['new york city'],
    ['w y', 'New York'],
    ['newyorkcity'],
    ['東', '東京'],
    ['y', 'Diyarbakır', 'New York', 'Œuilly', 'Þingeyri'],
  ] as const) {
    it(`a search for cities with "${search}" finds ${found.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await namesFound(CITIES, search), found);
    });
  }

  it('a search for cities treats %, _ and \\ as ordinary characters', async () => {
    assert.deepEqual(await namesFound(CITIES, '%'), ['100% Town']);
    assert.deepEqual(await namesFound(CITIES, '_'), ['Under_score']);
    assert.deepEqual(await namesFound(CITIES, '\\'), ['Back\\slash']);
    assert.deepEqual(await namesFound(CITIES, '0%'), ['100% Town']);
    for (const search of ['%town', 'b%a', 'i_tanbul', '\\_', '%%', '.*', '^A$', "' or 1=1 --"]) {
      assert.deepEqual(await namesFound(CITIES, search), []);
    }
  });

  it('a search for cities with blanks alone returns all cities', async () => {
    const all = await namesFound(CITIES, '');
    assert.equal(all.length, CITY_NAMES.length);
    for (const search of [' ', '\t\n', '\u00a0\u2003', '\u0301']) {
      assert.deepEqual(await namesFound(CITIES, search), all);
    }
  });

  it('a search for cities does not match a state, a country or a code', async () => {
    for (const search of ['goa', 'india', 'GA', 'IND']) assert.deepEqual(await namesFound(CITIES, search), []);
  });

  it('a search for cities can be combined with filters', async () => {
    assert.deepEqual(await namesFound(CITIES, 'bogota', { stateId: 1, countryId: 1 }), ['Bogotá', 'Bogota']);
    assert.deepEqual(await namesFound(CITIES, 'bogota', { stateId: 2 }), []);
    assert.deepEqual(await namesFound(CITIES, 'bogota', { countryId: 2 }), []);
  });
});

describe('states are found by a part of their name or of their code', () => {
  for (const [search, ...found] of [
    ['ga', 'Goa', 'Gagra'],
    ['uus', 'Uusimaa'],
    ['01', 'Lapland'],
    ['1', 'Gagra', 'Lapland', 'Uusimaa'],
    ['x-', 'Gagra'],
    ['goaga'],
    ['goa ga'],
    ['finland'],
  ] as const) {
    it(`a search for states with "${search}" finds ${found.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await namesFound(STATES, search), found);
    });
  }
});

describe('countries are found by a part of their name or by a whole code', () => {
  for (const [search, ...found] of [
    ['in', 'India', 'China', 'Finland'],
    ['fi', 'Finland'],
    ['CN', 'China'],
    ['chn', 'China'],
    [' Chn ', 'China'],
    ['ch', 'China'],
    ['hn'],
    ['civ', 'Côte d’Ivoire'],
    ['iv', 'Côte d’Ivoire'],
    ["cote d'ivoire", 'Côte d’Ivoire'],
    ['cnchn'],
  ] as const) {
    it(`a search for countries with "${search}" finds ${found.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await namesFound(COUNTRIES, search), found);
    });
  }
});

describe('an invalid search is refused', () => {
  for (const path of [CITIES, STATES, COUNTRIES]) {
    it(`${path} returns 400 for a search of more than 256 characters, with NUL or a lone surrogate`, async () => {
      assert.deepEqual(await namesFound(path, 'x'.repeat(256)), []);
      assert.deepEqual(await namesFound(path, '🦉'.repeat(256)), []);
      for (const search of ['x'.repeat(257), 'x'.repeat(10_240), '🦉'.repeat(257), ' '.repeat(257)]) {
        for (const by of [byGet, byPost]) {
          const { errors } = assertInvalid(await bare.app.inject(by(path, { search })), 'search');
          assert.deepEqual(errors?.[0], {
            field: 'search',
            code: 'TOO_LONG',
            message: 'search must have at most 256 characters.',
          });
        }
      }
      for (const request of [
        byGet(path, { search: 'a\0b' }),
        byPost(path, { search: 'a\0b' }),
        byPost(path, { search: 'a\ud800' }),
      ]) {
        assert.equal(assertInvalid(await bare.app.inject(request), 'search').errors?.[0]?.code, 'INVALID_VALUE');
      }
    });
  }
});
