import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compressForKeeping } from '../../http/response/compressed-once.ts';
import { CONTENT_ENCODINGS, type ContentEncoding } from '../../http/response/content-encoding.ts';
import { nameOfDraft, writeAtomicFile } from '../../lib/atomic-file.ts';
import type { GeographyIndex } from './geography-index.ts';
import { KEPT_INDEX } from './open-geography.ts';

const LISTS = ['countries', 'states', 'cities'] as const;
export type ListName = (typeof LISTS)[number];

/** The full lists in compressed form, as far as they are ready. */
export interface CompressedLists {
  find(index: GeographyIndex, list: ListName, coding: ContentEncoding): Buffer | undefined;
  /** Reads or creates those of an index, in the background; drops those of any other. */
  prepare(index: GeographyIndex): Promise<void>;
  /** Creates no further ones. */
  stop(): void;
}

/**
 * Keeps compressed lists in memory and in a folder, so that they are created once per state of the data. Files are written atomically;
 * files of other versions are deleted.
 */
export function openCompressedLists(folder: string): CompressedLists {
  let ready = new Map<string, Buffer>();
  let latest: Promise<void> = Promise.resolve();
  let stopped = false;
  const keyOf = (index: GeographyIndex, list: ListName, coding: ContentEncoding) =>
    `${index.version}.${list}.${coding}`;

  async function readOrMake(index: GeographyIndex, list: ListName, coding: ContentEncoding): Promise<Buffer> {
    const file = join(folder, keyOf(index, list, coding));
    const kept = await readFile(file).catch(() => undefined);
    if (kept) return kept;
    const made = await compressForKeeping[coding](index[list].all);
    // Another process that has written the same file meanwhile removes drafts.
    await writeAtomicFile(file, made).catch((error) => {
      if (!existsSync(file)) throw error;
    });
    return made;
  }

  async function readOrMakeAll(index: GeographyIndex): Promise<void> {
    ready = new Map();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const coding of CONTENT_ENCODINGS) {
      for (const list of LISTS) {
        if (stopped) return;
        ready.set(keyOf(index, list, coding), await readOrMake(index, list, coding));
      }
    }
    // All files of this version are there: drafts are of killed processes.
    const isKept = (name: string) =>
      !nameOfDraft(name)?.startsWith(index.version) &&
      [`${index.version}.`, KEPT_INDEX].some((start) => name.startsWith(start));
    const stale = (await readdir(folder)).filter((name) => !isKept(name));
    await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
  }

  return {
    find: (index, list, coding) => ready.get(keyOf(index, list, coding)),
    prepare(index) {
      // Sequential: an older run would delete the files of a newer one.
      latest = latest.catch(() => undefined).then(() => readOrMakeAll(index));
      return latest;
    },
    stop() {
      stopped = true;
    },
  };
}
