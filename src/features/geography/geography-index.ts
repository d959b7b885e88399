import { buildGeographyParts, type CityFilter, type GeographyParts, type ListParts } from './geography-parts.ts';
import { countryNames, nameIn } from './local-names.ts';
import {
  type CityDetail,
  type CountryDetail,
  cityDetails,
  type StateDetail,
  UNKNOWN,
  writtenDetails,
} from './location-details.ts';
import { openLocationList } from './location-list.ts';
import { nearestFinder } from './nearest.ts';
import { textAt } from './number-lists.ts';
import { type GeographyRows, NAME_SEPARATOR } from './records.ts';

/** The geography in memory, ready to be sent. Immutable. */
export type GeographyIndex = ReturnType<typeof openGeographyIndex>;

/** Builds the lists, each ordered by folded name, then id. */
export function buildGeographyIndex(rows: GeographyRows): GeographyIndex {
  return openGeographyIndex(buildGeographyParts(rows));
}

/** Opens an index on built parts; takes some milliseconds. */
export function openGeographyIndex(parts: GeographyParts) {
  const { version, doubles, sources } = parts;
  const { quarters } = parts.cities;
  const { latitude, longitude } = parts.cities.details;
  const idsByCode = new Map(parts.countries.codes.map(([iso2], rank) => [iso2, parts.countries.ids[rank]]));
  const countryName = countryNames();
  const statesWithin = (id: number): readonly number[] => [id, ...(parts.states.within[id] ?? [])];
  const countries = openLocationList<never, CountryDetail>(parts.countries, {
    details: {
      ...namesDetail(parts.countries),
      ...writtenDetails(parts.countries.details),
      localName: (row, language = '') =>
        jsonOf(countryName(language, parts.countries.codes[row]?.[0]?.toUpperCase() ?? '')),
      data: () => JSON.stringify(sources),
    },
  });
  const states = openLocationList<'countryId' | 'hasCities', StateDetail>(parts.states, {
    people: parts.states.people,
    areas: [{ ids: parts.states.filters.countryId, called: countries.idsCalled }],
    details: { ...writtenDetails(parts.states.details), ...namesDetail(parts.states) },
  });
  const cities = openLocationList<CityFilter, CityDetail>(parts.cities, {
    doubles,
    areas: [
      { ids: parts.cities.filters.stateId, called: (...text) => states.idsCalled(...text).flatMap(statesWithin) },
      { ids: parts.cities.filters.countryId, called: countries.idsCalled },
    ],
    details: { ...namesDetail(parts.cities), ...cityDetails(parts.cities.details) },
    nearest: nearestFinder(latitude, longitude, UNKNOWN, quarters),
  });
  return {
    /** Identifies responses: a short hash of all their content, equal for equal data. */
    version,
    /** The version as an entity tag; weak, as it is the same for every content coding of a list (RFC 9110, section 8.8.1). */
    etag: `W/"${version}"`,
    cities,
    states,
    countries,
    /** Returns the id of the country with a two-letter code, in either case; undefined if there is none. */
    countryId: (iso2: string) => idsByCode.get(iso2.toLowerCase()),
    /** Returns the two-letter code of the country of a state; undefined if there is no such state. */
    countryOfState(id: number): string | undefined {
      const country = parts.states.filters.countryId[parts.states.ids.indexOf(id)];
      const rank = country === undefined ? -1 : parts.countries.ids.indexOf(country);
      return parts.countries.codes[rank]?.[0]?.toUpperCase();
    },
    /** Returns the ids of a state and of all states within it. */
    statesWithin,
  };
}

const jsonOf = (name: string | undefined) => JSON.stringify(name ?? null);

function namesDetail({ alternateNames, localNames }: Pick<ListParts<string>, 'alternateNames' | 'localNames'>) {
  return {
    alternateNames(row: number): string {
      const names = textAt(alternateNames, row);
      return names === '' ? '[]' : JSON.stringify(names.split(NAME_SEPARATOR).filter(Boolean));
    },
    localName: (row: number, language = '') => jsonOf(nameIn(language, textAt(localNames, row))),
  };
}
