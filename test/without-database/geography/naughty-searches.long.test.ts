import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fold } from '../../../src/lib/text-folding.ts';
import { assertInvalid, pageOf } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { byGet, byPost, GEOGRAPHY_PATHS } from '../../support/geography-lists.ts';
import { NAUGHTY_STRINGS } from '../../support/naughty-strings.ts';

/** Places that are called like what is searched for, as far as a name may be so long and has no control character. */
const NAMES = [...new Set(NAUGHTY_STRINGS.map((text) => text.trim()))].filter(
  (name) => fold(name) !== '' && name.length <= 200 && !/[\p{Cc}\p{Cs}]/u.test(name),
);
const ISO = { iso2: 'ZZ', iso3: 'ZZZ' };

const bare = await buildBareApp({
  places: {
    countries: NAMES.map((name, index) => ({ id: index + 1, name, ...ISO })),
    states: NAMES.map((name, index) => ({ id: index + 1, name, countryId: 1, stateCode: `${index}-` })),
    cities: NAMES.map((name, index) => ({ id: index + 1, name, stateId: 1 })),
  },
});
after(() => bare[Symbol.asyncDispose]());

describe('places are searched for by naughty texts', () => {
  for (const path of GEOGRAPHY_PATHS) {
    for (const by of [byGet, byPost]) {
      it(`${path} by ${by === byGet ? 'GET' : 'POST'} finds the places that contain a hostile text`, async () => {
        for (const search of NAUGHTY_STRINGS) {
          const response = await bare.app.inject(by(path, { search }));
          // A query string makes U+FFFD of half of a surrogate pair.
          const sent = by === byGet ? search.toWellFormed() : search;
          if (search.includes('\0') || !sent.isWellFormed() || [...search].length > 256) {
            assertInvalid(response, 'search');
            continue;
          }
          const needle = fold(sent);
          const found = new Set(pageOf<{ name: string }>(response).items.map(({ name }) => name));
          const expected = NAMES.filter((name) => fold(name).includes(needle));
          for (const name of expected) assert.ok(found.has(name), `${JSON.stringify(search)} does not find ${name}`);
          const codes = path === '/api/states/list' ? /^[\d-]+$/.test(needle) : /^zzz?$/.test(needle);
          if (!codes) assert.equal(found.size, expected.length, JSON.stringify(search));
        }
      });
    }
  }

  it('there are more than 400 hostile search texts', () => assert.ok(new Set(NAUGHTY_STRINGS).size > 400));
});
