import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ENTITIES } from '../../entities/entities.ts';
import { type AtomicFile, createAtomicFile, nameOfDraft, publish, removeDrafts } from '../../lib/atomic-file.ts';
import { harmlessLine } from '../../lib/csv.ts';
import { isFileFault, UserError } from '../../lib/errors.ts';

/** Files of the import format, in the order of writing: targets of references come first. */
export const FILE_NAMES: readonly string[] = ENTITIES.map(({ file }) => file);

/** Returns whether a file name is that of a draft of an unfinished export. */
export function isUnfinishedExport(name: string): boolean {
  return FILE_NAMES.includes(nameOfDraft(name) ?? '');
}

/**
 * Writes files of the import format into a folder, and creates the folder if necessary. Until all are complete they are drafts, which an
 * import refuses.
 *
 * @param done participle for messages, such as `exported`
 * @param write writes the files, each created by the function that it is passed
 * @throws UserError where the folder cannot be written to, or already contains CSV files
 */
export async function writeCsvFolder<Result>(
  folder: string,
  done: string,
  write: (begin: (file: string) => Promise<AtomicFile>) => Promise<Result>,
): Promise<Result> {
  const drafts: AtomicFile[] = [];
  const refusal = (reason: string, cause?: unknown) =>
    new UserError(`Nothing was ${done} to ${folder}: ${reason}`, { cause });
  const assertNoCsvFiles = async () => {
    const present = await describeCsvFiles(folder);
    if (present === '') return;
    throw refusal(`it holds CSV files already (${present}). Name another folder, or remove them.`);
  };
  try {
    await mkdir(folder, { recursive: true });
    await assertNoCsvFiles();
    for (const file of FILE_NAMES) await removeDrafts(join(folder, file));
    const result = await write(async (file) => {
      const draft = await createAtomicFile(join(folder, file), 0o600);
      drafts.push(draft);
      return draft;
    });
    await assertNoCsvFiles();
    await publish(...drafts);
    return result;
  } catch (error) {
    throw isFileFault(error) ? refusal(error.message, error) : error;
  } finally {
    for (const draft of drafts) await draft[Symbol.asyncDispose]();
  }
}

/** Returns the names of the first three CSV files in a folder. */
async function describeCsvFiles(folder: string): Promise<string> {
  const present = (await readdir(folder)).filter((name) => /^[^.].*\.csv$/i.test(name)).toSorted();
  return `${present.slice(0, 3).join(', ')}${present.length > 3 ? ', …' : ''}`;
}

/**
 * Writes all files of the import format into a folder, each with its header and one row of example values. Creates the folder if necessary.
 *
 * @returns the names of the files
 * @throws UserError where the folder cannot be written to, or already contains CSV files
 */
export async function writeTemplate(folder: string): Promise<string[]> {
  return writeCsvFolder(folder, 'written', async (begin) => {
    const files: string[] = [];
    for (const { file, fields, deleteFlag } of ENTITIES) {
      const cells = Object.entries(fields).map(([name, { example }]) => [name, String(example ?? '')] as const);
      if (deleteFlag !== undefined) cells.push([deleteFlag, 'true']);
      const draft = await begin(file);
      await draft.append(harmlessLine(cells.map(([name]) => name)) + harmlessLine(cells.map(([, cell]) => cell)));
      files.push(file);
    }
    return files;
  });
}
