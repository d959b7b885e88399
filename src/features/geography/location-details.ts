import type { CityRow, CountryRow, Position, StateRow } from './records.ts';

/** Optional fields of a location: each returns the JSON of a row. */
export type Details<Name extends string> = Record<Name, (row: number, language?: string) => string>;

/** Not a valid position or population. */
export const UNKNOWN = -(2 ** 31);

/** Names of the optional fields of cities, of states and of countries, apart from those that the list itself knows. */
const OF_CITIES = ['location', 'timezone', 'population'] as const;
const OF_STATES = ['type', 'parentId'] as const;
const OF_COUNTRIES = ['phoneCode', 'currency', 'flag', 'nativeName', 'location'] as const;
const OF_NAMES = ['alternateNames', 'localName'] as const;

export const CITY_DETAILS = [...OF_CITIES, ...OF_NAMES] as const;
export const STATE_DETAILS = [...OF_STATES, ...OF_NAMES] as const;
export const COUNTRY_DETAILS = [...OF_COUNTRIES, ...OF_NAMES, 'data'] as const;

export type CityDetail = (typeof CITY_DETAILS)[number];
export type StateDetail = (typeof STATE_DETAILS)[number];
export type CountryDetail = (typeof COUNTRY_DETAILS)[number];

/** Compact details of many cities: numbers and positions are {@link UNKNOWN} if not known. */
export type CityDetails = ReturnType<typeof gatherCityDetails>;

export function gatherCityDetails(cities: readonly CityRow[]) {
  const zones = [...new Set(cities.map(({ timezone }) => timezone ?? null))];
  const numbers = new Map(zones.map((zone, number) => [zone, number]));
  return {
    /** In ten-millionths of a degree. */
    latitude: Int32Array.from(cities, ({ latitude }) => latitude ?? UNKNOWN),
    longitude: Int32Array.from(cities, ({ longitude }) => longitude ?? UNKNOWN),
    timezones: zones.map((zone) => JSON.stringify(zone)),
    /** Index of each city's time zone in `timezones`. */
    timezone: Uint16Array.from(cities, ({ timezone }) => numbers.get(timezone ?? null) ?? 0),
    population: Int32Array.from(cities, ({ population }) => population ?? UNKNOWN),
  };
}

export function cityDetails(known: CityDetails): Details<(typeof OF_CITIES)[number]> {
  const { latitude, longitude, timezones, timezone, population } = known;
  return {
    location: (row) => locationJson(latitude[row], longitude[row]),
    timezone: (row) => timezones[timezone[row] ?? 0] ?? 'null',
    population: (row) => (population[row] === UNKNOWN ? 'null' : String(population[row])),
  };
}

/** Details of few locations: the JSON of each row. */
export type WrittenDetails<Name extends string> = Record<Name, string[]>;
export type StateDetails = WrittenDetails<(typeof OF_STATES)[number]>;
export type CountryDetails = WrittenDetails<(typeof OF_COUNTRIES)[number]>;

export const gatherStateDetails = (states: readonly StateRow[]): StateDetails => writeDetails(OF_STATES, states);
export const gatherCountryDetails = (countries: readonly CountryRow[]): CountryDetails =>
  writeDetails(OF_COUNTRIES, countries);

function writeDetails<Name extends string>(names: readonly Name[], rows: readonly object[]): WrittenDetails<Name> {
  const jsonOf = (name: Name, row: Partial<Position> & { [Field in Name]?: unknown }) =>
    name === 'location'
      ? locationJson(row.latitude ?? UNKNOWN, row.longitude ?? UNKNOWN)
      : JSON.stringify(row[name] ?? null);
  const details = names.map((name) => [name, rows.map((row) => jsonOf(name, row))]);
  return Object.fromEntries(details);
}

export function writtenDetails<Name extends string>(known: WrittenDetails<Name>): Details<Name> {
  const details = Object.entries<string[]>(known).map(([name, texts]) => [name, (row: number) => texts[row] ?? 'null']);
  return Object.fromEntries(details) as Details<Name>;
}

function locationJson(latitude = UNKNOWN, longitude = UNKNOWN): string {
  if (latitude === UNKNOWN || longitude === UNKNOWN) return 'null';
  return `{"latitude":${latitude / 1e7},"longitude":${longitude / 1e7}}`;
}
