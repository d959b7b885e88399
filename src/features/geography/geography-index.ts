import { looseForm } from './alternate-names/loose-form.ts';
import { openNameSearch } from './alternate-names/search.ts';
import { typedNameSearch } from './alternate-names/typed-names.ts';
import { buildGeographyParts, type CityFilter, type GeographyParts, type ListParts } from './geography-parts.ts';
import { openJsonList } from './json-list.ts';
import {
  type CityDetail,
  type CountryDetail,
  cityDetails,
  type StateDetail,
  UNKNOWN,
  writtenDetails,
} from './location-details.ts';
import { type LocationList, openLocationList } from './location-list.ts';
import { nearestFinder } from './nearest.ts';
import { openNgramIndex } from './ngram-index/search.ts';
import { type GeographyRows, NAME_SEPARATOR } from './records.ts';

/** The geography in memory, ready to be sent. Immutable. */
export interface GeographyIndex {
  /** Identifies responses: a short hash of all their content, equal for equal data. */
  readonly version: string;
  /** The version as an entity tag; weak, as it is the same for every content coding of a list (RFC 9110, section 8.8.1). */
  readonly etag: string;
  readonly cities: LocationList<CityFilter, CityDetail>;
  readonly states: LocationList<'countryId' | 'hasCities', StateDetail>;
  readonly countries: LocationList<never, CountryDetail>;
  /** Returns the id of the country with a two-letter code, in either case; undefined if there is none. */
  countryId(iso2: string): number | undefined;
  /** Returns the ids of a state and of all states within it. */
  statesWithin(stateId: number): readonly number[];
}

/** Builds the lists, each ordered by folded name, then id. */
export function buildGeographyIndex(rows: GeographyRows): GeographyIndex {
  return openGeographyIndex(buildGeographyParts(rows));
}

/** Opens an index on built parts; takes some milliseconds. */
export function openGeographyIndex({ version, cities, states, countries, doubles }: GeographyParts): GeographyIndex {
  const countryIds = new Map(countries.codes.map(([iso2], rank) => [iso2, countries.ids[rank]]));
  const twins = new Map(Object.entries(doubles).map(([id, [twin]]) => [Number(id), twin]));
  const [cityParts, stateParts, countryParts] = [openParts(cities, twins), openParts(states), openParts(countries)];
  const statesWithin = (id: number) => [id, ...(states.within[id] ?? [])];
  const [countriesCalled, statesCalled] = [idsCalled(countryParts), idsCalled(stateParts, statesWithin)];
  const { latitude, longitude } = cities.details;
  return {
    version,
    etag: `W/"${version}"`,
    cities: openLocationList({
      ...cityParts,
      areas: [
        { ids: cities.filters.stateId, called: statesCalled },
        { ids: cities.filters.countryId, called: countriesCalled },
      ],
      details: { ...namesDetail(cities), ...cityDetails(cities.details) },
      nearest: nearestFinder(latitude, longitude, UNKNOWN),
    }),
    states: openLocationList({
      ...stateParts,
      people: states.people,
      areas: [{ ids: states.filters.countryId, called: countriesCalled }],
      details: { ...writtenDetails(states.details), ...namesDetail(states) },
    }),
    countries: openLocationList({
      ...countryParts,
      areas: [],
      details: { ...namesDetail(countries), ...writtenDetails(countries.details) },
    }),
    countryId: (iso2) => countryIds.get(iso2.toLowerCase()),
    statesWithin,
  };
}

function openParts<Filter extends string>(
  { json, order, ngrams, names, codes, ids, weights, filters }: ListParts<Filter>,
  doubles: ReadonlyMap<number, number> = new Map(),
) {
  return {
    json: openJsonList(json),
    order,
    ngrams: openNgramIndex(ngrams),
    names: openNameSearch(names),
    codes: ranksOfCodes(codes),
    ids,
    weights,
    doubles,
    filters,
  };
}

/** Returns a function that gives the ids within locations whose code or name equals a folded text, or whose name begins with it. */
function idsCalled(
  { codes, names, ids }: ReturnType<typeof openParts>,
  within = (id: number): readonly number[] => [id],
): (name: string) => Set<number> {
  const { respelled } = typedNameSearch(names, () => undefined, true);
  return (name) => {
    const ranks = [codes?.get(looseForm(name)) ?? [], names.whole(name), names.beginning(name)];
    const called = ranks.some(({ length }) => length > 0) ? ranks : [respelled(name)];
    return new Set(called.flatMap((some) => Array.from(some, (rank) => within(ids[rank] ?? 0)).flat()));
  };
}

function namesDetail({ alternateNames }: Pick<ListParts<string>, 'alternateNames'>) {
  const { units, starts } = alternateNames;
  return {
    alternateNames: (row: number) => {
      const names = String.fromCharCode(...units.subarray(starts[row], starts[row + 1]));
      return names === '' ? '[]' : JSON.stringify(names.split(NAME_SEPARATOR));
    },
  };
}

function ranksOfCodes(codes: readonly string[][]): Map<string, Uint32Array> | undefined {
  if (codes.length === 0) return undefined;
  const ranks = new Map<string, number[]>();
  for (const [rank, own] of codes.entries()) {
    for (const code of own) ranks.set(code, [...(ranks.get(code) ?? []), rank]);
  }
  return new Map(Array.from(ranks, ([code, own]) => [code, Uint32Array.from(own)]));
}
