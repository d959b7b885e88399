import { readFileSync } from 'node:fs';
import { namesInAll } from '../../src/features/geography/local-names.ts';
import {
  type AlternateNamesRecord,
  type CityRecord,
  type GeographyRecords,
  NAME_SEPARATOR,
  OWN_NAMES_END,
  type Position,
} from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { namesOfPlace, otherNames } from './alternate-names.ts';
import { findDoubles, findQuarters } from './doubles.ts';
import { type GeoNamesPlace, lastChange, readGeoNames } from './geonames.ts';
import { joinCities } from './join.ts';
import { applyKeptIds, readKeptIds } from './kept-ids.ts';
import { listBy } from './lists.ts';
import { findMissing, nearest } from './missing.ts';
import { CITY_NAMES, COUNTRY_NAMES, LOCAL_NAMES, STATE_NAMES } from './more-names.ts';
import { findMoreTowns, readAirportTowns, readPostTowns } from './more-towns.ts';
import { nearestPlaces } from './nearest-places.ts';
import { type PackageContent, readPackage } from './read-package.ts';
import { editionOf } from './sources.ts';
import { bareName, type StateFinder, stateFinder } from './states.ts';

type Names = Readonly<Record<string, string>>;

const readNames = (file: string): Names => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** What countries are called in 49 languages by Unicode CLDR 48, by their ISO 3166-1 alpha-2 codes. */
const CLDR_NAMES = readNames('cldr-country-names.json');
/** What they are called officially: of i18n-iso-countries 7.14.0 and world-countries 5.1.0. */
const OFFICIAL_NAMES = readNames('official-country-names.json');
/** What states are called by ISO 3166-2 (iso-3166 4.4.0) and Unicode CLDR 48.2, by their codes. */
const REFERENCE_NAMES = readNames('state-names.json');
/** What they are also called in Russian, Chinese, Arabic and Korean by iso3166-2-db 2.3.11. */
const SCRIPT_NAMES = readNames('state-scripts.json');
/** The code of the state that contains each state, by ISO 3166-2. */
const PARENTS = readNames('state-parents.json');

/** States of cities that no rule finds, as reviewed: by the ids of the city and the state. */
const REVIEWED: Readonly<Record<number, number>> = {
  // Huai'an Shi in Jiangsu.
  19644: 2250,
  // Ağdaş in Agdash, Xocalı and Askyaran in Khojali, Azerbaijan: the package has these states elsewhere.
  ...{ 8050: 553, 8190: 524, 8046: 524 },
  // Zhezqazghan in Ulytau, Kazakhstan; Skhirate and Temara, and Driouch, Morocco.
  65846: 5457,
  67218: 4947,
  67248: 4947,
  67107: 4931,
  // Zgornje Gorje in Gorje, Slovenia; Kanoni in Gomba, Uganda.
  104331: 4284,
  110907: 366,
  // Fulham and Shepherds Bush in Hammersmith and Fulham; La Passe on La Digue, Seychelles.
  102648997: 2448,
  102638043: 2448,
  111103219: 495,
  // Sandy Ground Village, Anguilla.
  103573407: 5279,
};

/** Kilometres from a place within which a city has its time zone. */
const SAME_ZONE = 25;
/** Zones of GeoNames in which the package is not followed by all who live there: theirs stays. */
const DISPUTED_ZONES: ReadonlySet<string> = new Set(['Asia/Urumqi', 'Europe/Simferopol']);

/** Makes the geography of the packages: the Countries States Cities Database, joined with and completed from GeoNames. */
export function buildGeography(kept = readKeptIds()): GeographyRecords {
  const content = readPackage();
  applyKeptIds(content, kept);
  const places = readGeoNames();
  const codes = codesOfStates(content);
  setParents(content, codes);
  const joined = joinCities(content.countries, content.cities, places, content.states);
  for (const [city, { population }] of joined) city.population = population;
  const finders = findStates(content, places, joined, codes);
  setZones(content, places, joined);
  const stateOfPlace = (place: GeoNamesPlace) => finders.get(place.countryCode)?.ofPlace(place);
  const missing = findMissing(content, places, new Set(joined.values()), stateOfPlace);
  const placeOf = new Map([...joined, ...missing.cities]);
  const all = [...content.cities, ...missing.cities.keys()].sort((a, b) => a.id - b.id);
  for (const city of all) city.stateId = REVIEWED[city.id] ?? city.stateId;
  const known = { countries: content.countries, states: [...content.states, ...missing.states], cities: all };
  const namesOfCity = (city: CityRecord) => [city.name, ...namesOf(city, placeOf).split(NAME_SEPARATOR)];
  all.push(...findMoreTowns([...readPostTowns(), ...readAirportTowns()], known, namesOfCity, zoneNear(places)));
  const twins = findDoubles(all, (city) => namesOf(city, placeOf));
  const states = [...content.states, ...missing.states].map(({ latitude: _, longitude: __, ...state }) => state);
  const cities = all.filter((city) => !twins.has(city));
  return {
    countries: content.countries,
    states,
    cities,
    quarters: findQuarters(cities, placeOf),
    localNames: {
      states: localNamesOf(states, ({ id }) => LOCAL_NAMES.states[codes.get(id) ?? '']),
      cities: localNamesOf(cities, (city) => LOCAL_NAMES.cities[placeOf.get(city)?.id ?? '']),
    },
    sources: { geoNames: lastChange(), countriesStatesCities: editionOf('@countrystatecity/countries') },
    alternateNames: gatherNames(content, all, placeOf, twins, codes),
    doubles: {
      ...kept.former,
      ...Object.fromEntries(Array.from(twins, ([double, twin]) => [double.id, [twin.id, double.name]])),
    },
  };
}

function localNamesOf<Item extends { id: number }>(
  items: readonly Item[],
  namesOf: (item: Item) => string | undefined,
): Record<number, string> {
  return Object.fromEntries(items.map((item) => [item.id, namesOf(item) ?? '']).filter(([, names]) => names !== ''));
}

/** Returns the ISO 3166-2 code of each state, by its id. */
function codesOfStates({ countries, states }: PackageContent): Map<number, string> {
  const iso2 = new Map(countries.map((country) => [country.id, country.iso2]));
  return new Map(states.map(({ id, countryId, stateCode }) => [id, `${iso2.get(countryId)}-${stateCode}`]));
}

function setParents({ states }: PackageContent, codes: ReadonlyMap<number, string>): void {
  const ids = new Map(Array.from(codes, ([id, code]) => [code, id]));
  for (const state of states) state.parentId = ids.get(PARENTS[codes.get(state.id) ?? ''] ?? '') ?? null;
}

/** Sets the state of each city. @returns how states of a country are found, by its code */
function findStates(
  { countries, states, cities, stateNames }: PackageContent,
  places: readonly GeoNamesPlace[],
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>,
  codes: ReadonlyMap<number, string>,
): Map<string, StateFinder> {
  const [statesOf, citiesOf] = [
    listBy(states, ({ countryId }) => [countryId]),
    listBy(cities, ({ countryId }) => [countryId]),
  ];
  const placesOf = listBy(places, ({ countryCode }) => [countryCode]);
  const parentOf = new Map(states.flatMap(({ id, parentId }) => (parentId === null ? [] : [[id, parentId] as const])));
  const finders = new Map<string, StateFinder>();
  for (const { id, iso2 } of countries) {
    const finder = stateFinder({
      states: statesOf.get(id) ?? [],
      parentOf,
      cities: citiesOf.get(id) ?? [],
      places: placesOf.get(iso2) ?? [],
      placeOf,
      namesOf: (state) => [
        state.name,
        stateNames.get(state.id) ?? '',
        ...namesIn(REFERENCE_NAMES, codes.get(state.id)),
        ...(STATE_NAMES[codes.get(state.id) ?? '']?.split(', ') ?? []),
      ],
    });
    finders.set(iso2, finder);
    const found = (citiesOf.get(id) ?? []).map((city) => [city, finder.ofCity(city)] as const);
    for (const [city, stateId] of found) city.stateId = stateId;
  }
  return finders;
}

/** Gives each city the time zone of the place that it is, or that is near, else that of the nearest city of its state: the package has that of the capital. */
function setZones(
  { countries, cities }: PackageContent,
  places: readonly GeoNamesPlace[],
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>,
): void {
  const codeOf = new Map(countries.map(({ id, iso2 }) => [id, iso2]));
  const near = zoneNear(places);
  const zoned = new Set<CityRecord>();
  for (const city of cities) {
    const timezone = placeOf.get(city)?.timezone ?? near(city, codeOf.get(city.countryId) ?? '');
    if (timezone === undefined) continue;
    zoned.add(city);
    if (!DISPUTED_ZONES.has(timezone)) city.timezone = timezone;
  }
  const zonedIn = listBy(zoned, ({ stateId }) => [stateId]);
  for (const city of cities) {
    const others = zoned.has(city) || city.latitude === null ? [] : (zonedIn.get(city.stateId) ?? []);
    city.timezone = nearest(city, others)?.timezone ?? city.timezone;
  }
}

/** Returns a function that returns the time zone of the place near a position in a country. */
function zoneNear(places: readonly GeoNamesPlace[]): (at: Position, countryCode: string) => string | undefined {
  const near = new Map(
    Array.from(
      listBy(places, ({ countryCode }) => [countryCode]),
      ([code, own]) => [code, nearestPlaces(own)],
    ),
  );
  return (at, countryCode) => near.get(countryCode)?.(at, SAME_ZONE)?.timezone;
}

/** Scripts other than Latin. */
const OTHER_SCRIPT = /^[^\u0021-\u036f]/;

function namesIn(names: Names, code = ''): string[] {
  return names[code]?.split('; ') ?? [];
}

function namesOf(
  city: CityRecord,
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>,
  more: readonly string[] = [],
): string {
  const place = placeOf.get(city);
  const others = place === undefined ? [] : namesOfPlace(city.name, place).split(NAME_SEPARATOR);
  const ofCity = [CITY_NAMES.hindi[city.id], CITY_NAMES.airports[city.id]].flatMap((names) => names?.split(', ') ?? []);
  const all = otherNames(city.name, [...others, ...ofCity, ...more]);
  // GeoNames' name is a city's own too.
  const own = otherNames(city.name, [place?.name ?? '', CITY_NAMES.own[city.id] ?? '']);
  if (own === '') return all;
  const known = new Set(own.split(NAME_SEPARATOR).map(fold));
  const rest = all.split(NAME_SEPARATOR).filter((name) => !known.has(fold(name)));
  return own + OWN_NAMES_END + rest.join(NAME_SEPARATOR);
}

function gatherNames(
  { countries, states, countryNames, stateNames }: PackageContent,
  cities: readonly CityRecord[],
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>,
  twins: ReadonlyMap<CityRecord, CityRecord>,
  codes: ReadonlyMap<number, string>,
): AlternateNamesRecord[] {
  const ofCountries = countries.map(({ id, name, iso2, nativeName }) => ({
    kind: 'country' as const,
    id,
    names: otherNames(name, [
      nativeName,
      ...(COUNTRY_NAMES[iso2]?.split(', ') ?? []),
      ...(countryNames.get(id) ?? []),
      ...namesIn(CLDR_NAMES, iso2),
      ...namesIn(OFFICIAL_NAMES, iso2),
    ]),
  }));
  const citiesNamed = listBy(cities, ({ stateId, name }) => [`${stateId} ${bareName(name)}`]);
  const shown = new Set(states.map(({ countryId, name }) => `${countryId} ${fold(name)}`));
  const ofStates = states.map(({ id, name, countryId }) => {
    const code = codes.get(id) ?? '';
    const more = [...(STATE_NAMES[code]?.split(', ') ?? []), ...namesIn(REFERENCE_NAMES, code)];
    more.push(...namesIn(SCRIPT_NAMES, code));
    // `Washington` is the state, though some languages call the capital's district so.
    more.push(
      ...namesInAll(LOCAL_NAMES.states[code] ?? '').filter((other) => !shown.has(`${countryId} ${fold(other)}`)),
    );
    // A state that is called as a city in it is so in other scripts too.
    for (const city of citiesNamed.get(`${id} ${bareName(name)}`) ?? []) {
      more.push(
        ...namesOf(city, placeOf)
          .split(NAME_SEPARATOR)
          .filter((other) => OTHER_SCRIPT.test(other)),
      );
    }
    return { kind: 'state' as const, id, names: otherNames(name, [stateNames.get(id) ?? '', ...more]) };
  });
  const doublesOf = listBy(twins, ([, twin]) => [twin]);
  const ofCities = cities
    .filter((city) => !twins.has(city))
    .map((city) => {
      const more = (doublesOf.get(city) ?? []).map(([double]) => double.name);
      return { kind: 'city' as const, id: city.id, names: namesOf(city, placeOf, more) };
    });
  return [...ofCities, ...ofCountries, ...ofStates].filter(({ names }) => names !== '');
}
