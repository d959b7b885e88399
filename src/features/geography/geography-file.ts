import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { writeAtomicFile } from '../../lib/atomic-file.ts';
import { packParts, readParts } from '../../lib/packed-parts.ts';
import { programFile } from '../../lib/program.ts';
import { readExtraPlaces } from './extra-places.ts';
import { type GeographyIndex, openGeographyIndex } from './geography-index.ts';
import { buildGeographyParts, type GeographyParts, type ListParts } from './geography-parts.ts';
import { cityDetails, type Details, writtenDetails } from './location-details.ts';
import { textAt } from './number-lists.ts';
import type { AlternateNamesRecord, GeographyRecords, LocationKind, Position } from './records.ts';

/** The index of the geography of the packages, into which `npm run build` writes it. */
const GEOGRAPHY_FILE = programFile('resources/geography.br');

/** Reads the parts of the index of the geography of the packages, which `npm run build` makes. */
export async function readGeographyParts(): Promise<GeographyParts> {
  return readParts<GeographyParts>(await readFile(GEOGRAPHY_FILE));
}

/** Reads the geography of the packages: what its index has been built from. */
export async function readGeographyFile(): Promise<GeographyRecords> {
  const { cities, states, countries, doubles, sources } = await readGeographyParts();
  const ids = new Map(Array.from(cities.order, (row, rank) => [row, cities.ids[rank] ?? 0]));
  const quarters = Object.entries(cities.quarters).map(([row, city]) => [ids.get(Number(row)), ids.get(city)]);
  return {
    quarters: Object.fromEntries(quarters),
    localNames: { states: localNamesOf(states), cities: localNamesOf(cities) },
    sources: sources as GeographyRecords['sources'],
    countries: recordsOf(countries, writtenDetails(countries.details)),
    states: recordsOf(states, writtenDetails(states.details)),
    cities: recordsOf(cities, cityDetails(cities.details)),
    alternateNames: [...namesOf('city', cities), ...namesOf('country', countries), ...namesOf('state', states)],
    doubles: doubles as GeographyRecords['doubles'],
  };
}

/** Returns the records of a list by ascending id, each made of its JSON and its details. */
function recordsOf<Item extends { id: number }>({ json: { all } }: ListParts<never>, details: Details<string>): Item[] {
  const { data } = JSON.parse(Buffer.from(all.buffer, all.byteOffset, all.byteLength).toString()) as {
    data: Record<string, unknown>[];
  };
  const items = data.map(({ state: _, country: __, _count: ___, ...item }, row) => {
    for (const [name, json] of Object.entries(details)) {
      const value = JSON.parse(json(row));
      Object.assign(item, name === 'location' ? positionOf(value) : { [name]: value });
    }
    return item as unknown as Item;
  });
  return items.sort((one, other) => one.id - other.id);
}

function positionOf(degrees: { latitude: number; longitude: number } | null): Position {
  if (degrees === null) return { latitude: null, longitude: null };
  return { latitude: Math.round(degrees.latitude * 1e7), longitude: Math.round(degrees.longitude * 1e7) };
}

function namesOf(kind: LocationKind, { ids, order, alternateNames }: ListParts<never>): AlternateNamesRecord[] {
  const named = Array.from(order, (row, rank) => ({ kind, id: ids[rank] ?? 0, names: textAt(alternateNames, row) }));
  return named.filter(({ names }) => names !== '').sort((one, other) => one.id - other.id);
}

function localNamesOf({ ids, order, localNames }: ListParts<never>): Record<number, string> {
  const names = Array.from(order, (row, rank) => [ids[rank] ?? 0, textAt(localNames, row)] as const);
  return Object.fromEntries(names.filter(([, text]) => text !== ''));
}

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
  const stale = (await readdir(folder)).filter((file) => file.startsWith(KEPT_INDEX));
  await Promise.all(stale.map((file) => rm(join(folder, file), { force: true })));
  await writeAtomicFile(join(folder, name), packed);
  return packed;
}
