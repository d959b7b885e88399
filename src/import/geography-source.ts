import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CountryRecord {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
}

export interface StateRecord {
  id: number;
  countryId: number;
  name: string;
  stateCode: string;
}

export interface CityRecord {
  id: number;
  stateId: number;
  countryId: number;
  name: string;
}

/** Each list ascends by id. */
export interface GeographyRecords {
  countries: CountryRecord[];
  states: StateRecord[];
  cities: CityRecord[];
}

type CountriesFile = { id: number; name: string; iso2: string; iso3: string }[];
type StatesFile = { id: number; name: string; country_id: number; iso2: string }[];
type CitiesFile = { id: number; name: string; country_id: number; state_id: number }[];

/**
 * Reads the geography of the package `@countrystatecity/countries` (ODbL 1.0; pinned, as ids drift between its versions):
 * half a second, during which nothing else runs. It goes to the files, `countries.json`, `COUNTRY-XX/states.json` and
 * `COUNTRY-XX/STATE-YY/cities.json`, as the package's functions give one state's cities at a time.
 *
 * Names are trimmed and in NFC; state codes stay text (`01`). That ids are unique and that a city's state and country
 * agree is left to the keys of the database.
 */
export function readGeographySource(): GeographyRecords {
  const folder = dirname(fileURLToPath(import.meta.resolve('@countrystatecity/countries/data/countries.json')));
  const records: GeographyRecords = { countries: [], states: [], cities: [] };
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    readInto(records, join(folder, path));
  }
  for (const list of [records.countries, records.states, records.cities]) list.sort((a, b) => a.id - b.id);
  return records;
}

function readInto({ countries, states, cities }: GeographyRecords, path: string): void {
  switch (basename(path)) {
    case 'countries.json':
      for (const { id, name, iso2, iso3 } of readJson<CountriesFile>(path)) {
        countries.push({ id, name: clean(name), iso2, iso3 });
      }
      break;
    case 'states.json':
      for (const { id, country_id, name, iso2 } of readJson<StatesFile>(path)) {
        states.push({ id, countryId: country_id, name: clean(name), stateCode: iso2 });
      }
      break;
    case 'cities.json':
      for (const { id, state_id, country_id, name } of readJson<CitiesFile>(path)) {
        cities.push({ id, stateId: state_id, countryId: country_id, name: clean(name) });
      }
  }
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, 'utf8')) as Content;
}

function clean(name: string): string {
  return name.normalize('NFC').trim();
}
