import { readFileSync } from 'node:fs';
import type { AlternateNamesRecord, CityRecord, GeographyRecords } from '../../src/features/geography/records.ts';
import { namesOfPlace, otherNames } from './alternate-names.ts';
import { type GeoNamesPlace, readGeoNames } from './geonames.ts';
import { joinCities } from './join.ts';
import { findMissing } from './missing.ts';
import { COUNTRY_NAMES, STATE_NAMES } from './more-names.ts';
import { type PackageContent, readPackage } from './read-package.ts';

/** Makes the geography of the two packages: the Countries States Cities Database, joined with and completed from GeoNames. */
export function buildGeography(): GeographyRecords {
  const content = readPackage();
  const places = readGeoNames();
  const joined = joinCities(content.countries, content.cities, places);
  for (const [city, { population }] of joined) city.population = population;
  const missing = findMissing(content, places, new Set(joined.values()));
  const states = [...content.states, ...missing.states].map(({ id, countryId, name, stateCode }) => ({
    id,
    countryId,
    name,
    stateCode,
  }));
  const cities = [...content.cities, ...missing.cities.keys()].sort((a, b) => a.id - b.id);
  const alternateNames = gatherNames(content, cities, new Map([...joined, ...missing.cities]));
  return { countries: content.countries, states, cities, alternateNames };
}

function gatherNames(
  { countries, states, countryNames, stateNames }: PackageContent,
  cities: readonly CityRecord[],
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>,
): AlternateNamesRecord[] {
  const ofCountries = countries.map(({ id, name, iso2, nativeName }) => ({
    kind: 'country' as const,
    id,
    names: otherNames(name, [
      nativeName,
      ...(COUNTRY_NAMES[iso2]?.split(', ') ?? []),
      ...(countryNames.get(id) ?? []),
      ...(CLDR_NAMES[iso2]?.split('; ') ?? []),
    ]),
  }));
  const codeOf = new Map(countries.map(({ id, iso2 }) => [id, iso2]));
  const ofStates = states.map(({ id, name, stateCode, countryId }) => {
    const more = STATE_NAMES[`${codeOf.get(countryId)}-${stateCode}`]?.split(', ') ?? [];
    return { kind: 'state' as const, id, names: otherNames(name, [stateNames.get(id) ?? '', ...more]) };
  });
  const ofCities = cities.map((city) => {
    const place = placeOf.get(city);
    return { kind: 'city' as const, id: city.id, names: place === undefined ? '' : namesOfPlace(city.name, place) };
  });
  return [...ofCities, ...ofCountries, ...ofStates].filter(({ names }) => names !== '');
}

/** What countries are called in 49 languages by Unicode CLDR 48, by their ISO 3166-1 alpha-2 codes. */
const CLDR_NAMES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('cldr-country-names.json', import.meta.url), 'utf8'),
);
