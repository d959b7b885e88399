import type { Config } from '../../config/config.ts';
import { readExtraPlaces } from './extra-places.ts';
import { readGeographyFile } from './geography-file.ts';
import { buildGeographyIndex, type GeographyIndex } from './geography-index.ts';
import type { GeographyRecords } from './records.ts';

/** Reads the geography that is served: the shipped file, and what the operator adds. @throws UserError for an invalid file */
export async function readGeography({ geographyExtra }: Pick<Config, 'geographyExtra'>): Promise<GeographyRecords> {
  const shipped = await readGeographyFile();
  return geographyExtra === undefined ? shipped : readExtraPlaces(geographyExtra, shipped);
}

/** Reads the geography and builds its index: about 1.5 s of a processor. */
export async function openGeography(config: Pick<Config, 'geographyExtra'>): Promise<{ index: GeographyIndex }> {
  return { index: buildGeographyIndex(await readGeography(config)) };
}
