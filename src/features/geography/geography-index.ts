import { looseForm } from './alternate-names/loose-form.ts';
import { openNameSearch } from './alternate-names/search.ts';
import { namesReader } from './alternate-names/written-names.ts';
import { buildGeographyParts, type GeographyParts, type ListParts } from './geography-parts.ts';
import { openJsonList } from './json-list.ts';
import {
  type CityDetail,
  type CountryDetail,
  cityDetails,
  countryDetails,
  type StateDetail,
} from './location-details.ts';
import { type LocationList, openLocationList } from './location-list.ts';
import { openNgramIndex } from './ngram-index/search.ts';
import { searchMemory } from './number-lists.ts';
import type { GeographyRows } from './records.ts';

/** The geography in memory, ready to be sent. Immutable. */
export interface GeographyIndex {
  /** Identifies responses: a short hash of all their content, equal for equal data. */
  readonly version: string;
  /** The version as an entity tag; weak, as it is the same for every content coding of a list (RFC 9110, section 8.8.1). */
  readonly etag: string;
  readonly cities: LocationList<'stateId' | 'countryId', CityDetail>;
  readonly states: LocationList<'countryId', StateDetail>;
  readonly countries: LocationList<never, CountryDetail>;
  /** Returns the id of the country with a two-letter code, in either case; undefined if there is none. */
  countryId(iso2: string): number | undefined;
}

/** Builds the lists, each ordered by folded name, then id. */
export function buildGeographyIndex(rows: GeographyRows): GeographyIndex {
  return openGeographyIndex(buildGeographyParts(rows));
}

/** Opens an index on built parts; takes some milliseconds. */
export function openGeographyIndex({ version, cities, states, countries }: GeographyParts): GeographyIndex {
  const countryIds = new Map(countries.codes.map(([iso2], place) => [iso2, countries.ids[place]]));
  const [cityParts, stateParts, countryParts] = [openParts(cities), openParts(states), openParts(countries)];
  const [countriesCalled, statesCalled] = [idsCalled(countryParts), idsCalled(stateParts)];
  return {
    version,
    etag: `W/"${version}"`,
    cities: openLocationList({
      ...cityParts,
      areas: [
        { ids: cities.filters.stateId.ids, called: statesCalled },
        { ids: cities.filters.countryId.ids, called: countriesCalled },
      ],
      details: { ...namesDetail(cities), ...cityDetails(cities.details) },
    }),
    states: openLocationList({
      ...stateParts,
      areas: [{ ids: states.filters.countryId.ids, called: countriesCalled }],
      details: namesDetail(states),
    }),
    countries: openLocationList({
      ...countryParts,
      areas: [],
      details: { ...namesDetail(countries), ...countryDetails(countries.details) },
    }),
    countryId: (iso2) => countryIds.get(iso2.toLowerCase()),
  };
}

/** Lists of all places that the memory of a search holds; most searches take less. */
const LISTS_OF_A_SEARCH = 2;

function openParts<Filter extends string>({ json, order, ngrams, names, codes, ids, filters }: ListParts<Filter>) {
  const memory = searchMemory(LISTS_OF_A_SEARCH * order.length);
  return {
    json: openJsonList(json),
    order,
    ngrams: openNgramIndex(ngrams, memory.take),
    memory,
    names: openNameSearch(names),
    codes: placesOfCodes(codes),
    ids,
    filters,
  };
}

/** Returns a function that gives the ids of locations whose code or name equals a folded text, or whose name begins with it. */
function idsCalled({ codes, names, ids }: ReturnType<typeof openParts>): (name: string) => Set<number> {
  return (name) => {
    const places = [codes.get(looseForm(name)) ?? [], names.whole(name), names.beginning(name)];
    return new Set(places.flatMap((some) => Array.from(some, (place) => ids[place] ?? 0)));
  };
}

function namesDetail({ alternateNames }: Pick<ListParts<string>, 'alternateNames'>) {
  return { alternateNames: namesReader(alternateNames) };
}

function placesOfCodes(codes: readonly string[][]): Map<string, Uint32Array> {
  const places = new Map<string, number[]>();
  for (const [place, own] of codes.entries()) {
    for (const code of own) places.set(code, [...(places.get(code) ?? []), place]);
  }
  return new Map(Array.from(places, ([code, own]) => [code, Uint32Array.from(own)]));
}
