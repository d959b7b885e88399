import type { CityRow, CountryRow } from './records.ts';

/** Optional fields of a location: each returns the JSON of a row. */
export type Details<Name extends string> = Record<Name, (row: number) => string>;

/** Compact details of many cities. */
export interface CityDetails {
  /** In ten-millionths of a degree; {@link UNKNOWN} if not known. */
  latitude: Int32Array<ArrayBuffer>;
  longitude: Int32Array<ArrayBuffer>;
  timezones: string[];
  /** Index of each city's time zone in `timezones`. */
  timezone: Uint16Array<ArrayBuffer>;
  /** {@link UNKNOWN} if not known. */
  population: Int32Array<ArrayBuffer>;
}

/** Not a valid position or population. */
export const UNKNOWN = -(2 ** 31);

/** Names of the optional fields of cities, of states and of countries. */
export const CITY_DETAILS = ['location', 'timezone', 'population', 'alternateNames', 'match'] as const;
export const STATE_DETAILS = ['type', 'parentId', 'alternateNames', 'match'] as const;
export const COUNTRY_DETAILS = [
  ...(['phoneCode', 'currency', 'flag', 'nativeName', 'location', 'alternateNames', 'match'] as const),
] as const;

/** Fields that the list itself knows. */
type OfSearch = 'alternateNames' | 'match';

export type CityDetail = (typeof CITY_DETAILS)[number];
export type StateDetail = (typeof STATE_DETAILS)[number];
export type CountryDetail = (typeof COUNTRY_DETAILS)[number];

export function gatherCityDetails(cities: readonly CityRow[]): CityDetails {
  const { length } = cities;
  const [latitude, longitude] = [new Int32Array(length), new Int32Array(length)];
  const [timezone, population] = [new Uint16Array(length), new Int32Array(length)];
  const numbers = new Map<string | null, number>();
  let row = 0;
  // One loop: `from` takes ten times as long for each column.
  for (const city of cities) {
    const name = city.timezone ?? null;
    const number = numbers.get(name) ?? numbers.size;
    if (number === numbers.size) numbers.set(name, number);
    timezone[row] = number;
    latitude[row] = city.latitude ?? UNKNOWN;
    longitude[row] = city.longitude ?? UNKNOWN;
    population[row++] = city.population ?? UNKNOWN;
  }
  const timezones = Array.from(numbers.keys(), (name) => JSON.stringify(name));
  return { latitude, longitude, timezones, timezone, population };
}

export function cityDetails(known: CityDetails): Details<Exclude<CityDetail, OfSearch>> {
  const { latitude, longitude, timezones, timezone, population } = known;
  return {
    location: (row) => locationJson(latitude[row], longitude[row]),
    timezone: (row) => timezones[timezone[row] ?? 0] ?? 'null',
    population: (row) => (population[row] === UNKNOWN ? 'null' : String(population[row])),
  };
}

/** Details of each country, as JSON. */
export type CountryDetails = Record<Exclude<CountryDetail, OfSearch>, string[]>;

export function gatherCountryDetails(countries: readonly CountryRow[]): CountryDetails {
  const texts = (name: Exclude<keyof CountryDetails, 'location'>) =>
    countries.map((country) => JSON.stringify(country[name] ?? null));
  return {
    ...{
      phoneCode: texts('phoneCode'),
      currency: texts('currency'),
      flag: texts('flag'),
      nativeName: texts('nativeName'),
    },
    location: countries.map(({ latitude, longitude }) => locationJson(latitude ?? UNKNOWN, longitude ?? UNKNOWN)),
  };
}

/** Returns the details that are written as the JSON of each row. */
export function writtenDetails<Name extends string>(known: Record<Name, string[]>): Details<Name> {
  const details = Object.entries<string[]>(known).map(([name, texts]) => [name, (row: number) => texts[row] ?? 'null']);
  return Object.fromEntries(details) as Details<Name>;
}

function locationJson(latitude = UNKNOWN, longitude = UNKNOWN): string {
  if (latitude === UNKNOWN || longitude === UNKNOWN) return 'null';
  return `{"latitude":${latitude / 1e7},"longitude":${longitude / 1e7}}`;
}
