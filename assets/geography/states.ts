import type { CityRecord, Position } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { listBy } from './lists.ts';
import { nearestPlaces } from './nearest-places.ts';
import type { LocatedState } from './read-package.ts';

/** Kilometres from a place within which a city lies in the same division. */
const SAME_DIVISION = 12;
/** The same for a city that is so far from its state that the package has the wrong one. */
const [MISPLACED, WIDER] = [150, 25];
/** Kilometres from the other cities of its state beyond which a city is not in that state. */
const OUTSIDE = 5;
/** Kilometres from an empty state within which a city of its name is that state. */
const NAMESAKE = 60;
/** Kilometres from every place of its country beyond which the position of a state is that of a namesake elsewhere. */
const LOST = 560;
/** Seats of divisions in GeoNames. */
const SEATS = /^PPL(?:A2?|C)$/;
/** A list that goes below the divisions of first order has so many states for each of them. */
const FINER = 1.4;
/** What an equal code adds to the likelihood. */
const CODED = 0.7;
/** What a seat of an equal name adds: of one seat, and of several. */
const [NAMED, ONE_IS_NAMED] = [1.5, 1];
/** Least kilometres between neighbouring states. */
const MIN_SCALE = 3;
/** Least likelihood at which a division is a state. */
const LIKELY = 0.05;

/** States of divisions that no rule finds, as reviewed: by the country's code and the codes of the division. */
const REVIEWED: Readonly<Record<string, number>> = {
  'PH.NCR.137400000': 5324,
  // GeoNames has the codes of the city and the county of Hsinchu the other way round.
  'TW.04.HSQ': 3417,
  'TW.04.HSZ': 5705,
  'TW.03.TPQ': 4966,
};

/** A division of GeoNames, of first or second order, and the cities in it. */
interface Division {
  key: string;
  code: string;
  places: GeoNamesPlace[];
  cities: CityRecord[];
  middle: Position;
}

/** A country, and what is known of its places. */
export interface CountryPlaces {
  states: readonly LocatedState[];
  /** The id of the state that contains each state. */
  parentOf: ReadonlyMap<number, number>;
  cities: readonly CityRecord[];
  places: readonly GeoNamesPlace[];
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>;
  namesOf: (state: LocatedState) => readonly string[];
}

/** Returns the state of a place, and that of a city: the smallest one of the list that contains it. */
export interface StateFinder {
  ofPlace(place: GeoNamesPlace): number | undefined;
  ofCity(city: CityRecord): number;
}

/**
 * Finds the states of a country's cities. A division of GeoNames is the state that most of its cities, its seat, its code and its position
 * speak for. The package's state stays if it is cut otherwise: if cities that are certainly in it are near.
 */
export function stateFinder(country: CountryPlaces): StateFinder {
  const { parentOf, cities, places, placeOf } = country;
  const isLost = (state: LocatedState) => places.every((place) => kilometres(state, place) > LOST);
  const states = country.states.map((state) => (isLost(state) ? { ...state, latitude: null, longitude: null } : state));
  const near = nearestPlaces(places);
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const placeAt = new Map<CityRecord, GeoNamesPlace>();
  for (const city of cities) {
    const distance = kilometres(city, stateOf.get(city.stateId) ?? city);
    const within = distance > MISPLACED && Number.isFinite(distance) ? WIDER : SAME_DIVISION;
    const place = placeOf.get(city) ?? near(city, within);
    if (place !== undefined) placeAt.set(city, place);
  }
  const parents = new Set(parentOf.values());
  const leaves = states.filter(({ id }) => !parents.has(id));
  const firstKey = ({ admin1 }: GeoNamesPlace) => admin1;
  const secondKey = ({ admin1, admin2 }: GeoNamesPlace) => (admin2 === '' ? '' : `${admin1}.${admin2}`);
  const coarse = divisionsOf(country, placeAt, firstKey);
  const firsts = matchDivisions(coarse, states, country);
  const outers = matchDivisions(
    coarse,
    states.filter(({ id }) => parents.has(id)),
    country,
  );
  const outerOf = (key: string) => outers.get(key.split('.')[0] ?? '');
  const fine = divisionsOf(country, placeAt, secondKey);
  // Divisions of second order are states only in countries whose list goes below the first order.
  const hasSeconds = leaves.length > FINER * firsts.size && fine.length < 3 * leaves.length;
  const seconds = hasSeconds ? matchDivisions(fine, leaves, country, outerOf) : new Map<string, number>();
  const namesakes = new Map<GeoNamesPlace, number>();
  const ofPlace = (place: GeoNamesPlace): number | undefined =>
    namesakes.get(place) ??
    REVIEWED[`${place.countryCode}.${secondKey(place)}`] ??
    seconds.get(secondKey(place)) ??
    firsts.get(firstKey(place));

  const certain = listBy(
    cities.filter((city) => {
      const place = placeAt.get(city);
      return place !== undefined && ofPlace(place) === city.stateId;
    }),
    ({ stateId }) => [stateId],
  );
  const contains = (outer: number, inner: number | undefined): boolean =>
    inner !== undefined && (outer === inner || contains(outer, parentOf.get(inner)));

  const divided = new Set([...firsts.values(), ...seconds.values()]);
  const countNear = (city: CityRecord, stateId: number): number =>
    (certain.get(stateId) ?? []).filter((other) => kilometres(city, other) < OUTSIDE).length;

  function ofCity(city: CityRecord): number {
    const own = city.stateId;
    const place = placeAt.get(city);
    const found = place === undefined ? undefined : ofPlace(place);
    if (found === undefined || found === own || contains(own, found)) return found ?? own;
    if (divided.has(own)) return certain.has(found) && countNear(city, own) > countNear(city, found) ? own : found;
    const distance = kilometres(city, stateOf.get(own) ?? city);
    return distance < 100 || !Number.isFinite(distance) ? own : found;
  }

  // A state without cities that has the name of one, as a city with county rights has.
  const filled = new Set(cities.map(ofCity));
  const placesByName = listBy(places, ({ name, alternateNames }) => [name, ...alternateNames].map(bareName));
  for (const state of leaves) {
    if (filled.has(state.id)) continue;
    const found = country
      .namesOf(state)
      .flatMap((name) => placesByName.get(bareName(name)) ?? [])
      .filter((place) => !namesakes.has(place) && !(kilometres(place, state) > NAMESAKE && state.latitude !== null));
    const [place] = found.sort((a, b) => b.population - a.population);
    if (place !== undefined) namesakes.set(place, state.id);
  }
  return {
    ofPlace,
    ofCity(city) {
      const place = placeOf.get(city);
      return (place === undefined ? undefined : namesakes.get(place)) ?? ofCity(city);
    },
  };
}

function divisionsOf(
  { places }: CountryPlaces,
  placeAt: ReadonlyMap<CityRecord, GeoNamesPlace>,
  keyOf: (place: GeoNamesPlace) => string,
): Division[] {
  const divisions = new Map<string, Division>();
  for (const [key, own] of listBy(places, (place) => [keyOf(place)])) {
    if (key === '') continue;
    divisions.set(key, { key, code: key.split('.').at(-1) ?? '', places: own, cities: [], middle: middleOf(own) });
  }
  for (const [city, place] of placeAt) divisions.get(keyOf(place))?.cities.push(city);
  return [...divisions.values()];
}

/** Returns the id of the state that each division is, by its key. */
function matchDivisions(
  divisions: readonly Division[],
  states: readonly LocatedState[],
  { namesOf, parentOf }: CountryPlaces,
  outerOf: (key: string) => number | undefined = () => undefined,
): Map<string, number> {
  const stateOf = new Map(states.map((state) => [state.id, state]));
  /** The usual distance between neighbouring states. */
  const scale = Math.max(
    MIN_SCALE,
    median(states.map((state) => nearestOther(state, states)).filter(Number.isFinite)) ?? 50,
  );
  const shares = new Map(divisions.map((division) => [division, sharesOf(division, stateOf, scale)]));
  const isCoded = ({ code }: Division, { stateCode }: LocatedState) => bareCode(code) === bareCode(stateCode);
  // Codes count where they agree with the cities and positions: many of GeoNames are numbers of its own.
  let agreement = 0;
  for (const division of divisions) {
    for (const state of states.filter((one) => isCoded(division, one))) {
      const distance = kilometres(division.middle, state);
      if ((shares.get(division)?.get(state.id) ?? 0) > 0.5 || distance < scale) agreement++;
      else if (distance > 4 * scale) agreement--;
    }
  }
  const codeWeight = agreement > 2 || !states.some(({ latitude }) => latitude !== null) ? CODED : 0;
  const names = new Map(states.map((state) => [state, namesOf(state).map(bareName)]));
  const hasOuters = divisions.some(({ key }) => outerOf(key) !== undefined);
  const candidates: { key: string; state: number; likelihood: number }[] = [];
  for (const division of divisions) {
    const own = division.places.filter(({ featureCode }) => SEATS.test(featureCode));
    const seats = new Set(own.flatMap(({ name, alternateNames }) => [name, ...alternateNames].map(bareName)));
    const named = own.length === 1 ? NAMED : ONE_IS_NAMED;
    const outer = outerOf(division.key);
    const nearest = Math.min(...states.map((state) => kilometres(division.middle, state)));
    for (const state of states) {
      const distance = kilometres(division.middle, state);
      const isKnown = Number.isFinite(distance);
      let likelihood = shares.get(division)?.get(state.id) ?? 0;
      if ((!isKnown || distance < Math.max(50, 3 * scale)) && names.get(state)?.some((name) => seats.has(name)))
        likelihood += named;
      if (isCoded(division, state)) likelihood += /^[A-Z]{2,}$/.test(division.code) ? CODED : codeWeight;
      if (isKnown) likelihood += 0.8 * Math.exp((-2 * distance) / scale) + (distance === nearest ? 0.1 : 0);
      const parent = parentOf.get(state.id);
      if (parent !== undefined && hasOuters && parent !== outer) likelihood *= 0.4;
      if (likelihood > LIKELY) candidates.push({ key: division.key, state: state.id, likelihood });
    }
  }
  candidates.sort((a, b) => b.likelihood - a.likelihood);
  const best = new Map<string, number>();
  for (const { key, likelihood } of candidates) best.set(key, Math.max(best.get(key) ?? 0, likelihood));
  const result = new Map<string, number>();
  const taken = new Set<number>();
  // A state that has no division yet comes before a slightly likelier one that has.
  for (const { key, state, likelihood } of candidates) {
    if (result.has(key) || taken.has(state) || likelihood < 0.45 * (best.get(key) ?? 0)) continue;
    result.set(key, state);
    taken.add(state);
  }
  for (const { key, state } of candidates) if (!result.has(key)) result.set(key, state);
  return result;
}

function nearestOther(state: LocatedState, states: readonly LocatedState[]): number {
  return Math.min(...states.map((other) => (other === state ? Number.POSITIVE_INFINITY : kilometres(state, other))));
}

/** Returns the share of a division's cities that the package has in each state; cities far from their state count less. */
function sharesOf(
  { cities }: Division,
  stateOf: ReadonlyMap<number, LocatedState>,
  scale: number,
): Map<number, number> {
  const shares = new Map<number, number>();
  for (const city of cities) {
    const state = stateOf.get(city.stateId);
    if (state === undefined) continue;
    const distance = kilometres(city, state);
    const weight = Number.isFinite(distance) ? Math.exp(-Math.max(0, distance - 1.5 * scale) / scale) : 1;
    shares.set(city.stateId, (shares.get(city.stateId) ?? 0) + weight / cities.length);
  }
  return shares;
}

function bareCode(code: string): string {
  return code.replace(/^0+(?=.)/, '').toUpperCase();
}

const KINDS =
  /(?<!\p{L})(?:county|province|district|region|city|state|municipality|prefecture|department|governorate|oblast|oblastʹ|raion|canton|parish|voivodeship|krai|republic|autonomous)(?!\p{L})/gu;

/** Returns a name without the word for the kind of division. */
export function bareName(name: string): string {
  return fold(name)
    .replace(KINDS, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function middleOf(positions: readonly { latitude: number; longitude: number }[]): Position {
  return {
    latitude: median(positions.map(({ latitude }) => latitude)) ?? null,
    longitude: median(positions.map(({ longitude }) => longitude)) ?? null,
  };
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
