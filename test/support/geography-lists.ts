import type { InjectOptions } from 'fastify';

/** Number of cities in the shipped geography. */
export const CITY_COUNT = 178_576;

export interface Country {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
}

export interface State {
  id: number;
  name: string;
  stateCode: string;
}

export interface CityItem {
  id: number;
  name: string;
  stateId: number;
  countryId: number;
  state: State;
  country: Country;
}

export interface StateItem extends State {
  countryId: number;
  country: Country;
  _count: { cities: number };
}

export interface CountryItem extends Country {
  _count: { states: number; cities: number };
}

/** The public lists, each with its message (spec.: Messages per operation). */
export const GEOGRAPHY_LISTS = {
  '/api/cities/list': 'Cities retrieved successfully',
  '/api/states/list': 'States retrieved successfully',
  '/api/countries/list': 'Countries retrieved successfully',
} as const;
export type GeographyPath = keyof typeof GEOGRAPHY_LISTS;
export const GEOGRAPHY_PATHS = Object.keys(GEOGRAPHY_LISTS) as GeographyPath[];

/** Parameters of a list; an array is a parameter that comes more than once. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A GET with the parameters in the query string. */
export function byGet(
  path: GeographyPath,
  parameters: Parameters = {},
): InjectOptions & { method: 'GET'; url: string } {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
    ),
  );
  return { method: 'GET', url: `${path}?${query}` };
}

/** A POST with the parameters as a JSON body. */
export function byPost(path: GeographyPath, parameters: Parameters = {}): InjectOptions & { method: 'POST' } {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', url: path, headers, payload: JSON.stringify(parameters) };
}
