import { readGeographyFile } from '../../src/features/geography/geography-file.ts';
import { openGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { buildGeographyParts } from '../../src/features/geography/geography-parts.ts';
import { fold } from '../../src/lib/text-folding.ts';

const FIRST_PAGE = { page: 1, limit: 10 };
/** Milliseconds beyond which a search is tried again, without those that are quick. */
const SLOW = 0.5;

export interface SearchTimes {
  searches: number;
  /** Milliseconds, each the best of a few attempts: what is beyond that is the machine's or the garbage collector's. */
  p50: number;
  p99: number;
  slowest: number;
  slowestNeedle: string;
  /** Milliseconds that the index took to build. */
  build: number;
}

/** A search for cities. */
interface CityQuery {
  search: string;
  countryId?: number;
  stateId?: number;
}

/**
 * Times searches for the first page of cities, with nothing remembered of earlier ones: each needle of up to three letters that
 * occurs in a name, and parts of names of four letters and more, each alone, in a country and in a state.
 */
export async function timeSearches(rounds: number): Promise<SearchTimes> {
  const { cities } = await readGeographyFile();
  const names = cities.map(({ name }) => fold(name));
  return timeQueries(
    [...needlesIn(names)].flatMap((search) => [
      { search },
      { search, countryId: 233 },
      { search, countryId: 233, stateId: 1416 },
    ]),
    rounds,
  );
}

async function timeQueries(queries: readonly CityQuery[], rounds: number): Promise<SearchTimes> {
  const rows = await readGeographyFile();
  const begin = performance.now();
  const parts = buildGeographyParts(rows);
  const build = performance.now() - begin;
  const best = new Float64Array(queries.length).fill(Number.POSITIVE_INFINITY);
  function time(isIncluded: (number: number) => boolean): void {
    const { cities } = openGeographyIndex(parts);
    for (const [number, query] of queries.entries()) {
      if (!isIncluded(number)) continue;
      const start = performance.now();
      cities.find(query).page(FIRST_PAGE);
      best[number] = Math.min(best[number] ?? 0, performance.now() - start);
    }
  }
  for (let round = 0; round < rounds; round++) time(() => true);
  // Garbage is collected at the same searches in each of these rounds.
  for (let round = 0; round < rounds; round++) time((number) => (best[number] ?? 0) > SLOW);
  const sorted = best.toSorted();
  const slowest = sorted.at(-1) ?? Number.NaN;
  return {
    searches: queries.length,
    p50: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    slowest,
    slowestNeedle: queries[best.indexOf(slowest)]?.search ?? '',
    build,
  };
}

/** All parts of one to three letters, and of every fourteenth name the parts of four to eight. */
function needlesIn(names: readonly string[]): Set<string> {
  const needles = new Set<string>();
  for (const [number, name] of names.entries()) {
    const longest = number % 14 === 0 ? 8 : 3;
    for (let length = 1; length <= longest; length++) {
      for (let start = 0; start + length <= name.length; start++) {
        const needle = name.slice(start, start + length).trim();
        if (needle !== '') needles.add(needle);
      }
    }
  }
  return needles;
}
