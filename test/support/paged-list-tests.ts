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
    it('are always there: without parameters the first one, of ten', async () => {
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

    it('come one after the other by the folded name and then the id, and neither repeat nor miss an item', async () => {
      for (const limit of [1, 3, 7, 100]) assert.deepEqual(await walk(api, list, {}, limit), expectedIds(list));
    });

    it('come in that order also without the help of an index', async () => {
      await api.db.query(sql`drop index ${raw(list.index)}`);
      assert.deepEqual(await walk(api, list, {}, 3), expectedIds(list));
    });

    it('say where they are', async () => {
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

    it('are empty past the end, with the true total, a previous page and no next one', async () => {
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

    it('are 0 where there are no items', async () => {
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

    it('are never shortened silently: a page or limit out of bounds is a 400 that names the field and the bound', async () => {
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
    it('count as absent where they are empty, and are ignored where they are unknown', async () => {
      const plain = (await get()).body;
      for (const more of [
        { page: '', limit: '', search: '', activeOnly: '' },
        {
          isPaginationNeeded: 'false',
          order: 'x',
          offset: '5',
          Page: '2',
          'offset[]': '2',
          __proto__x: 'y',
          x: ['1', '2'],
        },
      ]) {
        assert.equal((await get(more)).body, plain);
      }
    });

    it('are a 400 where they are written as lists', async () => {
      for (const field of ['page', 'limit', 'search']) {
        for (const name of [`${field}[]`, `${field}[0]`]) {
          const { errors } = assertInvalid(await get({ [name]: '1' }), field);
          assert.equal(errors?.[0]?.code, 'DUPLICATE');
        }
      }
    });

    it('are a 400 where they are given twice', async () => {
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
    it('is never stored by a cache, be it a page or a refusal', async () => {
      for (const response of [await get(), await get({ page: '0' }), await api.send({ url: list.url })]) {
        assert.equal(response.headers['cache-control'], 'no-store');
      }
      const etag = String((await get()).headers.etag);
      const headers = { 'if-none-match': `${etag}, *` };
      pageOf(await api.send({ url: list.url, as: list.as, query: list.query, headers }));
    });

    it('is there for GET and, without its body, for HEAD; another method is a 405 with Allow', async () => {
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
