import { brotliCompressSync, constants as zlib } from 'node:zlib';
import type { PackedGeography } from '../../src/features/geography/geography-file.ts';
import type { GeographyRecords, LocationKind } from '../../src/features/geography/records.ts';

/** Packs the geography as `readGeographyFile` reads it. A city's country is that of its state. */
export function packGeography(records: GeographyRecords): Buffer {
  const { countries, states, cities } = records;
  const timezones = [...new Set(cities.map(({ timezone }) => timezone))].sort();
  const places = new Map(timezones.map((name, place) => [name, place]));
  const packed: PackedGeography = {
    countries,
    states: {
      id: distances(states.map(({ id }) => id)),
      countryId: states.map(({ countryId }) => countryId),
      name: states.map(({ name }) => name),
      stateCode: states.map(({ stateCode }) => stateCode),
      type: states.map(({ type }) => type),
      parentId: states.map(({ parentId }) => parentId),
    },
    cities: {
      id: distances(cities.map(({ id }) => id)),
      stateId: cities.map(({ stateId }) => stateId),
      name: cities.map(({ name }) => name),
      latitude: cities.map(({ latitude }) => latitude),
      longitude: cities.map(({ longitude }) => longitude),
      timezone: cities.map(({ timezone }) => places.get(timezone) ?? 0),
      population: cities.map(({ population }) => population),
    },
    timezones,
    alternateNames: {
      country: packNames(records, 'country'),
      state: packNames(records, 'state'),
      city: packNames(records, 'city'),
    },
    doubles: records.doubles,
  };
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS };
  return brotliCompressSync(JSON.stringify(packed), { params });
}

function packNames({ alternateNames }: GeographyRecords, kind: LocationKind): { id: number[]; names: string[] } {
  const own = alternateNames.filter((record) => record.kind === kind);
  return { id: distances(own.map(({ id }) => id)), names: own.map(({ names }) => names) };
}

function distances(ids: readonly number[]): number[] {
  return ids.map((id, row) => id - (ids[row - 1] ?? 0));
}
