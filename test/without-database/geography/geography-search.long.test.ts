import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeographyFile } from '../../../src/features/geography/geography-file.ts';
import { buildGeographyIndex } from '../../../src/features/geography/geography-index.ts';
import type { FoundLocations } from '../../../src/features/geography/location-list.ts';
import { compareCodePoints, fold } from '../../../src/lib/text-folding.ts';

interface Place {
  id: number;
  name: string;
  stateId?: number;
  countryId?: number;
  population?: number | null;
}

const source = await readGeographyFile();
const index = buildGeographyIndex(source);
// A city that another one was merged into is found by the name that is shown alone.
const cities = reference(source.cities, () => []);
const states = reference(source.states, ({ stateCode }) => [fold(stateCode)]);
const countries = reference(source.countries, () => []);

type Found = Place & { folded: string };

/** What the index is held against: the places as answers without a search and with one have them. */
interface Reference {
  byName: Places;
  byPopulation: Places;
}

/** Places in order, and all that is searched as one text, a line for each place. */
interface Places {
  places: Found[];
  text: string;
  lineStarts: number[];
}

function reference<Known extends Place>(places: Known[], codesOf: (place: Known) => string[]): Reference {
  const textOf = (sorted: (Known & Found)[]): Places => {
    const lineStarts = [0];
    const lines = sorted.map((place) => `${[place.folded, ...codesOf(place)].join('\t')}\n`);
    for (const [row, line] of lines.entries()) lineStarts.push((lineStarts[row] ?? 0) + line.length);
    return { places: sorted, text: lines.join(''), lineStarts };
  };
  const byName = places
    .map((place) => ({ ...place, folded: fold(place.name) }))
    .sort((a, b) => compareCodePoints(a.folded, b.folded) || a.id - b.id);
  // The sort is stable: those of a size stay by name, then by id.
  const byPopulation = byName.toSorted((a, b) => (b.population ?? 0) - (a.population ?? 0));
  return { byName: textOf(byName), byPopulation: textOf(byPopulation) };
}

interface Query {
  search?: string;
  stateId?: number;
  countryId?: number;
  ids?: number[];
}

/** The places that hold the search text, found by reading all of the text, and that pass the filters, in the ruled order. */
function expectedIds({ byName, byPopulation }: Reference, query: Query): number[] {
  const needle = fold(query.search ?? '');
  if (needle === '') return expectedPlaces(byName, query).map(({ id }) => id);
  const [first, others]: [number[], number[]] = [[], []];
  for (const { folded, id } of expectedPlaces(byPopulation, query))
    (folded.startsWith(needle) ? first : others).push(id);
  return [...first, ...others];
}

/** The same in the order of the places. */
function expectedPlaces(
  { places, text, lineStarts }: Places,
  { search = '', stateId, countryId, ids }: Query,
): Found[] {
  const needle = fold(search);
  const found: Found[] = [];
  let row = 0;
  for (let at = text.indexOf(needle); at !== -1 && at < text.length; at = text.indexOf(needle, lineStarts[row])) {
    while ((lineStarts[row + 1] ?? Number.POSITIVE_INFINITY) <= at) row++;
    const place = places[row];
    if (
      place !== undefined &&
      (stateId === undefined || place.stateId === stateId) &&
      (countryId === undefined || place.countryId === countryId) &&
      (ids === undefined || ids.includes(place.id))
    ) {
      found.push(place);
    }
    row++;
  }
  return found;
}

/** Other names count on request alone. */
function byOwnNames(): { alternateNames?: false } {
  return random(2) === 0 ? {} : { alternateNames: false };
}

/** The same for states: one whose whole code it is comes before all. */
function expectedStateIds(query: Query): number[] {
  const ids = expectedIds(states, query);
  const needle = fold(query.search ?? '');
  const withCode = new Set(source.states.filter(({ stateCode }) => fold(stateCode) === needle).map(({ id }) => id));
  const coded = states.byName.places.map(({ id }) => id).filter((id) => withCode.has(id) && ids.includes(id));
  return [...new Set([...coded, ...ids])];
}

/** The same for countries, which match by a whole code too: that one comes before all. */
function expectedCountryIds(search: string): number[] {
  const needle = fold(search);
  const byCode = source.countries.filter(
    ({ iso2, iso3 }) => needle !== '' && [fold(iso2), fold(iso3)].includes(needle),
  );
  return [...new Set([...byCode.map(({ id }) => id), ...expectedIds(countries, { search })])];
}

function idsOfPage(found: FoundLocations, page: number, limit: number): number[] {
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

test('any search for cities with any filter returns the same as a scan of every city', () => {
  for (let round = 0; round < 700; round++) {
    const city = pick(source.cities);
    const query: Query = {
      ...(random(8) > 0 && { search: randomNeedle(source.cities) }),
      ...(random(3) === 0 && { stateId: city.stateId }),
      ...(random(3) === 0 && { countryId: random(5) === 0 ? pick(source.countries).id : city.countryId }),
      ...(random(6) === 0 && { ids: Array.from({ length: 100 }, () => pick([city, pick(source.cities)]).id) }),
    };
    const expected = expectedIds(cities, query);
    const found = index.cities.find({ ...query, ...byOwnNames() });
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

test('any search for states or countries returns the same as a scan of every row', () => {
  for (let round = 0; round < 500; round++) {
    const search = randomNeedle(random(3) === 0 ? source.countries : source.states);
    const query: Query = { search, ...(random(2) === 0 && { countryId: pick(source.countries).id }) };
    const expected = expectedStateIds(query);
    const found = index.states.find({ ...query, ...byOwnNames() });
    assert.deepEqual(idsOfPage(found, 1, expected.length + 1), expected, JSON.stringify(query));
    const ids = expectedCountryIds(search);
    assert.deepEqual(
      idsOfPage(index.countries.find({ search, ...byOwnNames() }), 1, 1000),
      ids,
      JSON.stringify(search),
    );
  }
});

test('the full geography lists contain every place once, in order, as do all their pages', () => {
  for (const [list, expected] of [
    [index.cities, cities],
    [index.states, states],
    [index.countries, countries],
  ] as const) {
    const all: { id: number }[] = JSON.parse(list.all.toString()).data;
    assert.deepEqual(
      all.map(({ id }) => id),
      expected.byName.places.map(({ id }) => id),
    );
    const pages = [];
    for (let page = 1; (page - 1) * 1000 < all.length; page++) {
      pages.push(...JSON.parse(list.find({}).page({ page, limit: 1000 }).toString()).data);
    }
    assert.deepEqual(pages, all);
  }
});

test('the pages of a search together contain every match once, in the order of a plain sort over all names', () => {
  for (const query of [{ search: 'a' }, { search: 'san' }, { search: 'ville' }, { search: 'e', countryId: 233 }]) {
    const found = index.cities.find(query);
    const ids: number[] = [];
    for (let page = 1; (page - 1) * 1000 < found.totalItems; page++) ids.push(...idsOfPage(found, page, 1000));
    assert.deepEqual(ids, expectedIds(cities, query), JSON.stringify(query));
  }
});

test('the pieces of a long search result together are the whole result', () => {
  const query = { search: 'a', countryId: 233 };
  const pieces = [...index.cities.find(query).pieces()];
  assert.ok(pieces.length > 10);
  const { data } = JSON.parse(Buffer.concat(pieces).toString());
  assert.deepEqual(
    data.map(({ id }: { id: number }) => id),
    expectedIds(cities, query),
  );
});

test('a search text of the maximum request size finds nothing', () => {
  for (const letter of ['a', 'san ', '\ufdfa', 'क']) {
    assert.equal(index.cities.find({ search: letter.repeat(20_000) }).totalItems, 0);
  }
});
