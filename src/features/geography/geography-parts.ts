import { createHash } from 'node:crypto';
import { compareCodePoints, fold } from '../../lib/text-folding.ts';
import type { CityRow, GeographyRows } from './geography-queries.ts';
import type { WrittenList } from './json-list.ts';
import { type CityDetails, type CountryDetails, gatherCityDetails, gatherCountryDetails } from './location-details.ts';
import { writePlaces } from './location-json.ts';
import { type FilterColumn, filterColumn } from './location-list.ts';
import { TEXT_SEPARATOR } from './ngram-index/postings.ts';
import { type IndexedNames, indexNames } from './ngram-index/search.ts';

type Ids = Int32Array<ArrayBuffer>;

/** All that takes time to build of an index, as data alone: it can be built in one thread and used in another. */
export interface GeographyParts {
  version: string;
  revision: string;
  cities: {
    json: WrittenList;
    names: IndexedNames;
    ids: Ids;
    filters: Record<'stateId' | 'countryId', FilterColumn>;
    details: CityDetails;
  };
  states: { json: WrittenList; names: IndexedNames; ids: Ids; filters: Record<'countryId', FilterColumn> };
  countries: {
    json: WrittenList;
    foldedNames: string[];
    /** The folded two- and three-letter codes of each. */
    codes: [iso2: string, iso3: string][];
    ids: Ids;
    details: CountryDetails;
  };
}

/** Moves where the same data is answered otherwise: other texts, or in another order. */
const FORM = '3';

/** Builds the parts, each list ordered by folded name, then id. */
export function buildGeographyParts(rows: GeographyRows): GeographyParts {
  const countries = inListOrder(rows.countries);
  const states = inListOrder(rows.states);
  const cities = inListOrder(rows.cities);
  const json = writePlaces({ countries: countries.rows, states: states.rows, cities: cities.rows });
  const countryOfState = new Map(rows.states.map((state) => [state.id, state.countryId]));
  const details = { cities: gatherCityDetails(cities.rows), countries: gatherCountryDetails(countries.rows) };
  const { latitude, longitude, timezone, population, timezones } = details.cities;
  const hash = createHash('sha256').update(FORM);
  for (const { all } of [json.countries, json.states, json.cities]) hash.update(all);
  for (const column of [latitude, longitude, timezone, population]) hash.update(column);
  hash.update(JSON.stringify([timezones, details.countries]));
  const cityNames = indexNames(cities.foldedNames, bySize(cities.rows));
  const stateNames = indexNames(
    states.rows.map(({ stateCode }, row) => `${states.foldedNames[row]}${TEXT_SEPARATOR}${fold(stateCode)}`),
  );
  return {
    version: hash.digest('base64url').slice(0, 16),
    revision: rows.revision,
    cities: {
      json: json.cities,
      names: cityNames,
      ids: column(cities.rows, idOf),
      filters: {
        stateId: filterColumn(
          column(cities.rows, (city) => city.stateId),
          cityNames.order,
        ),
        countryId: filterColumn(
          column(cities.rows, (city) => countryOfState.get(city.stateId) ?? 0),
          cityNames.order,
        ),
      },
      details: details.cities,
    },
    states: {
      json: json.states,
      names: stateNames,
      ids: column(states.rows, idOf),
      filters: {
        countryId: filterColumn(
          column(states.rows, (state) => state.countryId),
          stateNames.order,
        ),
      },
    },
    countries: {
      json: json.countries,
      foldedNames: countries.foldedNames,
      codes: countries.rows.map(({ iso2, iso3 }) => [fold(iso2), fold(iso3)]),
      ids: column(countries.rows, idOf),
      details: details.countries,
    },
  };
}

/** A number of each row. */
function column<Row>(rows: readonly Row[], of: (row: Row) => number): Ids {
  const numbers = new Int32Array(rows.length);
  let place = 0;
  for (const row of rows) numbers[place++] = of(row);
  return numbers;
}

const idOf = ({ id }: { id: number }): number => id;

function inListOrder<Row extends { id: number; name: string }>(rows: Row[]): { rows: Row[]; foldedNames: string[] } {
  const folded = rows
    .map((row) => ({ row, foldedName: fold(row.name) }))
    .sort((a, b) => compareCodePoints(a.foldedName, b.foldedName) || a.row.id - b.row.id);
  return { rows: folded.map(({ row }) => row), foldedNames: folded.map(({ foldedName }) => foldedName) };
}

/** More than any population, and more than any number of rows. */
const [MAX_PEOPLE, MAX_ROWS] = [2 ** 31, 2 ** 21];

/** The numbers of the rows, the biggest city first, those of a size as they stand. */
function bySize(cities: readonly CityRow[]): Uint32Array<ArrayBuffer> {
  // Size and row in one number each: these sort ten times as fast as rows by a comparison.
  const keys = new Float64Array(cities.length);
  let row = 0;
  for (const { population } of cities) keys[row] = (MAX_PEOPLE - (population ?? 0)) * MAX_ROWS + row++;
  keys.sort();
  const order = new Uint32Array(cities.length);
  for (let place = 0; place < order.length; place++) order[place] = (keys[place] ?? 0) % MAX_ROWS;
  return order;
}
