import { openGeography } from '../../src/features/geography/geography-file.ts';
import { buildGeographyIndex, type GeographyIndex } from '../../src/features/geography/geography-index.ts';
import type { GeographyRows } from '../../src/features/geography/records.ts';

/** Goa and its capital, in one of two countries. */
export const FEW_PLACES: GeographyRows = {
  countries: [
    { id: 1, name: 'India', iso2: 'IN', iso3: 'IND' },
    { id: 2, name: 'Nepal', iso2: 'NP', iso3: 'NPL' },
  ],
  states: [{ id: 1, name: 'Goa', countryId: 1, stateCode: 'GA' }],
  cities: [{ id: 1, name: 'Panaji', stateId: 1 }],
};

let few: GeographyIndex | undefined;
let world: Promise<{ index: GeographyIndex }> | undefined;

/** The index of {@link FEW_PLACES}, built once a process. */
export function fewPlaces(): { index: GeographyIndex } {
  few ??= buildGeographyIndex(FEW_PLACES);
  return { index: few };
}

/** The shipped geography, opened once a process. */
export function wholeWorld(): Promise<{ index: GeographyIndex }> {
  world ??= openGeography({ geographyExtra: undefined, dataDir: '' });
  return world;
}
