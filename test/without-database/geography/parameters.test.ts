import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { Pagination } from '../../../src/api/pagination.ts';
import type { FieldProblemCode } from '../../../src/entities/api-error.ts';
import { assertInvalid, pageOf } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import {
  byGet,
  byPost,
  type CityItem,
  GEOGRAPHY_PATHS,
  type Parameters,
  type StateItem,
} from '../../support/geography-lists.ts';

const [CITIES, STATES, COUNTRIES] = ['/api/cities/list', '/api/states/list', '/api/countries/list'] as const;
const [INDIA, GOA, DELHI, NO_STATES] = [101, 4009, 4021, 9];
const [CITIES_OF_GOA, STATES_OF_INDIA, ALL_COUNTRIES] = [50, 36, 250];
const PAGE = { isPaginationNeeded: true };

const bare = await buildBareApp({ places: 'world' });
after(() => bare[Symbol.asyncDispose]());

async function itemsOf<Item>(request: InjectOptions): Promise<Item[]> {
  return pageOf<Item>(await bare.app.inject(request)).items;
}

async function paginationOf(request: InjectOptions): Promise<Pagination | undefined> {
  return pageOf(await bare.app.inject(request)).pagination;
}

/** Asserts that one field is refused for this reason, and gives what is said of it. */
async function assertRefused(request: InjectOptions, field: string, code: FieldProblemCode): Promise<string> {
  const { message, errors } = assertInvalid(await bare.app.inject(request), field);
  assert.equal(errors?.[0]?.code, code, JSON.stringify(request));
  return message;
}

for (const by of [byGet, byPost]) {
  describe(by === byGet ? 'by GET' : 'by POST', () => {
    it('a geography list with stateId, countryId or both returns the places of that state and country', async () => {
      const ofGoa = await itemsOf<CityItem>(by(CITIES, { stateId: GOA }));
      assert.equal(ofGoa.length, CITIES_OF_GOA);
      assert.ok(ofGoa.every(({ stateId, state }) => stateId === GOA && state.name === 'Goa'));
      assert.deepEqual(await itemsOf(by(CITIES, { stateId: GOA, countryId: INDIA })), ofGoa);
      const ofIndia = await itemsOf<CityItem>(by(CITIES, { countryId: INDIA }));
      assert.ok(ofIndia.every(({ countryId, country }) => countryId === INDIA && country.name === 'India'));
      assert.deepEqual(
        ofIndia.filter(({ stateId }) => stateId === GOA),
        ofGoa,
      );
      const states = await itemsOf<StateItem>(by(STATES, { countryId: INDIA }));
      assert.equal(states.length, STATES_OF_INDIA);
      assert.ok(states.every(({ countryId, country }) => countryId === INDIA && country.iso2 === 'IN'));
    });

    it('a geography list returns no items for an unknown id or a state of another country', async () => {
      for (const id of [0, -1, 999_999, 2 ** 31, GOA + 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
        for (const [path, name] of [
          [CITIES, 'stateId'],
          [CITIES, 'countryId'],
          [STATES, 'countryId'],
        ] as const) {
          assert.deepEqual(await itemsOf(by(path, { [name]: id })), []);
          const pagination = await paginationOf(by(path, { [name]: id, ...PAGE }));
          assert.deepEqual([pagination?.totalItems, pagination?.totalPages, pagination?.hasNextPage], [0, 0, false]);
        }
      }
      assert.deepEqual(await itemsOf(by(STATES, { countryId: NO_STATES })), []);
      assert.deepEqual(await itemsOf(by(CITIES, { stateId: GOA, countryId: INDIA + 1 })), []);
    });

    it('a geography list accepts whole numbers as digits', async () => {
      const ofGoa = await itemsOf(by(CITIES, { stateId: GOA }));
      assert.deepEqual(await itemsOf(by(CITIES, { stateId: '4009' })), ofGoa);
      const page = { ...PAGE, page: '2', limit: '7', stateId: '4009', countryId: '101' };
      assert.deepEqual(await itemsOf(by(CITIES, page)), ofGoa.slice(7, 14));
    });

    it('a geography list returns 400 for a number parameter that is not a whole number', async () => {
      const refused = [
        'x',
        '1.5',
        '1.0',
        '1e3',
        '0x10',
        '+1',
        '١',
        ' ',
        '1 ',
        '1,000',
        'NaN',
        'null',
        'true',
        '--1',
        '-',
      ];
      for (const value of refused) {
        await assertRefused(by(CITIES, { stateId: value }), 'stateId', 'INVALID_TYPE');
        await assertRefused(by(STATES, { countryId: value }), 'countryId', 'INVALID_TYPE');
        await assertRefused(by(COUNTRIES, { ...PAGE, page: value }), 'page', 'INVALID_TYPE');
      }
    });

    it('a geography list returns 400 for a number that cannot be read exactly', async () => {
      for (const value of ['9007199254740993', '-9007199254740993', '9'.repeat(400)]) {
        await assertRefused(by(CITIES, { countryId: value }), 'countryId', 'OUT_OF_RANGE');
      }
    });

    it('a geography list accepts isPaginationNeeded as true and false, as a boolean or as a text', async () => {
      for (const value of [true, 'true']) {
        assert.equal((await paginationOf(by(COUNTRIES, { isPaginationNeeded: value })))?.pageSize, 10);
      }
      for (const value of [false, 'false']) {
        const request = by(COUNTRIES, { isPaginationNeeded: value });
        assert.equal(await paginationOf(request), undefined);
        assert.equal((await itemsOf(request)).length, ALL_COUNTRIES);
      }
    });

    it('a geography list returns 400 for any other value of isPaginationNeeded', async () => {
      for (const value of ['2', '01', 'yes', 'no', 'on', 't', ' true', 'null', ' ']) {
        for (const path of GEOGRAPHY_PATHS) {
          await assertRefused(by(path, { isPaginationNeeded: value }), 'isPaginationNeeded', 'INVALID_TYPE');
        }
      }
    });

    it('a geography list without pagination ignores page and limit, whatever their values', async () => {
      const full = await bare.app.inject(by(STATES, { countryId: INDIA }));
      for (const value of [2, 0, -1, 1001, 'x', '', '1.5', ['1', '2'], ['x'], 'true', '9'.repeat(400)]) {
        for (const needed of [{}, { isPaginationNeeded: false }, { isPaginationNeeded: '' }]) {
          const ignored = { countryId: INDIA, page: value, limit: value, ...needed };
          assert.equal((await bare.app.inject(by(STATES, ignored))).body, full.body);
        }
      }
    });

    it('a geography list uses page 1 and limit 10 by default', async () => {
      for (const given of [{}, { page: '', limit: '' }]) {
        const pagination = await paginationOf(by(COUNTRIES, { ...PAGE, ...given }));
        assert.deepEqual([pagination?.currentPage, pagination?.pageSize], [1, 10]);
      }
    });

    it('a geography list accepts a limit from 1 to 1000, and names these bounds for any other number', async () => {
      for (const path of GEOGRAPHY_PATHS) {
        for (const limit of [1, 1000]) {
          assert.equal((await paginationOf(by(path, { ...PAGE, limit })))?.pageSize, limit);
        }
        for (const limit of [0, -1, 1001, 100_000]) {
          const message = await assertRefused(by(path, { ...PAGE, limit }), 'limit', 'OUT_OF_RANGE');
          assert.equal(message, 'limit must be a whole number from 1 to 1000.');
        }
      }
    });

    it('a geography list accepts a page of at least 1, and names this bound for a lower number', async () => {
      for (const path of GEOGRAPHY_PATHS) {
        for (const page of [0, -1]) {
          const message = await assertRefused(by(path, { ...PAGE, page }), 'page', 'OUT_OF_RANGE');
          assert.equal(message, 'page must be a whole number of at least 1.');
        }
      }
    });

    it('a geography list returns all problems of the parameters at once', async () => {
      const wrong = { ...PAGE, search: 'x'.repeat(257), stateId: 'x', countryId: 'y', page: 0, limit: 0 };
      const { errors } = assertInvalid(
        await bare.app.inject(by(CITIES, wrong)),
        'search',
        'stateId',
        'countryId',
        'page',
        'limit',
      );
      assert.deepEqual(
        errors?.map(({ code }) => code),
        ['TOO_LONG', 'INVALID_TYPE', 'INVALID_TYPE', 'OUT_OF_RANGE', 'OUT_OF_RANGE'],
      );
    });

    it('a geography list ignores an empty parameter', async () => {
      const full = await bare.app.inject(by(STATES));
      const empty = { search: '', countryId: '', isPaginationNeeded: '', page: '', limit: '' };
      assert.equal((await bare.app.inject(by(STATES, empty))).body, full.body);
    });

    it('a geography list ignores unknown parameters', async () => {
      const ofDelhi = await bare.app.inject(by(CITIES, { stateId: DELHI }));
      const unknown = { STATEID: GOA, state_id: GOA, 'states[]': GOA, constructor: 'x', toString: 'x', name: 'x' };
      assert.equal((await bare.app.inject(by(CITIES, { stateId: DELHI, ...unknown }))).body, ofDelhi.body);
    });

    it('a geography list returns 400 for a known parameter that is written as a list', async () => {
      for (const name of ['search', 'stateId', 'countryId', 'countryCode', 'ids', 'include', 'page', 'limit']) {
        for (const bracket of ['[]', '[0]', '[1]', '[a]'])
          await assertRefused(by(CITIES, { [name + bracket]: '1' }), name, 'DUPLICATE');
      }
      await assertRefused(by(STATES, { countryId: INDIA, 'countryId[]': INDIA }), 'countryId', 'DUPLICATE');
      await assertRefused(by(COUNTRIES, { 'ids[]': [1, 2] }), 'ids', 'DUPLICATE');
      const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`, 'x']));
      await assertRefused(by(CITIES, { ...unknown, 'stateId[]': GOA }), 'stateId', 'DUPLICATE');
    });

    it('a geography list returns 400 for a known parameter that is given twice, even with the same value', async () => {
      const twice: readonly Parameters[] = [
        { search: ['a', 'a'] },
        { stateId: [GOA, GOA] },
        { countryId: [INDIA, INDIA] },
        { isPaginationNeeded: ['true', 'true'] },
        { ...PAGE, page: [1, 1] },
        { ...PAGE, limit: [1, 1] },
      ];
      for (const parameters of twice) {
        const [name = ''] = Object.keys(parameters).slice(-1);
        await assertRefused(by(CITIES, parameters), name, 'DUPLICATE');
      }
    });
  });
}

describe('in a JSON body', () => {
  it('a geography list ignores null in a JSON body', async () => {
    const nothing = { search: null, stateId: null, countryId: null, isPaginationNeeded: null, page: null, limit: null };
    assert.equal(await paginationOf(byPost(STATES, nothing)), undefined);
    assert.equal((await itemsOf(byPost(CITIES, { ...nothing, stateId: GOA }))).length, CITIES_OF_GOA);
    const pagination = await paginationOf(byPost(STATES, { ...nothing, ...PAGE }));
    assert.deepEqual([pagination?.currentPage, pagination?.pageSize], [1, 10]);
  });

  it('a geography list returns 400 for a value of another type in a JSON body', async () => {
    for (const value of [true, false, 1.5, {}, { a: 1 }]) {
      await assertRefused(byPost(CITIES, { stateId: value }), 'stateId', 'INVALID_TYPE');
      await assertRefused(byPost(CITIES, { ...PAGE, limit: value }), 'limit', 'INVALID_TYPE');
    }
    for (const value of [1, 0, {}]) {
      await assertRefused(byPost(CITIES, { isPaginationNeeded: value }), 'isPaginationNeeded', 'INVALID_TYPE');
    }
    for (const value of [1, true, {}]) await assertRefused(byPost(CITIES, { search: value }), 'search', 'INVALID_TYPE');
  });

  it('a geography list accepts any notation of a whole number in a JSON body', async () => {
    const headers = { 'content-type': 'application/json' };
    const payload = '{"stateId":4.009e3,"isPaginationNeeded":true,"page":1.0,"limit":1e1}';
    const pagination = await paginationOf({ method: 'POST', url: CITIES, headers, payload });
    assert.deepEqual([pagination?.totalItems, pagination?.pageSize], [CITIES_OF_GOA, 10]);
  });
});
