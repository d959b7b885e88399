import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { assertReplaceable } from './regular-file.ts';

/** Suffix of a draft's name, behind the name of its file. */
const DRAFT_MARK = /\.[0-9a-f]{8}\.unfinished$/;

/** A file that appears under its name complete and synced to disk, or not at all. Disposal removes an unpublished draft. */
export interface AtomicFile extends AsyncDisposable {
  readonly path: string;
  /** Path of the draft, in the same folder: `NAME.0123abcd.unfinished`. */
  readonly draft: string;
  append(data: string | Uint8Array): Promise<void>;
  /** Syncs the draft to disk and closes it. */
  finish(): Promise<void>;
}

/**
 * Creates the draft of a file.
 *
 * @param mode permissions, before the umask
 * @throws IrregularFileError where the file would replace something other than a regular file; the error of the file system
 */
export async function createAtomicFile(path: string, mode = 0o666): Promise<AtomicFile> {
  await assertReplaceable(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.unfinished`;
  const handle = await open(draft, 'wx', mode);
  return {
    path,
    draft,
    append: (data) => handle.appendFile(data),
    async finish() {
      await handle.sync();
      await handle.close();
    },
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(draft, { force: true });
    },
  };
}

/**
 * Renames drafts to their final names, replacing regular files. If one fails, those already published are removed; only a process
 * killed in between leaves some of them.
 */
export async function publish(...files: readonly AtomicFile[]): Promise<void> {
  for (const file of files) await file.finish();
  const published: string[] = [];
  try {
    for (const { draft, path } of files) {
      await assertReplaceable(path);
      await rename(draft, path);
      published.push(path);
    }
  } catch (error) {
    for (const path of published) await rm(path, { force: true });
    throw error;
  }
  for (const folder of new Set(published.map(dirname))) await syncFolder(folder);
}

/** Publishes a file unless its name is taken. @returns false where it is; rejects on file systems without hard links */
export async function publishIfAbsent(file: AtomicFile): Promise<boolean> {
  await file.finish();
  try {
    await link(file.draft, file.path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(dirname(file.path));
  return true;
}

/** Writes a small file atomically, replacing a regular file of that name. */
export async function writeAtomicFile(path: string, data: string | Uint8Array, mode?: number): Promise<void> {
  await using file = await createAtomicFile(path, mode);
  await file.append(data);
  await publish(file);
}

/** Returns the final name of a draft with this name; undefined where it is no draft. */
export function nameOfDraft(name: string): string | undefined {
  return DRAFT_MARK.test(name) ? name.replace(DRAFT_MARK, '') : undefined;
}

/** Removes drafts of a file left behind by killed processes. A process still writing one will fail to publish it. */
export async function removeDrafts(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (nameOfDraft(name) === basename(path)) await rm(join(dirname(path), name), { force: true });
  }
}

/** Syncs a folder, so that new names in it survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
    // Not every system allows opening or syncing folders; the file itself is synced.
  } finally {
    await handle?.close();
  }
}
