import type { Reader } from '../../db/database.ts';
import { buildGeographyParts, type GeographyParts } from './geography-parts.ts';
import { ALL_CITIES, type GeographyRows, parseGeography, readGeography } from './geography-queries.ts';
import { openJsonList } from './json-list.ts';
import { type CityDetail, type CountryDetail, cityDetails, countryDetails } from './location-details.ts';
import { openPlaceList, type PlaceList } from './location-list.ts';
import { FIRST, NOWHERE, openNameSearch, type TextSearch } from './ngram-index/search.ts';

/** The geography in memory, ready to be sent. It never changes: a changed database is read into a new one. */
export interface GeographyIndex {
  /** Tells answers apart: a short hash of all that they tell, equal for equal data in whatever database. */
  readonly version: string;
  /** The version as an entity tag: weak, as it is the same for a list in whatever coding (RFC 9110, section 8.8.1). */
  readonly etag: string;
  /** The revision of the database that was read (table `geography_revision`). */
  readonly revision: string;
  readonly cities: PlaceList<'stateId' | 'countryId', CityDetail>;
  readonly states: PlaceList<'countryId', never>;
  readonly countries: PlaceList<never, CountryDetail>;
  /** The id of the country with a two-letter code, in either case; undefined: there is none. */
  countryId(iso2: string): number | undefined;
}

/** Reads the geography of a database into memory. */
export async function loadGeographyIndex(db: Reader): Promise<GeographyIndex> {
  return buildGeographyIndex(parseGeography(await readGeography(db, ALL_CITIES)));
}

/** Builds the lists, each ordered by folded name, then id. */
export function buildGeographyIndex(rows: GeographyRows): GeographyIndex {
  return openGeographyIndex(buildGeographyParts(rows));
}

/** The index of parts that are built: some milliseconds. */
export function openGeographyIndex({ version, revision, cities, states, countries }: GeographyParts): GeographyIndex {
  const countryIds = new Map(countries.codes.map(([iso2], row) => [iso2, countries.ids[row]]));
  return {
    version,
    etag: `W/"${version}"`,
    revision,
    cities: openPlaceList({
      json: openJsonList(cities.json),
      search: openNameSearch(cities.names),
      ids: cities.ids,
      filters: cities.filters,
      details: cityDetails(cities.details),
    }),
    states: openPlaceList({
      json: openJsonList(states.json),
      search: openNameSearch(states.names),
      ids: states.ids,
      filters: states.filters,
      details: {},
    }),
    countries: openPlaceList({
      json: openJsonList(countries.json),
      search: countrySearch(countries),
      ids: countries.ids,
      filters: {},
      details: countryDetails(countries.details),
    }),
    countryId: (iso2) => countryIds.get(iso2.toLowerCase()),
  };
}

/** Countries match by a part of the name or by a whole code, which comes before all. They are few: each search looks at all of them. */
function countrySearch({ foldedNames, codes }: GeographyParts['countries']): TextSearch {
  const order = Uint32Array.from(foldedNames.keys());
  return {
    order,
    compare: (one, other) => one - other,
    exact: () => undefined,
    candidates: () => order,
    placeIn(row, needle) {
      if (codes[row]?.includes(needle)) return FIRST;
      const at = foldedNames[row]?.indexOf(needle) ?? NOWHERE;
      return at === NOWHERE ? NOWHERE : at === 0 ? FIRST + 1 : FIRST + 2;
    },
  };
}
