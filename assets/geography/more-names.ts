import { readFileSync } from 'node:fs';

type Names = Readonly<Record<string, string>>;

const read = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** Hindi names, the IATA codes of airports with scheduled traffic (OurAirports), and common English names, of cities: by the city's id. */
export const CITY_NAMES: Readonly<Record<'hindi' | 'airports' | 'own', Readonly<Record<number, string>>>> =
  read('city-names.json');

const names: Readonly<Record<'cities' | 'airports' | 'countries' | 'states', Names>> = read('more-names.json');

/** What people, and the Countries States Cities Database, call places next to the names that GeoNames has of them, by the GeoNames id. */
export const MORE_NAMES: Readonly<Record<number, string>> = names.cities;

/** IATA codes of airports, by the GeoNames id of their city: where it has several, GeoNames has the code of the city alone. */
export const AIRPORTS: Readonly<Record<number, string>> = names.airports;

/** Short, former and other English names of countries, and what they call themselves in Latin letters, by their ISO 3166-1 alpha-2 code. */
export const COUNTRY_NAMES: Readonly<Record<string, string>> = names.countries;

/** Native, short, former and English names of states that the database lacks, by the code of the country and of the state. */
export const STATE_NAMES: Readonly<Record<string, string>> = names.states;

/** What states (Unicode CLDR 41) and cities (GeoNames, of libgeonames 0.3) are called in each language, by their codes and GeoNames ids. */
export const LOCAL_NAMES: Readonly<Record<'states' | 'cities', Names>> = {
  states: read('state-languages.json'),
  cities: read('city-languages.json'),
};
