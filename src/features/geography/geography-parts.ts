import { createHash } from 'node:crypto';
import { compareCodePoints, fold } from '../../lib/text-folding.ts';
import { type IndexedNames, indexNames } from './alternate-names/build.ts';
import { type WrittenList, writeJsonList } from './json-list.ts';
import {
  type CityDetails,
  type CountryDetails,
  gatherCityDetails,
  gatherCountryDetails,
  gatherStateDetails,
  type StateDetails,
} from './location-details.ts';
import { buildNgramIndex, type NgramIndexParts, TEXT_SEPARATOR } from './ngram-index.ts';
import { type WrittenTexts, writeTexts } from './number-lists.ts';
import { type GeographyRecords, type GeographyRows, KINDS, type ListName, type Sources } from './records.ts';

export type CityFilter = 'stateId' | 'countryId';

/** The parts of every list. */
export interface ListParts<Filter extends string> {
  json: WrittenList;
  /** The rows in search order. A rank is an index in it, and is what every other part refers to, except the JSON and the details. */
  order: Uint32Array<ArrayBuffer>;
  ngrams: NgramIndexParts;
  names: IndexedNames;
  /** The alternate names of each row, joined by `NAME_SEPARATOR`. */
  alternateNames: WrittenTexts;
  /** The names of each row in each language. */
  localNames: WrittenTexts;
  /** The folded codes of each rank; may be empty. */
  codes: string[][];
  ids: Int32Array<ArrayBuffer>;
  /** The logarithm of the population at each rank; 0 for states and countries, which go by name. */
  weights: Float32Array<ArrayBuffer>;
  /** The id of each filter at each rank. */
  filters: Record<Filter, Int32Array<ArrayBuffer>>;
}

/** The parts of an index that are slow to build: plain data and typed arrays. */
export interface GeographyParts {
  version: string;
  cities: ListParts<CityFilter> & {
    details: CityDetails;
    /** The row of the city that each row is a quarter of. */
    quarters: Readonly<Record<number, number>>;
  };
  states: ListParts<'countryId' | 'hasCities'> & {
    details: StateDetails;
    /** People in the cities of each state, by rank. */
    people: number[];
    /** The states that contain others, each with all states within it. */
    within: Readonly<Record<number, readonly number[]>>;
  };
  countries: ListParts<never> & { details: CountryDetails };
  doubles: GeographyRecords['doubles'];
  sources: Sources | null;
}

/** Messages of the lists (spec.: Messages per operation). */
export const LIST_MESSAGES = {
  cities: 'Cities retrieved successfully',
  states: 'States retrieved successfully',
  countries: 'Countries retrieved successfully',
} as const;

/** Version of the response format; increase it when the same data gives other texts or another order. */
const FORM = '6';

interface Row {
  id: number;
  name: string;
}

/** What a list is built of, apart from its rows. */
interface ListSource<Item extends Row, Filter extends string> {
  list: ListName;
  /** The rows in search order; absent: as they are. */
  order?: readonly number[];
  countryId(row: Item): number;
  /** Returns the fields of a row in responses. */
  json(row: Item): object;
  /** Returns other texts that a search looks in. */
  texts?(row: Item): readonly string[];
  codes?(row: Item): string[];
  weight?(row: Item): number;
  filters: Record<Filter, (row: Item) => number>;
}

/** Builds the parts, each list ordered by folded name, then id. */
export function buildGeographyParts(rows: GeographyRows): GeographyParts {
  const [countries, states, cities] = [inListOrder(rows.countries), inListOrder(rows.states), inListOrder(rows.cities)];
  const { doubles = {}, localNames } = rows;
  const countryOf = new Map(countries.map(({ id, name, iso2, iso3 }) => [id, { id, name, iso2, iso3 }]));
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const countryOfCity = (city: { stateId: number }) => stateOf.get(city.stateId)?.countryId ?? 0;

  const parentOf = new Map(states.map(({ id, parentId }) => [id, parentId ?? undefined]));
  /** Returns a state, the one that contains it, and so on. */
  const lineageOf = (id: number | undefined): number[] =>
    id === undefined ? [] : [id, ...lineageOf(parentOf.get(id))];
  const within: Record<number, number[]> = {};
  for (const { id } of states) {
    for (const outer of lineageOf(id).slice(1)) within[outer] = [...(within[outer] ?? []), id];
  }
  const stateOfCity = ({ stateId }: { stateId: number }) => stateId;
  const peopleIn = sumBy(cities, stateOfCity, ({ population }) => population ?? 0);
  const filled = new Set([...peopleIn.keys()].flatMap(lineageOf));
  const citiesInState = sumBy(cities, stateOfCity);
  const citiesInCountry = sumBy(cities, countryOfCity);
  const statesInCountry = sumBy(states, ({ countryId }) => countryId);
  const rowOf = new Map(cities.map(({ id }, row) => [id, row]));
  const quarters = Object.entries(rows.quarters ?? {}).map(([id, city]) => [rowOf.get(Number(id)), rowOf.get(city)]);
  const peopleAt = (row: number) => cities[row]?.population ?? 0;
  const others = new Map((rows.alternateNames ?? []).map(({ kind, id, names }) => [`${kind} ${id}`, names]));

  function listOf<Item extends Row, Filter extends string>(
    rows: readonly Item[],
    source: ListSource<NoInfer<Item>, Filter>,
  ): ListParts<Filter> {
    const { list, order = [...rows.keys()], countryId, texts, codes, weight } = source;
    const namesOf = ({ id }: Item) => others.get(`${KINDS[list]} ${id}`) ?? '';
    const ordered = order.flatMap((row) => rows[row] ?? []);
    const idsOf = (of: (row: Item) => number) => Int32Array.from(ordered, of);
    const filterIds = Object.entries<(row: Item) => number>(source.filters).map(([name, of]) => [name, idsOf(of)]);
    return {
      json: writeJsonList(
        LIST_MESSAGES[list],
        rows.map((row) => JSON.stringify(source.json(row))),
      ),
      order: Uint32Array.from(order),
      ngrams: buildNgramIndex(ordered.map((row) => [row.name, ...(texts?.(row) ?? [])].map(fold).join(TEXT_SEPARATOR))),
      names: indexNames({
        own: ordered.map(({ name }) => name),
        others: ordered.map(namesOf),
        countryCodes: ordered.map((row) => countryOf.get(countryId(row))?.iso2 ?? ''),
      }),
      alternateNames: writeTexts(rows.map(namesOf)),
      localNames: writeTexts(rows.map(({ id }) => (list === 'countries' ? '' : (localNames?.[list][id] ?? '')))),
      codes: codes ? ordered.map((row) => codes(row).map(fold)) : [],
      ids: idsOf(({ id }) => id),
      weights: Float32Array.from(ordered, (row) => weight?.(row) ?? 0),
      filters: Object.fromEntries(filterIds),
    };
  }

  const parts = {
    doubles,
    sources: rows.sources ?? null,
    cities: {
      ...listOf(cities, {
        list: 'cities',
        order: [...cities.keys()].sort((a, b) => peopleAt(b) - peopleAt(a) || a - b),
        countryId: countryOfCity,
        json({ id, name, stateId }) {
          const { name: stateName = '', stateCode = '' } = stateOf.get(stateId) ?? {};
          const countryId = countryOfCity({ stateId });
          const state = { id: stateId, name: stateName, stateCode };
          return { id, name, stateId, countryId, state, country: countryOf.get(countryId) };
        },
        weight: ({ population }) => Math.log10((population ?? 0) + 10),
        filters: { stateId: stateOfCity, countryId: countryOfCity },
      }),
      details: gatherCityDetails(cities),
      quarters: Object.fromEntries(quarters),
    },
    states: {
      ...listOf(states, {
        list: 'states',
        countryId: ({ countryId }) => countryId,
        json({ id, name, stateCode, countryId }) {
          const _count = { cities: citiesInState.get(id) ?? 0 };
          return { id, name, stateCode, countryId, country: countryOf.get(countryId), _count };
        },
        texts: ({ stateCode }) => [stateCode],
        codes: ({ stateCode }) => [stateCode],
        filters: { countryId: ({ countryId }) => countryId, hasCities: ({ id }) => Number(filled.has(id)) },
      }),
      people: states.map(({ id }) => peopleIn.get(id) ?? 0),
      within,
      details: gatherStateDetails(states),
    },
    countries: {
      ...listOf(countries, {
        list: 'countries',
        countryId: ({ id }) => id,
        json({ id }) {
          const _count = { states: statesInCountry.get(id) ?? 0, cities: citiesInCountry.get(id) ?? 0 };
          return { ...countryOf.get(id), _count };
        },
        codes: ({ iso2, iso3 }) => [iso2, iso3],
        filters: {},
      }),
      details: gatherCountryDetails(countries),
    },
  };
  return { ...parts, version: versionOf(parts) };
}

/** Returns a hash of all response content. */
function versionOf({ cities, states, countries, sources }: Omit<GeographyParts, 'version'>): string {
  const hash = createHash('sha256').update(FORM);
  for (const { json, alternateNames, localNames } of [countries, states, cities]) {
    hash.update(json.all).update(alternateNames.units).update(alternateNames.starts);
    hash.update(localNames.units).update(localNames.starts);
  }
  const { latitude, longitude, timezone, population, timezones } = cities.details;
  for (const column of [latitude, longitude, timezone, population]) hash.update(column);
  hash.update(JSON.stringify([timezones, countries.details, states.details, cities.quarters, sources]));
  return hash.digest('base64url').slice(0, 16);
}

function sumBy<Item>(items: readonly Item[], keyOf: (item: Item) => number, amountOf = (_: Item): number => 1) {
  const sums = new Map<number, number>();
  for (const item of items) sums.set(keyOf(item), (sums.get(keyOf(item)) ?? 0) + amountOf(item));
  return sums;
}

function inListOrder<Item extends Row>(rows: readonly Item[]): Item[] {
  return rows
    .map((row) => ({ row, foldedName: fold(row.name) }))
    .sort((a, b) => compareCodePoints(a.foldedName, b.foldedName) || a.row.id - b.row.id)
    .map(({ row }) => row);
}
