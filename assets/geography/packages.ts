import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GeographyRecords } from '../../src/features/geography/load/records.ts';
import { joinPopulations, readGeoNames } from './populations.ts';

/** Degrees come as texts. */
interface Located {
  latitude: string;
  longitude: string;
}

type CountryTexts = Record<'name' | 'iso2' | 'iso3' | 'phonecode' | 'currency' | 'emoji' | 'native', string>;
type CountriesFile = (Located & CountryTexts & { id: number })[];
type StatesFile = { id: number; name: string; country_id: number; iso2: string }[];
type CitiesFile = (Located & { id: number; name: string; country_id: number; state_id: number; timezone: string })[];

/**
 * Reads the geography of the package `@countrystatecity/countries` (ODbL 1.0; pinned, as ids drift between its versions), with
 * the populations of GeoNames: about two seconds, during which nothing else runs. It goes to the files, `countries.json`,
 * `COUNTRY-XX/states.json` and `COUNTRY-XX/STATE-YY/cities.json`, as the package's functions give one state's cities at a time.
 *
 * Names are trimmed and in NFC; state codes stay text (`01`). That ids are unique and that a city's state and country
 * agree is left to the keys of the database.
 */
export function readPackages(): GeographyRecords {
  const folder = dirname(fileURLToPath(import.meta.resolve('@countrystatecity/countries/data/countries.json')));
  const records: GeographyRecords = { countries: [], states: [], cities: [] };
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    readInto(records, join(folder, path));
  }
  for (const list of [records.countries, records.states, records.cities]) list.sort((a, b) => a.id - b.id);
  joinPopulations(records, readGeoNames());
  return records;
}

function readInto({ countries, states, cities }: GeographyRecords, path: string): void {
  switch (basename(path)) {
    case 'countries.json':
      for (const {
        id,
        name,
        iso2,
        iso3,
        phonecode,
        currency,
        emoji,
        native,
        latitude,
        longitude,
      } of readJson<CountriesFile>(path)) {
        const own = { phoneCode: phonecode, currency, flag: emoji, nativeName: clean(native) };
        countries.push({
          id,
          name: clean(name),
          iso2,
          iso3,
          ...own,
          latitude: position(latitude),
          longitude: position(longitude),
        });
      }
      break;
    case 'states.json':
      for (const { id, country_id, name, iso2 } of readJson<StatesFile>(path)) {
        states.push({ id, countryId: country_id, name: clean(name), stateCode: iso2 });
      }
      break;
    case 'cities.json':
      // Written out: what comes of a spread is slow to read, 150,000 times.
      for (const { id, state_id, country_id, name, latitude, longitude, timezone } of readJson<CitiesFile>(path)) {
        cities.push({
          id,
          stateId: state_id,
          countryId: country_id,
          name: clean(name),
          latitude: position(latitude),
          longitude: position(longitude),
          timezone,
          population: null,
        });
      }
  }
}

/** Degrees as a whole number of their ten-millionths. */
function position(degrees: string): number {
  return Math.round(Number(degrees) * 1e7);
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, 'utf8')) as Content;
}

function clean(name: string): string {
  return name.normalize('NFC').trim();
}
