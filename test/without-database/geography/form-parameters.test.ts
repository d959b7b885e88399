import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertInvalid, pageOf } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import {
  byGet,
  byPost,
  CITY_COUNT,
  type CityItem,
  type CountryItem,
  GEOGRAPHY_PATHS,
  type GeographyPath,
  type Parameters,
  type StateItem,
} from '../../support/geography-lists.ts';
import { publishedSchemaCheck } from '../../support/matches-schema.ts';

const [CITIES, STATES, COUNTRIES] = ['/api/cities/list', '/api/states/list', '/api/countries/list'] as const;
const INDIA = 101;
const bare = await buildBareApp({ places: 'world' });
after(() => bare[Symbol.asyncDispose]());
const check = publishedSchemaCheck();

const INCLUDED = {
  [CITIES]: /location, timezone, population, alternateNames/,
  [STATES]: /alternateNames/,
  [COUNTRIES]: /phoneCode, currency, flag, nativeName, location, alternateNames/,
} as const;

for (const by of [byGet, byPost]) {
  const list = async <Item>(path: GeographyPath, parameters: Parameters) => {
    const response = await bare.app.inject(by(path, parameters));
    check({ method: by === byGet ? 'GET' : 'POST', path }, response);
    return pageOf<Item>(response).items;
  };

  describe(`by ${by === byGet ? 'GET' : 'POST'}`, () => {
    it('a geography list with ids returns the places with these ids, in list order', async () => {
      for (const path of GEOGRAPHY_PATHS) {
        const all = (await list<{ id: number }>(path, { isPaginationNeeded: true, limit: 100 })).map(({ id }) => id);
        const wanted = [all[7], all[2], all[99], all[2], 987_654_321];
        const found = await list<{ id: number }>(path, { ids: wanted.join() });
        assert.deepEqual(
          found.map(({ id }) => id),
          [all[2], all[7], all[99]],
        );
        assert.equal((await list(path, { ids: all.join(', ') })).length, 100);
      }
    });

    it('a geography list combines ids with the search, the filters and the pages', async () => {
      const [pune] = await list<CityItem>(CITIES, { search: 'pune', countryCode: 'IN' });
      const [mumbai] = await list<CityItem>(CITIES, { search: 'mumbai' });
      assert.ok(pune && mumbai);
      const ids = `${pune.id},${mumbai.id}`;
      assert.deepEqual(await list(CITIES, { ids }), [mumbai, pune]);
      assert.deepEqual(await list(CITIES, { ids, search: 'une' }), [pune]);
      assert.deepEqual(await list(CITIES, { ids, countryId: INDIA }), [mumbai, pune]);
      assert.deepEqual(await list(CITIES, { ids, countryCode: 'FR' }), []);
      const page = pageOf(await bare.app.inject(by(CITIES, { ids, isPaginationNeeded: true, page: 2, limit: 1 })));
      assert.deepEqual([page.items, page.pagination?.totalItems], [[pune], 2]);
    });

    it('a geography list returns 400 for ids that are not whole numbers, or more than 100', async () => {
      for (const ids of ['x', '1,x', '1,,2', ',', '1;2', '1.5', '1,9007199254740993']) {
        for (const path of GEOGRAPHY_PATHS) assertInvalid(await bare.app.inject(by(path, { ids })), 'ids');
      }
      const many = Array.from({ length: 101 }, (_, number) => number).join();
      const { errors } = assertInvalid(await bare.app.inject(by(CITIES, { ids: many })), 'ids');
      assert.deepEqual(errors, [{ field: 'ids', code: 'TOO_LONG', message: 'ids must have at most 100 values.' }]);
    });

    it('a geography list with countryCode returns the same places as with countryId', async () => {
      for (const path of [CITIES, STATES] as const) {
        const ofIndia = await list(path, { countryId: INDIA });
        for (const countryCode of ['IN', 'in']) assert.deepEqual(await list(path, { countryCode }), ofIndia);
        assert.deepEqual(await list(path, { countryCode: 'IN', countryId: INDIA }), ofIndia);
        assert.deepEqual(await list(path, { countryCode: 'FR', countryId: INDIA }), []);
        assert.deepEqual(await list(path, { countryCode: 'XX' }), []);
        assert.deepEqual(await list(path, { countryCode: 'XX', search: 'a' }), []);
        assert.deepEqual(await list(path, { countryCode: '', countryId: INDIA }), ofIndia);
        for (const countryCode of ['IND', 'I', '1N', 'ÍN', ' IN']) {
          const { errors } = assertInvalid(await bare.app.inject(by(path, { countryCode })), 'countryCode');
          assert.equal(errors?.[0]?.code, 'INVALID_FORMAT');
        }
      }
      const [paris, ...others] = await list<CityItem>(CITIES, { countryCode: 'FR', search: 'paris' });
      assert.equal(paris?.name, 'Paris');
      assert.ok(others.every(({ country }) => country.iso2 === 'FR'));
      assert.ok(
        (await list<StateItem>(STATES, { countryCode: 'NP', search: 'a' })).every(
          ({ country }) => country.iso2 === 'NP',
        ),
      );
    });

    it('the list of cities adds the fields that include names', async () => {
      const plain = await list<CityItem>(CITIES, { search: 'mumbai' });
      const added = {
        location: { latitude: 19.07283, longitude: 72.88261 },
        timezone: 'Asia/Kolkata',
        population: 12_691_836,
      };
      const wide = await list<CityItem>(CITIES, { search: 'mumbai', include: 'population,location,timezone' });
      assert.deepEqual(wide[0], { ...plain[0], ...added });
      assert.deepEqual(Object.keys(wide[0] ?? {}).slice(-3), ['location', 'timezone', 'population']);
      assert.deepEqual(
        wide.map(({ id }) => id),
        plain.map(({ id }) => id),
      );
      const one = await list<CityItem>(CITIES, { search: 'mumbai', include: ' timezone ' });
      assert.deepEqual(one[0], { ...plain[0], timezone: 'Asia/Kolkata' });
      const page = await list<CityItem>(CITIES, {
        search: 'mumbai',
        include: 'timezone',
        isPaginationNeeded: true,
        limit: 1,
      });
      assert.deepEqual(page, [one[0]]);
    });

    it('the list of countries adds the fields that include names', async () => {
      const [plain] = await list<CountryItem>(COUNTRIES, { search: 'IN' });
      const include = 'phoneCode,currency,flag,nativeName,location';
      assert.deepEqual((await list(COUNTRIES, { search: 'IN', include }))[0], {
        ...plain,
        phoneCode: '91',
        currency: 'INR',
        flag: '🇮🇳',
        nativeName: 'भारत',
        location: { latitude: 20, longitude: 77 },
      });
      const all = await list<CountryItem & { flag: string }>(COUNTRIES, { include: 'flag' });
      assert.equal(all.length, 250);
      assert.ok(all.every(({ flag }) => /^\p{RI}\p{RI}$/u.test(flag)));
    });

    it('a geography list returns 400 for an unknown value of include, and names the known ones', async () => {
      for (const [path, include] of [
        [CITIES, 'flag'],
        [CITIES, 'population,'],
        [COUNTRIES, 'population'],
        [COUNTRIES, 'toString'],
        [STATES, 'flag'],
      ] as const) {
        const { message, errors } = assertInvalid(await bare.app.inject(by(path, { include })), 'include');
        assert.equal(errors?.[0]?.code, 'INVALID_VALUE');
        assert.match(message, INCLUDED[path]);
      }
    });

    it('a geography list ignores an empty ids, countryCode or include', async () => {
      const plain = await bare.app.inject(by(COUNTRIES, {}));
      assert.equal((await bare.app.inject(by(COUNTRIES, { ids: '', include: '' }))).body, plain.body);
    });
  });
}

it('the whole list of cities can include their populations', async () => {
  const response = await bare.app.inject(byGet(CITIES, { include: 'population' }));
  const cities = pageOf<CityItem & { population: number | null }>(response).items;
  assert.equal(cities.length, CITY_COUNT);
  const known = cities.filter(({ population }) => population !== null);
  assert.ok(known.length >= 122_000, String(known.length));
  assert.ok(cities.every(({ population }) => population === null || Number.isSafeInteger(population)));
});

it('an unknown location, time zone and population are null', async () => {
  await using few = await buildBareApp();
  const { items } = pageOf<object>(await few.app.inject(byGet(CITIES, { include: 'location,timezone,population' })));
  assert.deepEqual(
    items.map((city) => ({ ...city, state: undefined, country: undefined })),
    [
      {
        id: 1,
        name: 'Panaji',
        stateId: 1,
        countryId: 1,
        state: undefined,
        country: undefined,
        location: null,
        timezone: null,
        population: null,
      },
    ],
  );
});
