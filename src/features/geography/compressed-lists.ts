import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { GeographyIndex } from './geography-index.ts';

/** The content codings that are kept ready, the smaller one first (RFC 9110, section 8.4.1). */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];
export type ListName = 'cities' | 'states' | 'countries';

/** The full lists, compressed, as far as they are ready. */
export interface CompressedLists {
  find(index: GeographyIndex, list: ListName, coding: Coding): Buffer | undefined;
  /** Reads or makes those of an index, in the background; forgets those of any other. */
  prepare(index: GeographyIndex): Promise<void>;
}

/** Sizes and times of levels: docs/performance.md. Both run in the thread pool, beside the event loop. */
const compress: Record<Coding, (data: Buffer) => Promise<Buffer>> = {
  br: (data) =>
    promisify(brotliCompress)(data, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    }),
  gzip: (data) => promisify(gzip)(data, { level: 9 }),
};

/**
 * Keeps compressed lists in memory and in a folder, so that they are made once for each state of the data.
 * Files appear whole (renamed into place); other versions' files are removed.
 */
export function openCompressedLists(folder: string): CompressedLists {
  let ready = new Map<string, Buffer>();
  const keyOf = (index: GeographyIndex, list: ListName, coding: Coding) => `${index.version}.${list}.${coding}`;

  async function readOrMake(index: GeographyIndex, list: ListName, coding: Coding): Promise<Buffer> {
    const file = join(folder, keyOf(index, list, coding));
    const kept = await readFile(file).catch(() => undefined);
    if (kept) return kept;
    const made = await compress[coding](index[list].all);
    await writeFile(`${file}.${process.pid}`, made);
    await rename(`${file}.${process.pid}`, file);
    return made;
  }

  return {
    find: (index, list, coding) => ready.get(keyOf(index, list, coding)),
    async prepare(index) {
      ready = new Map();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const coding of CODINGS) {
        for (const list of ['countries', 'states', 'cities'] as const) {
          const buffer = await readOrMake(index, list, coding);
          ready.set(keyOf(index, list, coding), buffer);
        }
      }
      const stale = (await readdir(folder)).filter((name) => !name.startsWith(`${index.version}.`));
      await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
