import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { writeAtomicFile } from '../../lib/atomic-file.ts';
import { packParts, readParts } from '../../lib/packed-parts.ts';
import { readExtraPlaces } from './extra-places.ts';
import { GEOGRAPHY_FILE, readGeographyFile } from './geography-file.ts';
import { type GeographyIndex, openGeographyIndex } from './geography-index.ts';
import { buildGeographyParts, type GeographyParts } from './geography-parts.ts';
import type { GeographyRecords } from './records.ts';

/** Reads the geography that is served: the shipped file, and what the operator adds. @throws UserError for an invalid file */
export async function readGeography({ geographyExtra }: Pick<Config, 'geographyExtra'>): Promise<GeographyRecords> {
  const shipped = await readGeographyFile();
  return geographyExtra === undefined ? shipped : readExtraPlaces(geographyExtra, shipped);
}

/** Opens the index of the geography. @throws UserError for an invalid file of the operator */
export async function openGeography(
  settings: Pick<Config, 'geographyExtra' | 'dataDir'>,
): Promise<{ index: GeographyIndex }> {
  const shipped = await readFile(GEOGRAPHY_FILE);
  const packed = settings.geographyExtra === undefined ? shipped : await extendedIndex(shipped, settings);
  return { index: openGeographyIndex(await readParts<GeographyParts>(packed)) };
}

/** Names the index of a shipped file and a file of the operator; what precedes the hash of the two. */
export const KEPT_INDEX = 'index.';
/** Brotli's lowest: the file is read by this machine alone. */
const QUALITY = 1;

/** Returns the index with the places of the operator. It takes some seconds to build, and is kept in the data folder. */
async function extendedIndex(
  shipped: Buffer,
  { geographyExtra = '', dataDir }: Pick<Config, 'geographyExtra' | 'dataDir'>,
): Promise<Buffer> {
  // Reading the places reports what is wrong with the file.
  const extra = await readFile(geographyExtra).catch(() => '');
  const name = KEPT_INDEX + createHash('sha256').update(shipped).update(extra).digest('hex');
  const folder = join(dataDir, 'geography');
  const kept = await readFile(join(folder, name)).catch(() => undefined);
  if (kept !== undefined) return kept;
  const packed = packParts(buildGeographyParts(await readGeography({ geographyExtra })), QUALITY);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const stale of await readdir(folder))
    if (stale.startsWith(KEPT_INDEX)) await rm(join(folder, stale), { force: true });
  await writeAtomicFile(join(folder, name), packed);
  return packed;
}
