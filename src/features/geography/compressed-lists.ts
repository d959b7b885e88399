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
  find(list: ListName, coding: ContentEncoding): Buffer | undefined;
  /** Reads or creates those of the index that is served; deletes those of any other. */
  prepare(index: GeographyIndex): Promise<void>;
  /** Creates no further ones. */
  stop(): void;
}

/** Keeps compressed lists in memory and in a folder, so that they are created once per version of the data. Files are written atomically. */
export function openCompressedLists(folder: string): CompressedLists {
  const ready = new Map<string, Buffer>();
  let stopped = false;

  return {
    find: (list, coding) => ready.get(`${list}.${coding}`),
    async prepare(index) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const coding of CONTENT_ENCODINGS) {
        for (const list of LISTS) {
          if (stopped) return;
          const file = join(folder, `${index.version}.${list}.${coding}`);
          const kept = await readFile(file).catch(() => undefined);
          const made = kept ?? (await compressForKeeping[coding](index[list].all));
          // Another process that has written the same file meanwhile removes drafts.
          if (!kept)
            await writeAtomicFile(file, made).catch((error) => {
              if (!existsSync(file)) throw error;
            });
          ready.set(`${list}.${coding}`, made);
        }
      }
      // All files of this version are there: drafts are of killed processes.
      const isKept = (name: string) =>
        !nameOfDraft(name)?.startsWith(index.version) &&
        [`${index.version}.`, KEPT_INDEX].some((start) => name.startsWith(start));
      const stale = (await readdir(folder)).filter((name) => !isKept(name));
      await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
    },
    stop() {
      stopped = true;
    },
  };
}
