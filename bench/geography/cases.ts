import { CITIES, type CitySearch, type CitySearches, citiesPage } from '../support/city-searches.ts';
import { requestBytes } from '../support/load.ts';
import type { Goals } from '../support/log-levels.ts';

/** Requests for different things, and the ratios to the bare server that are requested. */
export interface BenchCase {
  name: string;
  goals: Goals;
  requests: readonly Buffer[];
  /** The client has the answers already. */
  notModified?: true;
}

/** Their hits take 6 MB, of which the service remembers 4 (src/features/geography/location-list.ts): by the time one comes again it is forgotten. */
const SEARCHES = 20_000;

/** What is compressed for each request, and the same as it is. */
export const [PLAIN_PAGE, BROTLI_PAGE] = ['page of 10', 'page of 10, brotli'];

/** Of all cities, and of those with a letter that many names have. */
const LARGE_PAGES = 200;
const LARGE_LIMIT = 1000;
const LETTERS = ['', 'a', 'e', 'i', 'n', 'o', 'r'];

/** @param etag that of the lists */
export function benchCases({ index, draw }: CitySearches, etag: string): BenchCase[] {
  const searches = draw(SEARCHES);
  const largePages = Array.from({ length: LARGE_PAGES }, (_, number) => {
    const search = LETTERS[number % LETTERS.length] ?? '';
    const pages = Math.floor(index.cities.find({ search }).totalItems / LARGE_LIMIT);
    return { search, page: 1 + (Math.floor(number / LETTERS.length) % pages), limit: LARGE_LIMIT };
  });
  const page = { info: 0.33 };
  const [largePage, all, notModified] = [{ info: 0.41 }, { info: 0.5 }, { info: 0.45 }];
  const tag = { 'if-none-match': etag };
  return [
    { name: PLAIN_PAGE, goals: page, requests: searches.map((query) => citiesPage(query)) },
    { name: BROTLI_PAGE, goals: {}, requests: searches.map((query) => citiesPage(query, { 'accept-encoding': 'br' })) },
    { name: 'page of 10 by POST', goals: page, requests: searches.map(post) },
    { name: 'page of 1,000', goals: largePage, requests: largePages.map((query) => citiesPage(query)) },
    { name: 'all cities, gzip', goals: all, requests: [getAll({ 'accept-encoding': 'gzip' })] },
    { name: 'all cities, brotli', goals: all, requests: [getAll({ 'accept-encoding': 'br' })] },
    {
      name: '304: page of 10',
      goals: notModified,
      notModified: true,
      requests: searches.map((query) => citiesPage(query, tag)),
    },
    {
      name: '304: all cities',
      goals: notModified,
      notModified: true,
      requests: [getAll({ 'accept-encoding': 'br', ...tag })],
    },
  ];
}

function getAll(headers: Record<string, string>): Buffer {
  return requestBytes('GET', CITIES, { headers });
}

function post(query: CitySearch): Buffer {
  return requestBytes('POST', CITIES, { body: JSON.stringify({ isPaginationNeeded: true, ...query }) });
}
