import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fold } from '../../../src/lib/text-folding.ts';
import { pageOf } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { byGet, type CityItem } from '../../support/geography-lists.ts';
import { WELL_KNOWN_CITIES, type WellKnownCity } from './well-known-cities.ts';

type City = CityItem & { population: number | null };

let api: BareApp;
before(async () => {
  api = await buildBareApp({ places: 'world' });
});
after(() => api[Symbol.asyncDispose]());

/** The first ten cities for so many letters, as somebody types them. */
async function firstTen(search: string): Promise<City[]> {
  const parameters = { search, include: 'population', isPaginationNeeded: true };
  return pageOf<City>(await api.app.inject(byGet('/api/cities/list', parameters))).items;
}

/** How many of the cities are among the first ten for so many of their letters. */
async function shareFound(letters: number): Promise<number> {
  let found = 0;
  for (const city of WELL_KNOWN_CITIES) {
    const cities = await firstTen([...city.name].slice(0, letters).join(''));
    if (cities.some((one) => isThat(one, city))) found++;
  }
  return found / WELL_KNOWN_CITIES.length;
}

function isThat({ name, country }: CityItem, wanted: WellKnownCity): boolean {
  return fold(name) === fold(wanted.name) && country.iso2 === wanted.countryCode;
}

describe('two hundred well-known cities', () => {
  it('the list of well-known cities has 200 different cities', () => {
    const keys = WELL_KNOWN_CITIES.map(({ countryCode, name }) => `${countryCode} ${name}`);
    assert.equal(new Set(keys).size, 200);
  });

  for (const [letters, share] of [
    [2, 0.8],
    [3, 0.9],
    [4, 0.97],
  ] as const) {
    it(`a share of ${share} of the well-known cities is on the first page after ${letters} letters`, async () => {
      const found = await shareFound(letters);
      assert.ok(found >= share, `${(found * 100).toFixed(1)} of a hundred`);
    });
  }

  it('a well-known city comes first for its name, except after larger cities with longer names', async () => {
    for (const city of WELL_KNOWN_CITIES) {
      const cities = await firstTen(city.name);
      const place = cities.findIndex((one) => isThat(one, city));
      assert.notEqual(place, -1, city.name);
      const [own, ...before] = cities.slice(0, place + 1).reverse();
      for (const other of before) {
        assert.ok(fold(other.name).startsWith(fold(city.name)), `${other.name} before ${city.name}`);
        assert.ok((other.population ?? 0) > (own?.population ?? 0), `${other.name} before ${city.name}`);
      }
    }
  });
});

describe('the first city of a search', () => {
  for (const [typed, name, countryCode] of [
    ['mu', 'Mumbai', 'IN'],
    ['lon', 'London', 'GB'],
    ['par', 'Paris', 'FR'],
    ['tok', 'Tokyo', 'JP'],
    ['bogota', 'Bogotá D.C.', 'CO'],
    ['york', 'York', 'GB'],
    ['rome', 'Rome', 'IT'],
    ['san', 'Santiago', 'CL'],
  ] as const) {
    it(`a search for "${typed}" finds ${name} in ${countryCode} first`, async () => {
      const [first] = await firstTen(typed);
      assert.deepEqual([first?.name, first?.country.iso2], [name, countryCode]);
    });
  }
});
