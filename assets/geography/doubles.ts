import { type CityRecord, NAME_SEPARATOR } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { listBy } from './lists.ts';

/** Kilometres within which a city without people is another name of a city; within which a city of its name and state is the same. */
const [NEAR, SAME] = [10, 15];
/** A city of so many people may have doubles, or quarters. */
const [LARGE, WITH_QUARTERS] = [50_000, 100_000];
/** Kilometres from the middle to the edge of a city, by the root of its people; 11 for Berlin. */
const RADIUS = 0.006;
const DEGREE = 1e7;

const peopleIn = ({ population }: CityRecord) => population ?? 0;
const byPeople = (cities: readonly CityRecord[]) => cities.toSorted((a, b) => peopleIn(b) - peopleIn(a));
const cellOf = (degrees: number | null) => Math.floor((degrees ?? 0) / DEGREE);

/** Returns a function that returns the cities around one, of its country. */
function neighbours(cities: readonly CityRecord[]): (city: CityRecord) => CityRecord[] {
  const cells = listBy(
    cities.filter(({ latitude }) => latitude !== null),
    ({ countryId, latitude, longitude }) => [`${countryId} ${cellOf(latitude)} ${cellOf(longitude)}`],
  );
  return ({ countryId, latitude, longitude }) =>
    [-1, 0, 1].flatMap((row) =>
      [-1, 0, 1].flatMap(
        (column) => cells.get(`${countryId} ${cellOf(latitude) + row} ${cellOf(longitude) + column}`) ?? [],
      ),
    );
}

/**
 * Finds the cities that the package has twice: those without people, and with one of the names of a large city of their country that is near
 * (`Warsaw` and `Warszawa`); and those of the name and the state of a city that is near, and has more people.
 *
 * @returns the city that each double is
 */
export function findDoubles(
  cities: readonly CityRecord[],
  namesOf: (city: CityRecord) => string,
): Map<CityRecord, CityRecord> {
  const doubles = new Map<CityRecord, CityRecord>();
  for (const same of listBy(cities, ({ stateId, name }) => [`${stateId} ${fold(name)}`]).values()) {
    for (const [at, city] of byPeople(same).entries()) {
      const twin = byPeople(same)
        .slice(0, at)
        .find((other) => !doubles.has(other) && kilometres(city, other) <= SAME);
      if (twin !== undefined) doubles.set(city, twin);
    }
  }
  const near = neighbours(cities.filter((city) => peopleIn(city) === 0));
  for (const city of byPeople(cities)) {
    if (peopleIn(city) < LARGE) break;
    if (doubles.has(city)) continue;
    const names = new Set([city.name, ...namesOf(city).split(NAME_SEPARATOR)].map(fold));
    for (const other of near(city)) {
      if (kilometres(city, other) > NEAR || !names.has(fold(other.name))) continue;
      const known = doubles.get(other);
      if (known === undefined || peopleIn(known) === 0) doubles.set(other, city);
    }
  }
  // A double of a double is one of the city itself.
  for (const [double, twin] of doubles) doubles.set(double, doubles.get(twin) ?? twin);
  return doubles;
}

/** Finds the quarters of cities: what GeoNames has as a part of a city, or not at all, within the city. */
export function findQuarters(
  cities: readonly CityRecord[],
  placeOf: ReadonlyMap<CityRecord, GeoNamesPlace>,
): Record<number, number> {
  const quarters: Record<number, number> = {};
  const isPart = (city: CityRecord) => (placeOf.get(city)?.featureCode ?? 'PPLX') === 'PPLX';
  const near = neighbours(cities.filter(isPart));
  for (const city of byPeople(cities)) {
    if (peopleIn(city) < WITH_QUARTERS) break;
    if (isPart(city)) continue;
    for (const quarter of near(city)) {
      if (kilometres(city, quarter) < RADIUS * Math.sqrt(peopleIn(city))) quarters[quarter.id] ??= city.id;
    }
  }
  return quarters;
}
