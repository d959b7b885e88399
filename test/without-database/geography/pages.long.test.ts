import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Pagination } from '../../../src/api/pagination.ts';
import { pageOf } from '../../support/answers.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import {
  byGet,
  CITY_COUNT,
  type CityItem,
  GEOGRAPHY_PATHS,
  type GeographyPath,
  type Parameters,
} from '../../support/geography-lists.ts';

const bare = await buildBareApp({ places: 'world' });
after(() => bare[Symbol.asyncDispose]());

type Item = { id: number };

async function page(path: GeographyPath, parameters: Parameters): Promise<{ items: Item[]; pagination: Pagination }> {
  return pageOf<Item>(await bare.app.inject(byGet(path, { ...parameters, isPaginationNeeded: true })));
}

async function fullList(path: GeographyPath, parameters: Parameters = {}): Promise<Item[]> {
  return pageOf<Item>(await bare.app.inject(byGet(path, parameters))).items;
}

/** Reads page after page, checks each page block, and gives all items. */
async function walk(path: GeographyPath, parameters: Parameters, limit: number): Promise<Item[]> {
  const all: Item[] = [];
  let totalPages = 1;
  for (let number = 1; number <= totalPages; number++) {
    const { items, pagination } = await page(path, { ...parameters, page: number, limit });
    totalPages = pagination.totalPages;
    all.push(...items);
    const isLast = number === Math.max(totalPages, 1);
    assert.deepEqual(pagination, {
      totalItems: pagination.totalItems,
      currentPage: number,
      totalPages: Math.ceil(pagination.totalItems / limit),
      pageSize: limit,
      hasNextPage: !isLast,
      hasPreviousPage: number > 1,
    });
    assert.equal(items.length, isLast ? pagination.totalItems - limit * (number - 1) : limit);
  }
  return all;
}

function assertSame(actual: Item[], expected: Item[]): void {
  assert.equal(actual.length, expected.length);
  // Compared as texts: of lists this long no difference could be shown in full.
  assert.ok(JSON.stringify(actual) === JSON.stringify(expected), 'The pages are not the full list');
}

describe('all pages of a list, one after the other, are the full list', () => {
  for (const [path, parameters, limit, atLeast] of [
    ['/api/cities/list', {}, 1000, CITY_COUNT],
    ['/api/cities/list', { search: 'a' }, 1000, 100_000],
    ['/api/cities/list', { search: 'new' }, 7, 458],
    ['/api/cities/list', { stateId: 4008 }, 7, 553],
    ['/api/cities/list', { countryId: 233, search: 'san ' }, 7, 100],
    ['/api/cities/list', { countryId: 101, stateId: 4008, search: 'pur' }, 3, 20],
    ['/api/cities/list', { stateId: 4009 }, 50, 50],
    ['/api/states/list', {}, 1000, 5_324],
    ['/api/states/list', { search: '0' }, 7, 500],
    ['/api/states/list', { countryId: 101 }, 7, 36],
    ['/api/countries/list', {}, 7, 250],
    ['/api/countries/list', {}, 250, 250],
    ['/api/countries/list', { search: 'an' }, 3, 50],
  ] as const) {
    it(`the pages of ${path} with ${JSON.stringify(parameters)} and limit ${limit} are the full list`, async () => {
      const full = await fullList(path, parameters);
      assert.ok(full.length >= atLeast, `only ${full.length} items`);
      assert.equal(new Set(full.map(({ id }) => id)).size, full.length);
      assertSame(await walk(path, parameters, limit), full);
    });
  }
});

describe('beyond the items', () => {
  it('a page past the end of a geography list is empty, with the true total and no next page', async () => {
    for (const path of GEOGRAPHY_PATHS) {
      const { length } = await fullList(path);
      const last = Math.ceil(length / 1000);
      for (const number of [last + 1, 1_000_000, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        const { items, pagination } = await page(path, { page: number, limit: 1000 });
        assert.deepEqual(items, []);
        assert.deepEqual(pagination, {
          totalItems: length,
          currentPage: number,
          totalPages: last,
          pageSize: 1000,
          hasNextPage: false,
          hasPreviousPage: true,
        });
      }
    }
  });

  it('a geography list without items has no pages, and page 1 has no previous page', async () => {
    for (const path of GEOGRAPHY_PATHS) {
      const { items, pagination } = await page(path, { search: 'nowhere at all' });
      assert.deepEqual(items, []);
      const none = { totalItems: 0, currentPage: 1, totalPages: 0, pageSize: 10 };
      assert.deepEqual(pagination, { ...none, hasNextPage: false, hasPreviousPage: false });
      const second = await page(path, { search: 'nowhere at all', page: 2 });
      assert.deepEqual([second.pagination.hasNextPage, second.pagination.hasPreviousPage], [false, true]);
    }
  });
});

describe('long answers, over a real connection', () => {
  it('a long geography list over a real connection is valid JSON and equals its pages', async () => {
    const origin = `http://127.0.0.1:${await listenLocally(bare.app)}`;
    for (const [path, parameters] of [
      ['/api/cities/list', {}],
      ['/api/cities/list', { search: 'a' }],
      ['/api/cities/list', { countryId: 233 }],
      ['/api/states/list', { search: 'a' }],
    ] as const) {
      const { url } = byGet(path, parameters);
      const response = await fetch(`${origin}${url}`);
      assert.equal(response.status, 200);
      const { data } = (await response.json()) as { data: CityItem[] };
      assertSame(data, await walk(path, parameters, 1000));
    }
  });
});
