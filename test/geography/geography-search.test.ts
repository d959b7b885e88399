import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type GeographyIndex, loadGeographyIndex } from '../../src/features/geography/geography-index.ts';
import type { FoundPlaces } from '../../src/features/geography/place-list.ts';
import { type GeographyRecords, readGeographySource } from '../../src/import/geography-source.ts';
import { compareCodePoints, fold } from '../../src/lib/text-folding.ts';
import { openSeededDatabase, type TestDatabase } from '../support/test-database.ts';

/** A place, and the folded texts that a search looks at. */
type Known = { id: number; stateId?: number; countryId?: number; texts: string[]; codes: string[] };

let db: TestDatabase;
let index: GeographyIndex;
let source: GeographyRecords;
let known: { cities: Known[]; states: Known[]; countries: Known[] };

before(async () => {
  db = await openSeededDatabase();
  index = await loadGeographyIndex(db);
  source = readGeographySource();
  known = {
    cities: inOrder(source.cities.map((city) => ({ ...city, texts: [fold(city.name)], codes: [] }))),
    states: inOrder(
      source.states.map((state) => ({ ...state, texts: [fold(state.name), fold(state.stateCode)], codes: [] })),
    ),
    countries: inOrder(
      source.countries.map(({ id, name, iso2, iso3 }) => ({
        id,
        texts: [fold(name)],
        codes: [fold(iso2), fold(iso3)],
      })),
    ),
  };
});
after(() => db[Symbol.asyncDispose]());

function inOrder(places: Known[]): Known[] {
  return places.sort((a, b) => compareCodePoints(a.texts[0] ?? '', b.texts[0] ?? '') || a.id - b.id);
}

interface Query {
  search?: string;
  stateId?: number;
  countryId?: number;
}

/** What the index must find, found by looking at every place. */
function expectedIds(places: Known[], { search = '', stateId, countryId }: Query): number[] {
  const needle = fold(search);
  return places
    .filter(
      (place) =>
        (stateId === undefined || place.stateId === stateId) &&
        (countryId === undefined || place.countryId === countryId) &&
        (place.texts.some((text) => text.includes(needle)) || place.codes.includes(needle)),
    )
    .map(({ id }) => id);
}

function idsOfPage(found: FoundPlaces, page: number, limit: number): number[] {
  return JSON.parse(found.page({ page, limit }).toString()).data.map(({ id }: { id: number }) => id);
}

let state = 20;
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function pick<Item>(items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

const LETTERS = [..."aeiousntrlkmdghbcpvyzwfjxq -'.1éöñşİıßя"];

/** A piece of a real name, in other letters at times, or letters at random. */
function randomNeedle(names: readonly { name: string }[]): string {
  const length = 1 + random(8);
  if (random(4) === 0) return Array.from({ length: Math.min(length, 3) }, () => pick(LETTERS)).join('');
  const { name } = pick(names);
  const start = random(Math.max(1, name.length - length));
  const piece = name.slice(start, start + length);
  return pick([piece, piece.toUpperCase(), piece.toLowerCase(), piece.normalize('NFD'), `  ${piece} `]);
}

test('cities: any search with any filter finds what looking at every city finds', () => {
  for (let round = 0; round < 1000; round++) {
    const city = pick(source.cities);
    const query: Query = {
      ...(random(8) > 0 && { search: randomNeedle(source.cities) }),
      ...(random(3) === 0 && { stateId: city.stateId }),
      ...(random(3) === 0 && { countryId: random(5) === 0 ? pick(source.countries).id : city.countryId }),
    };
    const [found, expected] = [index.cities.find(query), expectedIds(known.cities, query)];
    assert.equal(found.totalItems, expected.length, JSON.stringify(query));
    const limit = 1 + random(30);
    const page = 1 + random(Math.ceil(expected.length / limit) + 1);
    assert.deepEqual(
      idsOfPage(found, page, limit),
      expected.slice((page - 1) * limit, page * limit),
      JSON.stringify({ query, page, limit }),
    );
  }
});

test('states and countries: any search finds what looking at every one finds', () => {
  for (let round = 0; round < 1000; round++) {
    const search = randomNeedle(random(3) === 0 ? source.countries : source.states);
    const query: Query = { search, ...(random(2) === 0 && { countryId: pick(source.countries).id }) };
    const found = index.states.find(query);
    assert.deepEqual(
      idsOfPage(found, 1, found.totalItems + 1),
      expectedIds(known.states, query),
      JSON.stringify(query),
    );
    const countries = index.countries.find({ search });
    assert.deepEqual(idsOfPage(countries, 1, 1000), expectedIds(known.countries, { search }), JSON.stringify(search));
  }
});

test('the full lists have every place once, in order, and all pages together are the full list', () => {
  for (const kind of ['cities', 'states', 'countries'] as const) {
    const list = index[kind];
    const all: { id: number }[] = JSON.parse(list.all.toString()).data;
    assert.deepEqual(
      all.map(({ id }) => id),
      known[kind].map(({ id }) => id),
    );
    const pages = [];
    for (let page = 1; (page - 1) * 1000 < all.length; page++) {
      pages.push(...JSON.parse(list.find({}).page({ page, limit: 1000 }).toString()).data);
    }
    assert.deepEqual(pages, all);
  }
});

test('the pieces of a long answer are the answer', () => {
  const query = { search: 'a', countryId: 233 };
  const pieces = [...index.cities.find(query).pieces()];
  assert.ok(pieces.length > 10);
  const { data } = JSON.parse(Buffer.concat(pieces).toString());
  assert.deepEqual(
    data.map(({ id }: { id: number }) => id),
    expectedIds(known.cities, query),
  );
});

test('a search text that fills a request is answered, and finds nothing', () => {
  for (const letter of ['a', 'san ', '\ufdfa', 'क']) {
    assert.equal(index.cities.find({ search: letter.repeat(20_000) }).totalItems, 0);
  }
});
