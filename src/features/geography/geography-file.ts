import { readFile } from 'node:fs/promises';
import { readParts } from '../../lib/packed-parts.ts';
import { programFile } from '../../lib/program.ts';
import type { GeographyParts, ListParts } from './geography-parts.ts';
import { UNKNOWN } from './location-details.ts';
import type {
  AlternateNamesRecord,
  CityRecord,
  CountryRecord,
  GeographyRecords,
  LocationKind,
  Position,
  StateRecord,
} from './records.ts';

/** The index of the geography of the packages, into which `npm run build` writes it. */
export const GEOGRAPHY_FILE = programFile('resources/geography.br');

/** Reads the parts of the index of the geography of the packages, which `npm run build` makes. */
export async function readGeographyParts(): Promise<GeographyParts> {
  return readParts<GeographyParts>(await readFile(GEOGRAPHY_FILE));
}

/** Reads the geography of the packages: what its index has been built from. */
export async function readGeographyFile(): Promise<GeographyRecords> {
  return recordsOf(await readGeographyParts());
}

function recordsOf({ countries, states, cities, doubles }: GeographyParts): GeographyRecords {
  const { latitude, longitude, timezone, timezones, population } = cities.details;
  const { location, ...texts } = countries.details;
  return {
    countries: itemsOf<CountryRecord>(countries, ({ id, name, iso2, iso3 }, row) => ({
      ...{ id, name, iso2, iso3, ...parsed(texts, row) },
      ...positionOf(JSON.parse(location[row] ?? 'null')),
    })),
    states: itemsOf<StateRecord>(states, ({ id, countryId, name, stateCode }, row) => ({
      ...{ id, countryId, name, stateCode },
      ...parsed(states.details, row),
    })),
    cities: itemsOf<CityRecord>(cities, ({ id, stateId, countryId, name }, row) => ({
      ...{ id, stateId, countryId, name },
      latitude: known(latitude[row]),
      longitude: known(longitude[row]),
      timezone: JSON.parse(timezones[timezone[row] ?? 0] ?? 'null'),
      population: known(population[row]),
    })),
    alternateNames: [...namesOf('city', cities), ...namesOf('country', countries), ...namesOf('state', states)],
    doubles: doubles as GeographyRecords['doubles'],
  };
}

/** Returns the details of a row. */
function parsed<Name extends string>(details: Record<Name, string[]>, row: number) {
  const values = Object.entries<string[]>(details).map(([name, texts]) => [name, JSON.parse(texts[row] ?? 'null')]);
  return Object.fromEntries(values) as Record<Name, never>;
}

/** Returns the items of a list by ascending id, each made of its JSON and its row. */
function itemsOf<Item extends { id: number }>(
  { json: { all } }: Pick<ListParts<never>, 'json'>,
  of: (item: Item, row: number) => Item,
): Item[] {
  const { data } = JSON.parse(Buffer.from(all.buffer, all.byteOffset, all.byteLength).toString()) as { data: Item[] };
  return data.map(of).sort((one, other) => one.id - other.id);
}

function namesOf(kind: LocationKind, { ids, order, alternateNames }: ListParts<never>): AlternateNamesRecord[] {
  const { units, starts } = alternateNames;
  const named = Array.from(order, (row, rank) => ({
    ...{ kind, id: ids[rank] ?? 0 },
    names: String.fromCharCode(...units.subarray(starts[row], starts[row + 1])),
  }));
  return named.filter(({ names }) => names !== '').sort((one, other) => one.id - other.id);
}

const known = (number = UNKNOWN) => (number === UNKNOWN ? null : number);

function positionOf(degrees: { latitude: number; longitude: number } | null): Position {
  if (degrees === null) return { latitude: null, longitude: null };
  return { latitude: Math.round(degrees.latitude * 1e7), longitude: Math.round(degrees.longitude * 1e7) };
}
