import { readFileSync } from 'node:fs';
import { NAME_SEPARATOR } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import type { GeoNamesPlace } from './geonames.ts';
import { AIRPORTS, MORE_NAMES } from './more-names.ts';

/** What cities that name a time zone are called in 78 languages, by the GeoNames id: of Unicode CLDR 48.2, what GeoNames lacks. */
const CLDR_NAMES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('cldr-names.json', import.meta.url), 'utf8'),
);

const ADDRESS = /:\/\//;

/** Returns the names that a city has next to its own: those of the GeoNames place that it is, its IATA codes among them. */
export function namesOfPlace(name: string, { id, name: other, alternateNames }: GeoNamesPlace): string {
  const more = [MORE_NAMES[id], AIRPORTS[id], CLDR_NAMES[id]].flatMap((names) => names?.split(', ') ?? []);
  return otherNames(name, [other, ...alternateNames.filter((one) => !ADDRESS.test(one)), ...more]);
}

/**
 * Returns the names that say something else than a name, each once, as search sees them: of those that are one to it the first that is not
 * in plain letters alone, `München` and not `Munchen`.
 */
export function otherNames(name: string, others: readonly string[]): string {
  const names = new Map<string, string>();
  for (const other of others) {
    const folded = fold(other);
    const known = names.get(folded);
    if (known === undefined || (PLAIN.test(known) && !PLAIN.test(other))) names.set(folded, other);
  }
  names.delete('');
  names.delete(fold(name));
  return [...names.values()].join(NAME_SEPARATOR);
}

const PLAIN = /^[ -~]*$/;
