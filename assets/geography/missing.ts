import type { CityRecord, CountryRecord, Position } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { listBy } from './lists.ts';
import type { LocatedState } from './read-package.ts';

/** Ids of what comes from GeoNames: these and the id there of a place, these and the id of a country for its state. They never move. */
export const [FIRST_CITY_ID, FIRST_STATE_ID] = [100_000_000, 200_000_000];

/** A place of so many people is a city of its own, unless it is a part of one. */
const CITY = 15_000;
const [CAPITAL, PART_OF_A_CITY] = ['PPLC', 'PPLX'];
/** Seats of divisions of the first three orders. */
const SEAT = /^PPLA[23]?$/;
/** Kilometres within which a city of a capital's name is that capital. */
const NAMESAKE = 100;
/** The same of a seat. */
const SAME_SEAT = 30;

interface Geography {
  countries: readonly CountryRecord[];
  states: readonly LocatedState[];
  cities: readonly CityRecord[];
}

/** What is added to a geography. */
export interface Missing {
  states: LocatedState[];
  cities: Map<CityRecord, GeoNamesPlace>;
}

/**
 * Finds what a geography lacks: every place of 15,000 people and more that is no city of it yet nor a part of one, capitals, seats of which
 * nobody knows how many live there, and the largest place of a state that would have no city. A place comes into the state of its division, or else of the nearest city of its country; where there is none, into the
 * nearest state; a country without a state gets one of its own name.
 *
 * @param joined the places that are cities already
 * @param stateOfPlace returns the state of a place's division
 */
export function findMissing(
  { countries, states, cities }: Geography,
  places: readonly GeoNamesPlace[],
  joined: ReadonlySet<GeoNamesPlace>,
  stateOfPlace: (place: GeoNamesPlace) => number | undefined = () => undefined,
): Missing {
  const missing: Missing = { states: [], cities: new Map() };
  const freeOf = new Map<string, GeoNamesPlace[]>(countries.map(({ iso2 }) => [iso2, []]));
  for (const place of places) if (!joined.has(place)) freeOf.get(place.countryCode)?.push(place);
  for (const country of countries) {
    const isOwn = ({ countryId }: { countryId: number }) => countryId === country.id;
    const [ownStates, ownCities] = [states.filter(isOwn), cities.filter(isOwn)];
    const free = freeOf.get(country.iso2) ?? [];
    const large = free.filter(({ population, featureCode }) => population >= CITY && featureCode !== PART_OF_A_CITY);
    const isThere = ({ name, ...at }: GeoNamesPlace) =>
      ownCities.some((city) => fold(city.name) === fold(name) && kilometres(at, city) < NAMESAKE);
    const capitals = free.filter((place) => place.featureCode === CAPITAL && !isThere(place));
    const named = listBy(ownCities, ({ name }) => [fold(name)]);
    const seats = free.filter(
      ({ name, population, featureCode, ...at }) =>
        SEAT.test(featureCode) &&
        population === 0 &&
        !named.get(fold(name))?.some((city) => kilometres(at, city) < SAME_SEAT),
    );
    const added = new Set([...large, ...capitals, ...seats]);
    // A state that would have no city has its largest place.
    const filled = new Set([...ownCities.map(({ stateId }) => stateId), ...[...added].map(stateOfPlace)]);
    for (const place of free.toSorted((a, b) => b.population - a.population)) {
      const stateId = stateOfPlace(place);
      if (stateId === undefined || filled.has(stateId) || place.featureCode === PART_OF_A_CITY) continue;
      filled.add(stateId);
      added.add(place);
    }
    if (added.size > 0 && ownStates.length === 0) {
      const own = stateOf(country);
      missing.states.push(own);
      ownStates.push(own);
    }
    for (const place of added) {
      const stateId =
        stateOfPlace(place) ?? nearest(place, ownCities)?.stateId ?? nearest(place, ownStates)?.id ?? ownStates[0]?.id;
      if (stateId !== undefined) missing.cities.set(cityOf(place, stateId, country.id), place);
    }
  }
  return missing;
}

function stateOf({ id, name, iso2, latitude, longitude }: CountryRecord): LocatedState {
  return {
    ...{ id: FIRST_STATE_ID + id, countryId: id, name, stateCode: iso2, type: null, parentId: null },
    ...{ latitude, longitude },
  };
}

function cityOf(place: GeoNamesPlace, stateId: number, countryId: number): CityRecord {
  const { id, name, latitude, longitude, timezone, population } = place;
  return { id: FIRST_CITY_ID + id, stateId, countryId, name, latitude, longitude, timezone, population };
}

/** Returns the one that is nearest to a position; undefined where none has a position. */
export function nearest<Item extends Position>(place: Position, items: readonly Item[]): Item | undefined {
  let found: Item | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const distance = kilometres(place, item);
    if (distance >= least) continue;
    found = item;
    least = distance;
  }
  return found;
}
