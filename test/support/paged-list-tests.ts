import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { assertInvalid, assertRefused, pageOf } from './answers.ts';
import type { TestApp } from './build-test-app.ts';
import { ask, expectedIds, type PagedList, type Query, walk } from './paged-list.ts';

const NOT_WHOLE = [
  '1.5',
  '1.0',
  'abc',
  '1e2',
  '0x10',
  ' 1',
  '1 ',
  '+1',
  '１',
  'NaN',
  'Infinity',
  'true',
  'null',
  '1,2',
  '--1',
];
const BELOW = ['0', '-1', '-0', '00', '-9007199254740993'];
const BEYOND = ['9007199254740993', '99999999999999999999', '1'.repeat(300)];

/** What every list does that is always paginated. There must be more than ten items in it. */
export function testPagedList(api: TestApp, list: PagedList): void {
  const get = (more: Query = {}) => ask(api, list, more);
  const total = list.items.length;

  describe(`${list.name}: pages`, () => {
    it(`${list.name} without parameters returns the first page of ten items`, async () => {
      const response = await get();
      assert.deepEqual(Object.keys(response.json()).sort(), ['data', 'message', 'pagination', 'success']);
      assert.equal(response.json<{ message: string }>().message, list.message);
      const { items, pagination } = pageOf<{ id: string }>(response);
      assert.deepEqual(
        items.map(({ id }) => id),
        expectedIds(list).slice(0, 10),
      );
      assert.deepEqual(pagination, {
        totalItems: total,
        currentPage: 1,
        totalPages: Math.ceil(total / 10),
        pageSize: 10,
        hasNextPage: true,
        hasPreviousPage: false,
      });
    });

    it(`${list.name} sorts by the folded name and the id, and its pages neither repeat nor miss an item`, async () => {
      for (const limit of [1, 3, 7, 100]) assert.deepEqual(await walk(api, list, {}, limit), expectedIds(list));
    });

    it(`${list.name} returns the same order without its index`, async () => {
      await api.db.query(sql`drop index ${raw(list.index)}`);
      assert.deepEqual(await walk(api, list, {}, 3), expectedIds(list));
    });

    it(`${list.name} returns the number of the page, of all pages and of all items`, async () => {
      const last = Math.ceil(total / 3);
      for (const page of [1, 2, last - 1, last]) {
        const { pagination } = pageOf(await get({ page: String(page), limit: '3' }));
        assert.deepEqual(pagination, {
          totalItems: total,
          currentPage: page,
          totalPages: last,
          pageSize: 3,
          hasNextPage: page < last,
          hasPreviousPage: page > 1,
        });
      }
    });

    it(`${list.name} returns an empty page past the end, with the total and a previous page`, async () => {
      for (const page of [Math.ceil(total / 10) + 1, 1000, Number.MAX_SAFE_INTEGER]) {
        for (const limit of [10, 100]) {
          const { items, pagination } = pageOf(await get({ page: String(page), limit: String(limit) }));
          assert.deepEqual(items, []);
          assert.deepEqual(pagination, {
            totalItems: total,
            currentPage: page,
            totalPages: Math.ceil(total / limit),
            pageSize: limit,
            hasNextPage: false,
            hasPreviousPage: true,
          });
        }
      }
    });

    it(`${list.name} returns 0 pages if there are no items`, async () => {
      const { items, pagination } = pageOf(await get({ search: 'aisle' }));
      assert.deepEqual(items, []);
      assert.deepEqual(pagination, {
        totalItems: 0,
        currentPage: 1,
        totalPages: 0,
        pageSize: 10,
        hasNextPage: false,
        hasPreviousPage: false,
      });
    });

    it(`${list.name} returns 400 with the bound for a page or limit out of bounds`, async () => {
      for (const [field, bound, values] of [
        ['page', 'a whole number of at least 1', BELOW],
        ['page', 'a whole number of at least 1', BEYOND],
        ['page', 'a whole number of at least 1', NOT_WHOLE],
        ['limit', 'a whole number from 1 to 100', [...BELOW, '101', '1000', ...BEYOND]],
        ['limit', 'a whole number from 1 to 100', NOT_WHOLE],
      ] as const) {
        for (const value of values) {
          const { errors, message } = assertInvalid(await get({ [field]: value }), field);
          assert.equal(errors?.[0]?.code, values === NOT_WHOLE ? 'INVALID_TYPE' : 'OUT_OF_RANGE', value);
          assert.equal(message, `${field} must be ${bound}.`);
        }
      }
      assertInvalid(await get({ page: '0', limit: '101' }), 'page', 'limit');
    });
  });

  describe(`${list.name}: parameters`, () => {
    it(`${list.name} ignores empty parameters`, async () => {
      assert.equal((await get({ page: '', limit: '', search: '' })).body, (await get()).body);
    });

    it(`${list.name} ${list.refusesUnknown ? 'returns 400 that names each unknown parameter' : 'ignores unknown parameters'}`, async () => {
      const unknown = {
        isPaginationNeeded: 'false',
        order: 'x',
        offset: '5',
        Page: '2',
        'offset[]': '2',
        __proto__x: 'y',
        x: ['1', '2'],
      };
      if (list.refusesUnknown) {
        const { errors } = assertInvalid(await get(unknown), ...Object.keys(unknown));
        assert.deepEqual(new Set(errors?.map(({ code }) => code)), new Set(['UNKNOWN_PARAMETER']));
      } else {
        assert.equal((await get({ ...unknown, activeOnly: '' })).body, (await get()).body);
      }
    });

    it(`${list.name} returns 400 for a parameter that is written as a list`, async () => {
      for (const field of ['page', 'limit', 'search']) {
        for (const name of [`${field}[]`, `${field}[0]`]) {
          const { errors } = assertInvalid(await get({ [name]: '1' }), field);
          assert.equal(errors?.[0]?.code, 'DUPLICATE');
        }
      }
    });

    it(`${list.name} returns 400 for a repeated parameter`, async () => {
      for (const field of ['page', 'limit', 'search']) {
        for (const values of [
          ['1', '1'],
          ['1', '2'],
          ['', '1'],
          ['', ''],
        ]) {
          const { errors } = assertInvalid(await get({ [field]: values }), field);
          assert.equal(errors?.[0]?.code, 'DUPLICATE');
        }
      }
    });
  });

  describe(`${list.name}: the answer`, () => {
    it(`${list.name} is never cached, be it a page or a refusal`, async () => {
      for (const response of [await get(), await get({ page: '0' }), await api.send({ url: list.url })]) {
        assert.equal(response.headers['cache-control'], 'no-store');
      }
      const etag = String((await get()).headers.etag);
      const headers = { 'if-none-match': `${etag}, *` };
      pageOf(await api.send({ url: list.url, as: list.as, query: list.query, headers }));
    });

    it(`${list.name} returns the headers of GET for HEAD, and 405 with Allow for other methods`, async () => {
      const head = await api.send({ url: list.url, method: 'HEAD', as: list.as, query: list.query });
      assert.equal(head.statusCode, 200);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        const response = await api.send({ url: list.url, method, as: list.as, query: list.query });
        assertRefused(response, 405, 'METHOD_NOT_ALLOWED');
        assert.equal(response.headers.allow, 'GET, HEAD');
      }
    });
  });
}
