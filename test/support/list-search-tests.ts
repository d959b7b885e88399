import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from '../../src/lib/text-folding.ts';
import { assertInvalid, pageOf } from './answers.ts';
import type { TestApp } from './build-test-app.ts';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';
import { ask, expectedIds, type PagedList, type Query, walk } from './paged-list.ts';

/** What the search of every list does. One of the items must hold `%`, one `_`, one `\\`. */
export function testListSearch(api: TestApp, list: PagedList): void {
  const get = (more: Query) => ask(api, list, more);

  describe(`${list.name}: search`, () => {
    it(`${list.name} finds every item by each of its texts, in any case, accents and white space`, async () => {
      for (const { id, texts } of list.items.slice(0, 12)) {
        for (const text of texts) {
          const wide = ` \t${text.toUpperCase().replaceAll(' ', ' \u00a0 ')} `;
          for (const search of [text, fold(text), wide, text.normalize('NFD')]) {
            const found = pageOf<{ id: string }>(await get({ search, limit: '100' })).items;
            assert.ok(
              found.some((item) => item.id === id),
              `${JSON.stringify(search)} does not find ${text}`,
            );
          }
        }
      }
    });

    it(`${list.name} counts what a search finds, and its pages hold all of it`, async () => {
      for (const search of ['a', 'tr', 'É', 'an']) {
        const expected = expectedIds(list, search);
        assert.ok(expected.length > 0, search);
        for (const limit of [1, 3, 7, 100]) assert.deepEqual(await walk(api, list, { search }, limit), expected);
        assert.equal(pageOf(await get({ search, limit: '1' })).pagination.totalItems, expected.length);
      }
    });

    it(`${list.name} searches for %, _ and \\ as ordinary characters`, async () => {
      for (const search of [
        '%',
        '_',
        '\\',
        '100%',
        '%%',
        '__',
        '\\\\',
        '\\%',
        '\\_',
        'a%',
        '_a',
        '50_50',
        'back\\sl',
        '.*',
        '%a%',
      ]) {
        assert.deepEqual(await walk(api, list, { search }, 100), expectedIds(list, search), search);
      }
      for (const search of ['%', '_', '\\']) assert.equal(expectedIds(list, search).length, 1);
    });

    it(`${list.name} with an empty or blank search returns every item`, async () => {
      for (const search of ['', ' ', '\t\n', '\u00a0\u3000', '\u0301']) {
        assert.deepEqual(await walk(api, list, { search }, 100), expectedIds(list));
      }
    });

    it(`${list.name} finds exactly the items that contain the search, for naughty texts too`, async () => {
      for (const search of NAUGHTY_STRINGS) {
        const response = await get({ search, limit: '100' });
        if (search.includes('\0') || [...search].length > 256) assertInvalid(response, 'search');
        else {
          const sent = search.toWellFormed(); // what the query string makes of half of a surrogate pair
          const { items, pagination } = pageOf<{ id: string }>(response);
          assert.deepEqual(
            items.map(({ id }) => id),
            expectedIds(list, sent),
            JSON.stringify(search),
          );
          assert.equal(pagination.totalItems, items.length);
        }
      }
    });

    it(`${list.name} accepts a search of 256 code points, and returns 400 for a longer one`, async () => {
      for (const letter of ['x', 'é', '😀']) {
        assert.deepEqual(pageOf(await get({ search: letter.repeat(256) })).items, []);
        const { errors } = assertInvalid(await get({ search: letter.repeat(257) }), 'search');
        assert.equal(errors?.[0]?.code, 'TOO_LONG');
      }
    });
  });
}
