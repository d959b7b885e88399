import type { CityRow, CountryRow, StateRow } from './geography-queries.ts';
import { buildJsonList, type JsonList } from './json-list.ts';

/** The messages of the lists (spec.: Messages per operation). */
export const PLACE_MESSAGES = {
  cities: 'Cities retrieved successfully',
  states: 'States retrieved successfully',
  countries: 'Countries retrieved successfully',
} as const;

/** The rows of the geography in list order. */
export interface OrderedPlaces {
  countries: CountryRow[];
  states: StateRow[];
  cities: CityRow[];
}

/** Writes the three lists down (spec.: City, State; the countries in the same form as the states). */
export function buildPlaceJson({ countries, states, cities }: OrderedPlaces): Record<keyof OrderedPlaces, JsonList> {
  const citiesInState = countBy(cities, (city) => city.stateId);
  const statesInCountry = countBy(states, (state) => state.countryId);
  const citiesInCountry = new Map<number, number>();
  const countryJson = new Map(
    countries.map(({ id, name, iso2, iso3 }) => [id, JSON.stringify({ id, name, iso2, iso3 })]),
  );
  // All that the cities of a state have in common.
  const cityEnding = new Map<number, string>();
  for (const { id, name, stateCode, countryId } of states) {
    const count = citiesInState.get(id) ?? 0;
    citiesInCountry.set(countryId, (citiesInCountry.get(countryId) ?? 0) + count);
    const state = JSON.stringify({ id, name, stateCode });
    const country = countryJson.get(countryId);
    cityEnding.set(id, `,"stateId":${id},"countryId":${countryId},"state":${state},"country":${country}}`);
  }

  return {
    countries: jsonList(PLACE_MESSAGES.countries, countries, ({ id, name, iso2, iso3 }) =>
      JSON.stringify({
        ...{ id, name, iso2, iso3 },
        _count: { states: statesInCountry.get(id) ?? 0, cities: citiesInCountry.get(id) ?? 0 },
      }),
    ),
    states: jsonList(PLACE_MESSAGES.states, states, ({ id, name, stateCode, countryId }) => {
      const own = JSON.stringify({ id, name, stateCode, countryId }).slice(0, -1);
      return `${own},"country":${countryJson.get(countryId)},"_count":{"cities":${citiesInState.get(id) ?? 0}}}`;
    }),
    cities: jsonList(
      PLACE_MESSAGES.cities,
      cities,
      ({ id, name, stateId }) => `{"id":${id},"name":${JSON.stringify(name)}${cityEnding.get(stateId)}`,
    ),
  };
}

function jsonList<Row>(message: string, rows: Row[], item: (row: Row) => string): JsonList {
  return buildJsonList(message, rows.length, (number) => item(rows[number] as Row));
}

function countBy<Row>(rows: Row[], keyOf: (row: Row) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}
