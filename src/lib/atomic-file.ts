import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expectReplaceable } from './regular-file.ts';

/** What the name of a draft has after that of its file. */
const DRAFT_MARK = /\.[0-9a-f]{8}\.unfinished$/;

/** A file that is to appear under its name whole and safe on the disk, or not at all. Disposing of it removes what was not published. */
export interface AtomicFile extends AsyncDisposable {
  readonly path: string;
  /** Where it is until then: beside its place, `NAME.0123abcd.unfinished`. */
  readonly draft: string;
  append(data: string | Uint8Array): Promise<void>;
  /** Has what was appended safe on the disk, and closes the draft. */
  finish(): Promise<void>;
}

/**
 * Begins a file.
 *
 * @param mode of which the umask takes away
 * @throws IrregularFileError where it would replace what is no regular file; the error of the file system
 */
export async function createAtomicFile(path: string, mode = 0o666): Promise<AtomicFile> {
  await expectReplaceable(path);
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
 * Gives files their names, in the place of regular files that have these. Where one cannot get its name, those that have got
 * theirs are removed. Only who is killed at this very moment leaves a part of them.
 */
export async function publish(...files: readonly AtomicFile[]): Promise<void> {
  for (const file of files) await file.finish();
  const published: string[] = [];
  try {
    for (const { draft, path } of files) {
      await expectReplaceable(path);
      await rename(draft, path);
      published.push(path);
    }
  } catch (error) {
    for (const path of published) await rm(path, { force: true });
    throw error;
  }
  for (const folder of new Set(published.map(dirname))) await syncFolder(folder);
}

/** Gives a file its name where nothing has it. @returns whether that was so; on a disk without hard links it fails */
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

/** Writes a small file whole, in the place of a regular file of that name. */
export async function writeAtomicFile(path: string, data: string | Uint8Array, mode?: number): Promise<void> {
  await using file = await createAtomicFile(path, mode);
  await file.append(data);
  await publish(file);
}

/** The name of the file that a file of this name is a draft of; undefined where it is none. */
export function nameOfDraft(name: string): string | undefined {
  return DRAFT_MARK.test(name) ? name.replace(DRAFT_MARK, '') : undefined;
}

/** Removes the drafts of a file that processes left which were killed. One that goes on at this moment will find its own missing and fail. */
export async function removeDrafts(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (nameOfDraft(name) === basename(path)) await rm(join(dirname(path), name), { force: true });
  }
}

/** So that the new name too survives a power failure. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
    // Not every system lets folders be opened or synchronised; the file itself is safe.
  } finally {
    await handle?.close();
  }
}
