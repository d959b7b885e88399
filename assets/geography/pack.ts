import { brotliCompressSync, constants as zlib } from 'node:zlib';
import type { GeographyRecords } from '../../src/features/geography/load/records.ts';
import type { PackedGeography } from '../../src/features/geography/load/source.ts';

/** The geography as `readGeographySource` reads it. A city's country is that of its state. */
export function packGeography({ countries, states, cities }: GeographyRecords): Buffer {
  const timezones = [...new Set(cities.map(({ timezone }) => timezone))].sort();
  const places = new Map(timezones.map((name, place) => [name, place]));
  const packed: PackedGeography = {
    countries,
    states: {
      id: distances(states.map(({ id }) => id)),
      countryId: states.map(({ countryId }) => countryId),
      name: states.map(({ name }) => name),
      stateCode: states.map(({ stateCode }) => stateCode),
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
  };
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS };
  return brotliCompressSync(JSON.stringify(packed), { params });
}

function distances(ids: readonly number[]): number[] {
  return ids.map((id, row) => id - (ids[row - 1] ?? 0));
}
