import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import sql, { type Sql } from 'sql-template-tag';
import { compareCodePoints, fold } from '../../src/lib/text-folding.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import {
  byGet,
  byPost,
  type CityItem,
  type Country,
  type CountryItem,
  GEOGRAPHY_LISTS,
  GEOGRAPHY_PATHS,
  type StateItem,
} from '../support/geography-lists.ts';
import { publishedSchemaCheck } from '../support/matches-schema.ts';
import { openSeededDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const api = await buildTestApp({}, openSeededDatabase);
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck();

async function rowsOf<Row>(select: Sql): Promise<Row[]> {
  const [result] = await api.db.query<{ rows: Row[] }>(sql`select json_agg(r.item) as rows from (${select}) r`);
  assert.ok(result);
  return result.rows;
}

/** What the lists are to hold, from the tables. */
async function expectedItems(): Promise<Record<keyof typeof GEOGRAPHY_LISTS, readonly Item[]>> {
  const countries = await rowsOf<CountryItem>(sql`
    select json_build_object('id', id, 'name', name, 'iso2', iso2, 'iso3', iso3, '_count', json_build_object(
      'states', (select count(*) from states where country_id = countries.id),
      'cities', (select count(*) from cities where country_id = countries.id))) as item
    from countries`);
  const country = new Map<number, Country>();
  for (const { _count, ...rest } of countries) country.set(rest.id, rest);
  const stateRows = await rowsOf<[id: number, name: string, code: string, countryId: number, cities: number]>(sql`
    select json_build_array(id, name, state_code, country_id, coalesce(amount, 0)) as item
    from states left join (select state_id, count(*) as amount from cities group by state_id) counts on state_id = id`);
  const states = new Map(
    stateRows.map(([id, name, stateCode, countryId, cities]): [number, StateItem] => [
      id,
      { id, name, stateCode, countryId, country: countryOf(countryId), _count: { cities } },
    ]),
  );
  const cityRows = await rowsOf<[id: number, name: string, stateId: number, countryId: number]>(
    sql`select json_build_array(id, name, state_id, country_id) as item from cities`,
  );
  function countryOf(id: number): Country {
    const found = country.get(id);
    assert.ok(found);
    return found;
  }
  return {
    '/api/countries/list': countries,
    '/api/states/list': [...states.values()],
    '/api/cities/list': cityRows.map(([id, name, stateId, countryId]): CityItem => {
      const state = states.get(stateId);
      assert.ok(state);
      const { name: stateName, stateCode } = state;
      const country = countryOf(countryId);
      return { id, name, stateId, countryId, state: { id: stateId, name: stateName, stateCode }, country };
    }),
  };
}
type Item = CityItem | StateItem | CountryItem;

const expected = await expectedItems();

for (const [path, size] of [
  ['/api/cities/list', 155_132],
  ['/api/states/list', 5_324],
  ['/api/countries/list', 250],
] as const) {
  describe(path, () => {
    const get = api.app.inject(byGet(path));
    const full = get.then((response) => response.json());
    const itemsOf = async (): Promise<Item[]> => (await full).data;

    it('answers the full list in the common envelope, with its message and without a page block', async () => {
      const { statusCode, headers } = await get;
      assert.equal(statusCode, 200);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      const { data, ...rest } = await full;
      assert.deepEqual(rest, { success: true, message: GEOGRAPHY_LISTS[path] });
      assert.equal(data.length, size);
    });

    it('answers POST with the very same list', async () => {
      const post = await api.app.inject(byPost(path));
      assert.equal(post.statusCode, 200);
      assert.ok(post.rawPayload.equals((await get).rawPayload));
    });

    it('answers a page with the page block besides, by GET and by POST', async () => {
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

    it('holds all that the database holds, each place with just the fields of the spec and with true counts', async () => {
      const byId = new Map((await itemsOf()).map((item) => [item.id, item]));
      assert.equal(byId.size, expected[path].length);
      for (const item of expected[path]) {
        const answered = byId.get(item.id);
        if (!isDeepStrictEqual(answered, item)) assert.deepEqual(answered, item);
      }
    });

    it('is ordered by folded name, then by id', async () => {
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
  it('keeps state codes as texts, zeros and all', () => {
    const codes = (expected['/api/states/list'] as StateItem[]).map(({ stateCode }) => stateCode);
    assert.ok(codes.includes('01'));
    assert.ok(codes.every((code) => typeof code === 'string' && code.trim() === code && code !== ''));
  });

  it('has names that are trimmed and in the normal form C', () => {
    for (const { name } of Object.values(expected).flat()) {
      assert.ok(name === name.trim().normalize('NFC') && name !== '', name);
    }
  });
});

describe('a change in the database', () => {
  const GOA = 4009;
  const headOf = async (path: keyof typeof GEOGRAPHY_LISTS) => {
    const { headers } = await api.app.inject({ method: 'HEAD', url: path });
    return String(headers.etag);
  };

  /** Changes something and waits until the answers have another version. */
  async function change(statement: Sql): Promise<void> {
    const before = await headOf('/api/cities/list');
    await api.db.query(statement);
    await waitUntil('another tag', async () => (await headOf('/api/cities/list')) !== before);
  }
  const firstOf = async <Found>(path: keyof typeof GEOGRAPHY_LISTS, search: string): Promise<Found | undefined> =>
    (await api.app.inject(byGet(path, { search, countryId: 101 }))).json<{ data: Found[] }>().data[0];

  it('shows in the lists, in what refers to it, in the counts and in the ETag of each list, without a restart', async () => {
    const before = await Promise.all(GEOGRAPHY_PATHS.map(headOf));
    const goa = await firstOf<StateItem>('/api/states/list', 'goa');
    await change(
      sql`update cities set name = 'Qwertzuiop' where id = (select min(id) from cities where state_id = ${GOA})`,
    );
    assert.equal((await firstOf<CityItem>('/api/cities/list', 'qwertz'))?.stateId, GOA);

    await change(sql`
      with renamed as (update states set name = 'Goa of Tests' where id = ${GOA})
      insert into cities (id, state_id, country_id, name) values (9999999, ${GOA}, 101, 'Yxcvbnm')`);
    assert.equal((await firstOf<CityItem>('/api/cities/list', 'yxcvbnm'))?.state.name, 'Goa of Tests');
    const changed = await firstOf<StateItem>('/api/states/list', 'goa of tests');
    assert.deepEqual(changed, { ...goa, name: 'Goa of Tests', _count: { cities: (goa?._count.cities ?? 0) + 1 } });
    for (const [index, path] of GEOGRAPHY_PATHS.entries()) assert.notEqual(await headOf(path), before[index]);
  });
});
