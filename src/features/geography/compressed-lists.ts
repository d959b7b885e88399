import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compressForKeeping } from '../../http/response/compressed-once.ts';
import { CONTENT_ENCODINGS, type ContentEncoding } from '../../http/response/content-encoding.ts';
import { nameOfDraft, writeAtomicFile } from '../../lib/atomic-file.ts';
import { KEPT_INDEX } from './geography-file.ts';
import type { GeographyIndex } from './geography-index.ts';
import type { ListName } from './records.ts';

const LISTS = ['countries', 'states', 'cities'] as const;

/** The full lists in compressed form, as far as they are ready. */
export type CompressedLists = ReturnType<typeof openCompressedLists>;

/** Keeps compressed lists in memory and in a folder, so that they are created once per version of the data. Files are written atomically. */
export function openCompressedLists(folder: string) {
  const ready = new Map<string, Buffer>();
  let stopped = false;

  return {
    find: (list: ListName, coding: ContentEncoding) => ready.get(`${list}.${coding}`),
    /** Reads or creates those of the index that is served; deletes those of any other. */
    async prepare(index: GeographyIndex): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const list of CONTENT_ENCODINGS.flatMap((coding) => LISTS.map((name) => ({ name, coding })))) {
        if (stopped) return;
        const file = join(folder, `${index.version}.${list.name}.${list.coding}`);
        const kept = await readFile(file).catch(() => undefined);
        const made = kept ?? (await compressForKeeping[list.coding](index[list.name].all));
        // Another process that has written the same file meanwhile removes drafts.
        if (!kept)
          await writeAtomicFile(file, made).catch((error) => {
            if (!existsSync(file)) throw error;
          });
        ready.set(`${list.name}.${list.coding}`, made);
      }
      // All files of this version are there: drafts are of killed processes.
      const isKept = (name: string) =>
        !nameOfDraft(name)?.startsWith(index.version) &&
        [`${index.version}.`, KEPT_INDEX].some((start) => name.startsWith(start));
      const stale = (await readdir(folder)).filter((name) => !isKept(name));
      await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
    },
    /** Creates no further ones. */
    stop(): void {
      stopped = true;
    },
  };
}
