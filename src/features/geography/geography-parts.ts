import { createHash } from 'node:crypto';
import { compareCodePoints, fold } from '../../lib/text-folding.ts';
import { indexNames } from './alternate-names/build.ts';
import { looseFormWriter } from './alternate-names/loose-form.ts';
import type { IndexedNames } from './alternate-names/name-forms.ts';
import { type WrittenNames, writeNames } from './alternate-names/written-names.ts';
import type { WrittenList } from './json-list.ts';
import { type CityDetails, type CountryDetails, gatherCityDetails, gatherCountryDetails } from './location-details.ts';
import { writeLocations } from './location-json.ts';
import { type FilterColumn, filterColumn } from './location-list.ts';
import { buildNgramIndex, type NgramIndexParts } from './ngram-index/build.ts';
import { TEXT_SEPARATOR } from './ngram-index/postings.ts';
import type { CityRow, GeographyRows, LocationKind } from './records.ts';

type Ids = Int32Array<ArrayBuffer>;
/** Areas of a city: its state, the state that contains that, the outermost one, and the country. */
export type CityFilter = 'stateId' | 'outerStateId' | 'topStateId' | 'countryId';
type Order = Uint32Array<ArrayBuffer>;

/** The parts of every list. */
export interface ListParts<Filter extends string> {
  json: WrittenList;
  /** The rows in search order. A rank is an index in it, and is what every other part refers to, except the JSON and the details. */
  order: Order;
  ngrams: NgramIndexParts;
  names: IndexedNames;
  alternateNames: WrittenNames;
  /** The folded codes of each rank; may be empty. */
  codes: string[][];
  ids: Ids;
  /** The logarithm of the population at each rank; 0 for states and countries, which go by name. */
  weights: Float32Array<ArrayBuffer>;
  filters: Record<Filter, FilterColumn>;
}

/** The parts of an index that are slow to build, as plain data. */
export interface GeographyParts {
  version: string;
  cities: ListParts<CityFilter> & { details: CityDetails };
  states: ListParts<'countryId' | 'hasCities'> & {
    details: Record<'type' | 'parentId', string[]>;
    /** People in the cities of each state, by rank. */
    people: number[];
    /** The filter of all cities within, for the states that contain others. */
    within: ReadonlyMap<number, CityFilter>;
  };
  doubles: Readonly<Record<number, readonly [id: number, name: string]>>;
  countries: ListParts<never> & { details: CountryDetails };
}

/** Version of the response format; increase it when the same data gives other texts or another order. */
const FORM = '5';

/** Builds the parts, each list ordered by folded name, then id. */
export function buildGeographyParts(rows: GeographyRows): GeographyParts {
  const countries = inListOrder(rows.countries);
  const states = inListOrder(rows.states);
  const cities = inListOrder(rows.cities);
  const json = writeLocations({ countries: countries.rows, states: states.rows, cities: cities.rows });
  const countryOfState = new Map(rows.states.map((state) => [state.id, state.countryId]));
  const codeOfCountry = new Map(rows.countries.map(({ id, iso2 }) => [id, iso2]));
  const write = looseFormWriter();
  /** @param texts what to search in besides names, per row */
  function searched<Row extends { id: number; name: string }>(
    kind: LocationKind,
    list: InListOrder<Row>,
    order: Order,
    countryIds: Ids,
    texts = list.foldedNames,
  ) {
    const alternateNames = othersOf(rows, kind, list.rows);
    const inOrder = searchOrder(list.rows, order);
    const names = {
      own: inOrder.map(({ name }) => name),
      others: searchOrder(alternateNames, order),
      countryCodes: Array.from(order, (row) => codeOfCountry.get(countryIds[row] ?? 0) ?? ''),
    };
    return {
      json: json[LISTS[kind]],
      order,
      ngrams: buildNgramIndex(searchOrder(texts, order)),
      names: indexNames(names, write),
      alternateNames: writeNames(alternateNames),
      ids: column(inOrder, idOf),
    };
  }

  const cityOrder = byPopulation(cities.rows);
  const [stateOrder, countryOrder] = [states, countries].map((list) => Uint32Array.from(list.rows.keys())) as [
    Order,
    Order,
  ];
  const cityCountries = column(cities.rows, ({ stateId }) => countryOfState.get(stateId) ?? 0);
  const stateCountries = column(states.rows, ({ countryId }) => countryId);
  const parentOf = new Map(states.rows.map(({ id, parentId }) => [id, parentId ?? undefined]));
  const parents = new Set(parentOf.values());
  /** Returns a state, the one that contains it, and so on. */
  const lineageOf = (id: number | undefined): number[] =>
    id === undefined ? [] : [id, ...lineageOf(parentOf.get(id))];
  const lineages = new Map(states.rows.map(({ id }) => [id, lineageOf(id)]));
  const areaOfCities = (areaOf: (stateId: number, outer: readonly number[]) => number) =>
    filterColumn(
      column(cities.rows, ({ stateId }) => areaOf(stateId, lineages.get(stateId) ?? [])),
      cityOrder,
    );
  const peopleIn = new Map<number, number>();
  for (const { stateId, population } of cities.rows) {
    peopleIn.set(stateId, (peopleIn.get(stateId) ?? 0) + (population ?? 0));
  }
  const withCities = new Set(Array.from(peopleIn.keys(), (id) => lineages.get(id) ?? []).flat());
  const stateCodes = states.rows.map(({ stateCode }) => fold(stateCode));
  const stateTexts = states.foldedNames.map((name, row) => `${name}${TEXT_SEPARATOR}${stateCodes[row]}`);
  const doubleNames = new Map<number, string>();
  for (const [id, name] of Object.values(rows.doubles ?? {})) {
    doubleNames.set(id, `${doubleNames.get(id) ?? ''}${TEXT_SEPARATOR}${fold(name)}`);
  }
  const cityTexts = cities.foldedNames.map((name, row) => name + (doubleNames.get(cities.rows[row]?.id ?? 0) ?? ''));
  const parts = {
    doubles: rows.doubles ?? {},
    cities: {
      ...searched('city', cities, cityOrder, cityCountries, cityTexts),
      codes: [],
      weights: Float32Array.from(cityOrder, (row) => Math.log10((cities.rows[row]?.population ?? 0) + 10)),
      filters: {
        stateId: areaOfCities((stateId) => stateId),
        outerStateId: areaOfCities((stateId, [, outer]) => (parents.has(stateId) ? stateId : (outer ?? stateId))),
        topStateId: areaOfCities((stateId, lineage) => lineage.at(-1) ?? stateId),
        countryId: filterColumn(cityCountries, cityOrder),
      },
      details: gatherCityDetails(cities.rows),
    },
    states: {
      ...searched('state', states, stateOrder, stateCountries, stateTexts),
      codes: stateCodes.map((code) => [code]),
      weights: new Float32Array(states.rows.length),
      people: states.rows.map(({ id }) => peopleIn.get(id) ?? 0),
      filters: {
        countryId: filterColumn(stateCountries, stateOrder),
        hasCities: filterColumn(
          column(states.rows, ({ id }) => Number(withCities.has(id))),
          stateOrder,
        ),
      },
      within: new Map<number, CityFilter>(
        Array.from(lineages.values(), ([, ...outer]) => outer)
          .flat()
          .map((id) => [id, parentOf.get(id) === undefined ? 'topStateId' : 'outerStateId']),
      ),
      details: {
        type: states.rows.map(({ type }) => JSON.stringify(type ?? null)),
        parentId: states.rows.map(({ parentId }) => JSON.stringify(parentId ?? null)),
      },
    },
    countries: {
      ...searched('country', countries, countryOrder, column(countries.rows, idOf)),
      weights: new Float32Array(countries.rows.length),
      codes: countries.rows.map(({ iso2, iso3 }) => [fold(iso2), fold(iso3)]),
      filters: {},
      details: gatherCountryDetails(countries.rows),
    },
  };
  return { ...parts, version: versionOf(parts) };
}

const LISTS = { city: 'cities', state: 'states', country: 'countries' } as const;

function searchOrder<Item>(list: readonly Item[], order: Uint32Array): Item[] {
  const items: Item[] = [];
  // A list has an item for each row.
  for (let rank = 0; rank < order.length; rank++) items.push(list[order[rank] ?? 0] as Item);
  return items;
}

/** Returns a hash of all response content. */
function versionOf({ cities, states, countries }: Omit<GeographyParts, 'version'>): string {
  const hash = createHash('sha256').update(FORM);
  for (const { json, alternateNames } of [countries, states, cities]) {
    hash.update(json.all).update(alternateNames.bytes).update(alternateNames.starts);
  }
  const { latitude, longitude, timezone, population, timezones } = cities.details;
  for (const column of [latitude, longitude, timezone, population]) hash.update(column);
  hash.update(JSON.stringify([timezones, countries.details, states.details]));
  return hash.digest('base64url').slice(0, 16);
}

/** Returns the alternate names of each location in one text; empty if it has none. */
function othersOf(
  { alternateNames = [] }: GeographyRows,
  kind: LocationKind,
  rows: readonly { id: number }[],
): string[] {
  const names = new Map<number, string>();
  for (const record of alternateNames) if (record.kind === kind) names.set(record.id, record.names);
  return rows.map(({ id }) => names.get(id) ?? '');
}

/** Returns one number per row. */
function column<Row>(rows: readonly Row[], of: (row: Row) => number): Ids {
  const numbers = new Int32Array(rows.length);
  let index = 0;
  for (const row of rows) numbers[index++] = of(row);
  return numbers;
}

const idOf = ({ id }: { id: number }): number => id;

interface InListOrder<Row> {
  rows: Row[];
  foldedNames: string[];
}

function inListOrder<Row extends { id: number; name: string }>(rows: Row[]): InListOrder<Row> {
  const folded = rows
    .map((row) => ({ row, foldedName: fold(row.name) }))
    .sort((a, b) => compareCodePoints(a.foldedName, b.foldedName) || a.row.id - b.row.id);
  return { rows: folded.map(({ row }) => row), foldedNames: folded.map(({ foldedName }) => foldedName) };
}

/** Above any population, and above any number of rows. */
const [MAX_POPULATION, MAX_ROWS] = [2 ** 31, 2 ** 21];

/** Returns the rows by descending population; equal ones keep their order. */
function byPopulation(cities: readonly CityRow[]): Order {
  // Population and row packed into one number: these sort ten times as fast as rows by a comparison function.
  const keys = new Float64Array(cities.length);
  let row = 0;
  for (const { population } of cities) keys[row] = (MAX_POPULATION - (population ?? 0)) * MAX_ROWS + row++;
  keys.sort();
  const order = new Uint32Array(cities.length);
  for (let rank = 0; rank < order.length; rank++) order[rank] = (keys[rank] ?? 0) % MAX_ROWS;
  return order;
}
