import { type CityRecord, NAME_SEPARATOR } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import { listBy } from './lists.ts';

/** Kilometres within which a city without people is another name of a city. */
const NEAR = 10;
/** A city of so many people may have doubles. */
const LARGE = 50_000;
const DEGREE = 1e7;

/**
 * Finds the cities that the package has twice (`Warsaw` and `Warszawa`): those without people, and with one of the names of a large city
 * of their country that is near.
 *
 * @returns the city that each double is
 */
export function findDoubles(
  cities: readonly CityRecord[],
  namesOf: (city: CityRecord) => string,
): Map<CityRecord, CityRecord> {
  const cellOf = (degrees: number | null) => Math.floor((degrees ?? 0) / DEGREE);
  const empty = listBy(
    cities.filter(({ population, latitude }) => !population && latitude !== null),
    ({ countryId, latitude }) => [`${countryId} ${cellOf(latitude)}`],
  );
  const doubles = new Map<CityRecord, CityRecord>();
  const large = cities.filter(({ population }) => (population ?? 0) >= LARGE);
  for (const city of large.toSorted((a, b) => (b.population ?? 0) - (a.population ?? 0))) {
    const names = new Set([city.name, ...namesOf(city).split(NAME_SEPARATOR)].map(fold));
    for (const row of [-1, 0, 1]) {
      for (const other of empty.get(`${city.countryId} ${cellOf(city.latitude) + row}`) ?? []) {
        if (doubles.has(other) || kilometres(city, other) > NEAR || !names.has(fold(other.name))) continue;
        doubles.set(other, city);
      }
    }
  }
  return doubles;
}
