import { NAME_SEPARATOR } from '../../src/features/geography/load/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { MORE_NAMES } from './more-names.ts';

const ADDRESS = /:\/\//;

/** Returns the names that a city has beside its own: those of the GeoNames place that it is, its IATA code among them. */
export function namesOfPlace(name: string, { id, name: other, alternateNames }: GeoNamesPlace): string {
  const more = MORE_NAMES[id]?.split(', ') ?? [];
  return otherNames(name, [other, ...alternateNames.filter((one) => !ADDRESS.test(one)), ...more]);
}

/** Returns the names that say something else than a name, each once, as search sees them. */
export function otherNames(name: string, others: readonly string[]): string {
  const seen = new Set(['', fold(name)]);
  return others.filter((other) => seen.size < seen.add(fold(other)).size).join(NAME_SEPARATOR);
}
