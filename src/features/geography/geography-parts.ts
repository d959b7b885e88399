import { createHash } from 'node:crypto';
import { compareCodePoints, fold } from '../../lib/text-folding.ts';
import { type IndexedNames, indexNames } from './alternate-names/build.ts';
import { type WrittenList, writeJsonList } from './json-list.ts';
import { type CityDetails, type CountryDetails, gatherCityDetails, gatherCountryDetails } from './location-details.ts';
import { buildNgramIndex, type NgramIndexParts, TEXT_SEPARATOR } from './ngram-index/build.ts';
import { type WrittenTexts, writeTexts } from './number-lists.ts';
import type { GeographyRows, LocationKind } from './records.ts';

type Ids = Int32Array<ArrayBuffer>;
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
  /** The folded codes of each rank; may be empty. */
  codes: string[][];
  ids: Ids;
  /** The logarithm of the population at each rank; 0 for states and countries, which go by name. */
  weights: Float32Array<ArrayBuffer>;
  /** The id of each filter at each rank. */
  filters: Record<Filter, Ids>;
}

/** The parts of an index that are slow to build: plain data and typed arrays. */
export interface GeographyParts {
  version: string;
  cities: ListParts<CityFilter> & { details: CityDetails };
  states: ListParts<'countryId' | 'hasCities'> & {
    details: Record<'type' | 'parentId', string[]>;
    /** People in the cities of each state, by rank. */
    people: number[];
    /** The states that contain others, each with all states within it. */
    within: Readonly<Record<number, readonly number[]>>;
  };
  doubles: Readonly<Record<number, readonly [id: number, name: string]>>;
  countries: ListParts<never> & { details: CountryDetails };
}

/** Messages of the lists (spec.: Messages per operation). */
export const LIST_MESSAGES = {
  cities: 'Cities retrieved successfully',
  states: 'States retrieved successfully',
  countries: 'Countries retrieved successfully',
} as const;

/** Version of the response format; increase it when the same data gives other texts or another order. */
const FORM = '5';

/** Builds the parts, each list ordered by folded name, then id. */
export function buildGeographyParts(rows: GeographyRows): GeographyParts {
  const [countries, states, cities] = [inListOrder(rows.countries), inListOrder(rows.states), inListOrder(rows.cities)];
  const countryOf = new Map(countries.map(({ id, name, iso2, iso3 }) => [id, { id, name, iso2, iso3 }]));
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const countryOfCity = (city: { stateId: number }) => stateOf.get(city.stateId)?.countryId ?? 0;

  const parentOf = new Map(states.map(({ id, parentId }) => [id, parentId ?? undefined]));
  /** Returns a state, the one that contains it, and so on. */
  const lineageOf = (id: number | undefined): number[] =>
    id === undefined ? [] : [id, ...lineageOf(parentOf.get(id))];
  const lineages = new Map(states.map(({ id }) => [id, lineageOf(id)]));
  const peopleIn = sumBy(
    cities,
    ({ stateId }) => stateId,
    ({ population }) => population ?? 0,
  );
  const withCities = new Set(Array.from(peopleIn.keys(), (id) => lineages.get(id) ?? []).flat());
  const within: Record<number, number[]> = {};
  for (const [id, [, ...outer]] of lineages) for (const other of outer) within[other] = [...(within[other] ?? []), id];
  const citiesInState = sumBy(cities, ({ stateId }) => stateId);
  const citiesInCountry = sumBy(cities, countryOfCity);
  const statesInCountry = sumBy(states, ({ countryId }) => countryId);
  const doubleNames = new Map<number, string>();
  for (const [id, name] of Object.values(rows.doubles ?? {})) {
    doubleNames.set(id, `${doubleNames.get(id) ?? ''}${TEXT_SEPARATOR}${fold(name)}`);
  }

  const byPopulation = cities.map(({ population }, row) => ({ row, people: population ?? 0 }));
  const cityOrder = byPopulation.sort((a, b) => b.people - a.people || a.row - b.row).map(({ row }) => row);
  const others = new Map((rows.alternateNames ?? []).map(({ kind, id, names }) => [`${kind} ${id}`, names]));
  /** Builds what searches of a list need, of its rows in search order. @param textOf what to search in, besides the alternate names */
  function searched<Row extends { id: number; name: string }>(
    kind: LocationKind,
    rows: readonly Row[],
    order: readonly number[],
    countryIdOf: (row: Row) => number,
    textOf: (row: Row) => string,
  ) {
    const namesOf = ({ id }: Row) => others.get(`${kind} ${id}`) ?? '';
    const ordered = order.flatMap((row) => rows[row] ?? []);
    return {
      order: Uint32Array.from(order),
      ngrams: buildNgramIndex(ordered.map(textOf)),
      names: indexNames({
        own: ordered.map(({ name }) => name),
        others: ordered.map(namesOf),
        countryCodes: ordered.map((row) => countryOf.get(countryIdOf(row))?.iso2 ?? ''),
      }),
      alternateNames: writeTexts(rows.map(namesOf)),
      ids: Int32Array.from(ordered, ({ id }) => id),
    };
  }
  const parts = {
    doubles: rows.doubles ?? {},
    cities: {
      ...searched('city', cities, cityOrder, countryOfCity, ({ id, name }) => fold(name) + (doubleNames.get(id) ?? '')),
      json: writeJsonList(
        LIST_MESSAGES.cities,
        cities.map((city) => {
          const { id = 0, name, stateCode } = stateOf.get(city.stateId) ?? {};
          const countryId = countryOfCity(city);
          const own = { id: city.id, name: city.name, stateId: city.stateId, countryId };
          return JSON.stringify({ ...own, state: { id, name, stateCode }, country: countryOf.get(countryId) });
        }),
      ),
      codes: [],
      weights: Float32Array.from(cityOrder, (row) => Math.log10((cities[row]?.population ?? 0) + 10)),
      filters: {
        stateId: inOrder(cities, cityOrder, ({ stateId }) => stateId),
        countryId: inOrder(cities, cityOrder, countryOfCity),
      },
      details: gatherCityDetails(cities),
    },
    states: {
      ...searched(
        'state',
        states,
        [...states.keys()],
        ({ countryId }) => countryId,
        ({ name, stateCode }) => `${fold(name)}${TEXT_SEPARATOR}${fold(stateCode)}`,
      ),
      json: writeJsonList(
        LIST_MESSAGES.states,
        states.map(({ id, name, stateCode, countryId }) => {
          const _count = { cities: citiesInState.get(id) ?? 0 };
          return JSON.stringify({ id, name, stateCode, countryId, country: countryOf.get(countryId), _count });
        }),
      ),
      codes: states.map(({ stateCode }) => [fold(stateCode)]),
      weights: new Float32Array(states.length),
      people: states.map(({ id }) => peopleIn.get(id) ?? 0),
      filters: {
        countryId: Int32Array.from(states, ({ countryId }) => countryId),
        hasCities: Int32Array.from(states, ({ id }) => Number(withCities.has(id))),
      },
      within,
      details: {
        type: states.map(({ type }) => JSON.stringify(type ?? null)),
        parentId: states.map(({ parentId }) => JSON.stringify(parentId ?? null)),
      },
    },
    countries: {
      ...searched(
        'country',
        countries,
        [...countries.keys()],
        ({ id }) => id,
        ({ name }) => fold(name),
      ),
      json: writeJsonList(
        LIST_MESSAGES.countries,
        countries.map(({ id }) => {
          const _count = { states: statesInCountry.get(id) ?? 0, cities: citiesInCountry.get(id) ?? 0 };
          return JSON.stringify({ ...countryOf.get(id), _count });
        }),
      ),
      weights: new Float32Array(countries.length),
      codes: countries.map(({ iso2, iso3 }) => [fold(iso2), fold(iso3)]),
      filters: {},
      details: gatherCountryDetails(countries),
    },
  };
  return { ...parts, version: versionOf(parts) };
}

/** Returns a hash of all response content. */
function versionOf({ cities, states, countries }: Omit<GeographyParts, 'version'>): string {
  const hash = createHash('sha256').update(FORM);
  for (const { json, alternateNames } of [countries, states, cities]) {
    hash.update(json.all).update(alternateNames.units).update(alternateNames.starts);
  }
  const { latitude, longitude, timezone, population, timezones } = cities.details;
  for (const column of [latitude, longitude, timezone, population]) hash.update(column);
  hash.update(JSON.stringify([timezones, countries.details, states.details]));
  return hash.digest('base64url').slice(0, 16);
}

function inOrder<Row>(rows: readonly Row[], order: readonly number[], of: (row: Row) => number): Ids {
  return new Int32Array(order.map((row) => of(rows[row] as Row)));
}

function sumBy<Row>(rows: readonly Row[], keyOf: (row: Row) => number, amountOf: (row: Row) => number = () => 1) {
  const sums = new Map<number, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + amountOf(row));
  return sums;
}

function inListOrder<Row extends { id: number; name: string }>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, foldedName: fold(row.name) }))
    .sort((a, b) => compareCodePoints(a.foldedName, b.foldedName) || a.row.id - b.row.id)
    .map(({ row }) => row);
}
