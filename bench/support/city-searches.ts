import { readGeographyFile, readGeographyParts } from '../../src/features/geography/geography-file.ts';
import { type GeographyIndex, openGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { mix } from '../data/people.ts';
import { requestBytes } from './load.ts';

export const CITIES = '/api/cities/list';

/** A page of cities as somebody asks for it who types a name, in a form that may know the country or the state already. */
export interface CitySearch {
  search: string;
  countryId?: number;
  stateId?: number;
  page: number;
  limit: number;
}

export interface CitySearches {
  index: GeographyIndex;
  /** Draws searches, always the same ones and each once, by the beginnings of real names; each has hits on its page. */
  draw(count: number): CitySearch[];
}

const LIMIT = 10;
/** Nobody turns further pages. */
const PAGES = 20;
/** Letters. */
const SHORTEST = 2;
const LONGEST = 7;
/** Draws for each search that is wanted, at most. */
const TRIES = 100;

/** Reads the cities, to know what can be found. */
export async function openCitySearches(): Promise<CitySearches> {
  const rows = await readGeographyFile();
  const index = openGeographyIndex(await readGeographyParts());
  const countryOfState = new Map(rows.states.map((state) => [state.id, state.countryId]));

  function drawOne(number: number): CitySearch {
    const { name, stateId } = rows.cities[mix(number, 1) % rows.cities.length] ?? { name: '', stateId: 0 };
    const length = SHORTEST + (mix(number, 2) % (LONGEST - SHORTEST + 1));
    const search = [...name].slice(0, length).join('').trim();
    const places = [{}, {}, { stateId }, { countryId: countryOfState.get(stateId) ?? 0 }];
    const query = { search, ...places[mix(number, 3) % places.length] };
    const pages = Math.ceil(index.cities.find(query).totalItems / LIMIT);
    return { ...query, page: 1 + (mix(number, 4) % Math.min(pages, PAGES)), limit: LIMIT };
  }

  return {
    index,
    draw(count) {
      const drawn = new Map<string, CitySearch>();
      for (let number = 0; drawn.size < count; number++) {
        if (number > count * TRIES) throw new RangeError(`There are not ${count} such searches`);
        const search = drawOne(number);
        drawn.set(JSON.stringify(search), search);
      }
      return [...drawn.values()];
    },
  };
}

/** Asks for it by GET. */
export function citiesPage(search: CitySearch, headers: Record<string, string> = {}): Buffer {
  const parameters = new URLSearchParams({ isPaginationNeeded: 'true' });
  for (const [name, value] of Object.entries(search)) parameters.set(name, String(value));
  return requestBytes('GET', `${CITIES}?${parameters}`, { headers });
}
