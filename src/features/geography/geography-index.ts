import { createHash } from 'node:crypto';
import type { Executor } from '../../db/database.ts';
import { compareCodePoints, fold } from '../../lib/text-folding.ts';
import { type CityRow, type CountryRow, type GeographyRows, listGeography, type StateRow } from './geography-queries.ts';
import { buildJsonList, type JsonList } from './json-list.ts';
import { buildNameSearch, TEXT_SEPARATOR, type TextSearch } from './name-search.ts';
import { buildPlaceList, type PlaceList } from './place-list.ts';

/** The messages of the lists (spec.: Messages per operation). */
export const PLACE_MESSAGES = {
  cities: 'Cities retrieved successfully',
  states: 'States retrieved successfully',
  countries: 'Countries retrieved successfully',
} as const;

/** The geography in memory, ready to be sent. It never changes: a changed database is read into a new one. */
export interface GeographyIndex {
  /** Tells answers apart: a short hash of the three lists, equal for equal data in whatever database. */
  readonly version: string;
  /** The revision of the database that was read (table `geography_revision`). */
  readonly revision: string;
  readonly cities: PlaceList<'stateId' | 'countryId'>;
  readonly states: PlaceList<'countryId'>;
  readonly countries: PlaceList<never>;
}

/** Reads the geography of a database into memory. */
export async function loadGeographyIndex(db: Executor): Promise<GeographyIndex> {
  return buildGeographyIndex(await listGeography(db));
}

/** Builds the lists, each ordered by folded name, then id. Items' keys are in the order of the spec. (City, State). */
export function buildGeographyIndex(rows: GeographyRows): GeographyIndex {
  const [countries, states, cities] = [inListOrder(rows.countries), inListOrder(rows.states), inListOrder(rows.cities)];
  const countryById = new Map(rows.countries.map((country) => [country.id, country]));
  const stateById = new Map(rows.states.map((state) => [state.id, state]));
  const countryIdOf = (city: CityRow): number => required(stateById, city.stateId).countryId;

  const statesIn = countBy(rows.states, (state) => state.countryId);
  const citiesInState = countBy(rows.cities, (city) => city.stateId);
  const citiesInCountry = countBy(rows.cities, countryIdOf);
  const countryJson = textById(rows.countries, ({ id, name, iso2, iso3 }) => JSON.stringify({ id, name, iso2, iso3 }));
  ...
}
