import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { programFile } from '../../lib/program.ts';
import type { CountryRecord, GeographyRecords, LocationKind } from './records.ts';

/** File into which `npm run build` writes the geography of the packages. */
export const GEOGRAPHY_FILE = programFile('resources/geography.json.br');

/** File format of the geography: one column per field, as that many objects would be slow to read. Ids are delta-encoded. */
export interface PackedGeography {
  countries: CountryRecord[];
  states: {
    id: number[];
    countryId: number[];
    name: string[];
    stateCode: string[];
    type: (string | null)[];
    parentId: (number | null)[];
  };
  cities: {
    id: number[];
    stateId: number[];
    name: string[];
    latitude: (number | null)[];
    longitude: (number | null)[];
    /** Index of a city's time zone in `timezones`. */
    timezone: number[];
    population: (number | null)[];
  };
  timezones: string[];
  alternateNames: Record<LocationKind, { id: number[]; names: string[] }>;
  doubles: Record<number, [id: number, name: string]>;
}

export const LOCATION_KINDS = ['city', 'country', 'state'] as const satisfies LocationKind[];

/**
 * Reads the geography of the package `@countrystatecity/countries` (ODbL 1.0; pinned, as ids drift between its versions), joined with and
 * completed from GeoNames, from the file generated at build time.
 */
export async function readGeographyFile(): Promise<GeographyRecords> {
  const text = await promisify(brotliDecompress)(await readFile(GEOGRAPHY_FILE));
  return unpack(JSON.parse(text.toString()) as PackedGeography);
}

function unpack({
  countries,
  states: state,
  cities: city,
  timezones,
  alternateNames,
  doubles,
}: PackedGeography): GeographyRecords {
  const stateIds = sums(state.id);
  const countryOf = new Map(stateIds.map((id, row) => [id, state.countryId[row] as number]));
  // Each column has a value for each row.
  const states = stateIds.map((id, row) => ({
    id,
    countryId: state.countryId[row] as number,
    name: state.name[row] as string,
    stateCode: state.stateCode[row] as string,
    type: state.type[row] as string | null,
    parentId: state.parentId[row] as number | null,
  }));
  const cities = sums(city.id).map((id, row) => {
    const stateId = city.stateId[row] as number;
    return {
      id,
      stateId,
      countryId: countryOf.get(stateId) as number,
      name: city.name[row] as string,
      latitude: city.latitude[row] as number | null,
      longitude: city.longitude[row] as number | null,
      timezone: timezones[city.timezone[row] as number] as string,
      population: city.population[row] as number | null,
    };
  });
  const names = LOCATION_KINDS.flatMap((kind) =>
    sums(alternateNames[kind].id).map((id, row) => ({
      kind,
      id,
      names: alternateNames[kind].names[row] as string,
    })),
  );
  return { countries, states, cities, alternateNames: names, doubles };
}

function sums(distances: readonly number[]): number[] {
  let sum = 0;
  return distances.map((distance) => {
    sum += distance;
    return sum;
  });
}
