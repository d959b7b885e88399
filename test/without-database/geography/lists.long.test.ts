import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { readGeographyFile } from '../../../src/features/geography/geography-file.ts';
import { compareCodePoints, fold } from '../../../src/lib/text-folding.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import {
  byGet,
  byPost,
  CITY_COUNT,
  type CityItem,
  type CountryItem,
  GEOGRAPHY_LISTS,
  type StateItem,
} from '../../support/geography-lists.ts';
import { publishedSchemaCheck } from '../../support/matches-schema.ts';

const api = await buildBareApp({ places: 'world' });
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck();

/** What the lists are to hold, from the shipped file. */
async function expectedItems(): Promise<Record<keyof typeof GEOGRAPHY_LISTS, readonly Item[]>> {
  const { countries, states, cities } = await readGeographyFile();
  const countryOf = new Map(countries.map(({ id, name, iso2, iso3 }) => [id, { id, name, iso2, iso3 }]));
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const count = (ids: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    return (id: number) => counts.get(id) ?? 0;
  };
  const statesIn = count(states.map(({ countryId }) => countryId));
  const citiesIn = count(cities.map(({ countryId }) => countryId));
  const citiesOf = count(cities.map(({ stateId }) => stateId));
  const known = <Found>(found: Found | undefined): Found => found ?? assert.fail();
  return {
    '/api/countries/list': [...countryOf.values()].map((country) => ({
      ...country,
      _count: { states: statesIn(country.id), cities: citiesIn(country.id) },
    })),
    '/api/states/list': states.map(({ id, name, stateCode, countryId }) => {
      const country = known(countryOf.get(countryId));
      return { id, name, stateCode, countryId, country, _count: { cities: citiesOf(id) } };
    }),
    '/api/cities/list': cities.map(({ id, name, stateId, countryId }) => {
      const { name: stateName, stateCode } = known(stateOf.get(stateId));
      const country = known(countryOf.get(countryId));
      return { id, name, stateId, countryId, state: { id: stateId, name: stateName, stateCode }, country };
    }),
  };
}
type Item = CityItem | StateItem | CountryItem;

const expected = await expectedItems();

for (const [path, size] of [
  ['/api/cities/list', CITY_COUNT],
  ['/api/states/list', 5_324],
  ['/api/countries/list', 250],
] as const) {
  describe(path, () => {
    const get = api.app.inject(byGet(path));
    const full = get.then((response) => response.json());
    const itemsOf = async (): Promise<Item[]> => (await full).data;

    it(`${path} returns the full list in the common envelope, with its message and without pagination`, async () => {
      const { statusCode, headers } = await get;
      assert.equal(statusCode, 200);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      const { data, ...rest } = await full;
      assert.deepEqual(rest, { success: true, message: GEOGRAPHY_LISTS[path] });
      assert.equal(data.length, size);
    });

    it(`${path} returns the same list by POST as by GET`, async () => {
      const post = await api.app.inject(byPost(path));
      assert.equal(post.statusCode, 200);
      assert.ok(post.rawPayload.equals((await get).rawPayload));
    });

    it(`${path} returns a page with pagination, by GET and by POST`, async () => {
      const parameters = { isPaginationNeeded: true };
      const [byQuery, byBody] = [
        await api.app.inject(byGet(path, parameters)),
        await api.app.inject(byPost(path, parameters)),
      ];
      assert.equal(byQuery.body, byBody.body);
      const { data, ...rest } = byQuery.json();
      assert.deepEqual(data, (await itemsOf()).slice(0, 10));
      assert.deepEqual(rest, {
        success: true,
        message: GEOGRAPHY_LISTS[path],
        pagination: {
          totalItems: size,
          currentPage: 1,
          totalPages: Math.ceil(size / 10),
          pageSize: 10,
          hasNextPage: true,
          hasPreviousPage: false,
        },
      });
      check({ method: 'GET', path }, byQuery);
    });

    it(`${path} returns every row of the file with exactly the specified fields and true counts`, async () => {
      const byId = new Map((await itemsOf()).map((item) => [item.id, item]));
      assert.equal(byId.size, expected[path].length);
      for (const item of expected[path]) {
        const answered = byId.get(item.id);
        if (!isDeepStrictEqual(answered, item)) assert.deepEqual(answered, item);
      }
    });

    it(`${path} is ordered by folded name, then by id`, async () => {
      const keys = (await itemsOf()).map(({ id, name }) => ({ id, name: fold(name) }));
      for (const [index, key] of keys.entries()) {
        const before = keys[index - 1];
        if (before === undefined) continue;
        const order = compareCodePoints(before.name, key.name) || before.id - key.id;
        if (order >= 0) assert.fail(`${before.name} (${before.id}) stands before ${key.name} (${key.id})`);
      }
    });
  });
}

describe('the data', () => {
  it('the list of states returns state codes as texts with their zeros', () => {
    const codes = (expected['/api/states/list'] as StateItem[]).map(({ stateCode }) => stateCode);
    assert.ok(codes.includes('01'));
    assert.ok(codes.every((code) => typeof code === 'string' && code.trim() === code && code !== ''));
  });

  it('the geography lists return names that are trimmed and in NFC', () => {
    for (const { name } of Object.values(expected).flat()) {
      assert.ok(name === name.trim().normalize('NFC') && name !== '', name);
    }
  });
});
