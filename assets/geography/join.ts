import type { CityRecord, CountryRecord } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { listBy } from './lists.ts';
import { MORE_NAMES } from './more-names.ts';
import type { LocatedState } from './read-package.ts';

/** Kilometres within which a place of the same name is the same place. */
const NEAR = 30;

/**
 * Kilometres within which a place of so many people that no city is goes to a city of its name, where the package has a district's middle for
 * the city's position: it would be there twice.
 */
const FAR = [
  { kilometres: 150, people: 100_000 },
  { kilometres: 75, people: 15_000 },
] as const;

/** Kilometres from its state and every place of its country beyond which a city's position is that of a namesake elsewhere. */
const LOST = 300;

/** A city that may be a place. */
interface Pair {
  city: CityRecord;
  place: GeoNamesPlace;
  distance: number;
}

/** Gives the places that a city may be for its folded name, of one country. */
type Step = (name: string) => readonly GeoNamesPlace[];

/**
 * Finds the GeoNames place that each city is: in the same country, within 30 km, and of the very same folded name; else of the same alternate
 * name; else one whose name begins with the other's at the end of a word (`Bogotá`, `Bogotá D.C.`). Of several in one step it is the largest;
 * of a place and the parts of it whose names begin with its name, none. No place is two cities: the nearest has it. A city that is further from its place than that gets the place's position ({@link FAR}).
 */
export function joinCities(
  countries: readonly CountryRecord[],
  cities: readonly CityRecord[],
  places: readonly GeoNamesPlace[],
  states: readonly LocatedState[] = [],
): Map<CityRecord, GeoNamesPlace> {
  const codes = new Map(countries.map(({ id, iso2 }) => [id, iso2]));
  const citiesOf = listBy(cities, ({ countryId }) => [codes.get(countryId) ?? '']);
  const placesOf = listBy(places, ({ countryCode }) => [countryCode]);
  const joined = new Map<CityRecord, GeoNamesPlace>();
  const stateOf = new Map(states.map((state) => [state.id, state]));
  for (const [code, own] of citiesOf) joinCountry(own, placesOf.get(code) ?? [], stateOf, joined);
  return joined;
}

function joinCountry(
  cities: CityRecord[],
  places: GeoNamesPlace[],
  stateOf: ReadonlyMap<number, LocatedState>,
  joined: Map<CityRecord, GeoNamesPlace>,
): void {
  const taken = new Set<GeoNamesPlace>();
  const isNear = ({ distance }: Pair) => distance <= NEAR;
  const [same, alternate, longerOrShorter] = [sameName(places), sameAlternateName(places), longerOrShorterName(places)];
  for (const step of [same, alternate]) take(step, isNear);
  take(longerOrShorter, isNear, withoutParts);
  const isLost = (city: CityRecord) => {
    const state = stateOf.get(city.stateId);
    if (city.latitude === null || (state && kilometres(city, state) <= LOST)) return false;
    return places.every((place) => kilometres(city, place) > LOST);
  };
  for (const step of [same, alternate]) {
    for (const { city, place } of take(step, (pair) => isFar(pair) || isLost(pair.city))) {
      city.latitude = place.latitude;
      city.longitude = place.longitude;
    }
  }

  // A city that is left at a namesake's position has that of the place of its name, even if another city is that place.
  for (const city of cities) {
    if (joined.has(city) || !isLost(city)) continue;
    const [place = city] = [...same(fold(city.name)), ...alternate(fold(city.name))];
    city.latitude = place.latitude;
    city.longitude = place.longitude;
  }

  /** Joins the cities that a step finds a place for, the largest places and nearest cities first. */
  function take(
    step: Step,
    isMeant: (pair: Pair) => boolean,
    leave: (pairs: Pair[]) => Pair[] = (pairs) => pairs,
  ): Pair[] {
    let pairs: Pair[] = [];
    for (const city of cities) {
      if (joined.has(city)) continue;
      for (const place of step(fold(city.name))) {
        if (!taken.has(place)) pairs.push({ city, place, distance: kilometres(city, place) });
      }
    }
    pairs = leave(pairs.filter(isMeant));
    pairs.sort((a, b) => b.place.population - a.place.population || a.distance - b.distance || a.city.id - b.city.id);
    return pairs.filter((pair) => {
      if (joined.has(pair.city) || taken.has(pair.place)) return false;
      joined.set(pair.city, pair.place);
      taken.add(pair.place);
      return true;
    });
  }
}

/** Leaves out the pairs of a place of which several cities have longer names: they are its parts (`Jakarta Pusat`, `Jakarta Timur`). */
function withoutParts(pairs: Pair[]): Pair[] {
  const longer = pairs.filter(({ city, place }) => fold(city.name).startsWith(fold(place.name)));
  const names = new Map<GeoNamesPlace, Set<string>>();
  for (const { city, place } of longer) names.set(place, (names.get(place) ?? new Set()).add(fold(city.name)));
  const parts = new Set(longer.filter(({ place }) => (names.get(place)?.size ?? 0) > 1));
  return pairs.filter((pair) => !parts.has(pair));
}

function isFar({ place, distance }: Pair): boolean {
  return FAR.some(({ kilometres, people }) => distance <= kilometres && place.population >= people);
}

function sameName(places: GeoNamesPlace[]): Step {
  const byName = listBy(places, ({ name }) => [fold(name)]);
  return (name) => byName.get(name) ?? [];
}

function sameAlternateName(places: GeoNamesPlace[]): Step {
  const byName = listBy(places, ({ id, alternateNames }) =>
    [...alternateNames, ...(MORE_NAMES[id]?.split(', ') ?? [])].map(fold),
  );
  return (name) => byName.get(name) ?? [];
}

function longerOrShorterName(places: GeoNamesPlace[]): Step {
  const byName = listBy(places, ({ name }) => [fold(name)]);
  const byBeginning = listBy(places, ({ name }) => beginnings(fold(name)));
  return (name) => [
    ...(byBeginning.get(name) ?? []),
    ...beginnings(name).flatMap((beginning) => byName.get(beginning) ?? []),
  ];
}

const END_OF_WORD = /(?<=[\p{L}\p{N}])(?![\p{L}\p{M}\p{N}])/gu;

/** The parts of a name from its beginning to the end of a word, without the whole. */
function beginnings(name: string): string[] {
  return Array.from(name.matchAll(END_OF_WORD), ({ index }) => name.slice(0, index)).filter((part) => part !== name);
}
