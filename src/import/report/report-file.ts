import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createAtomicFile, publish } from '../../lib/atomic-file.ts';
import { UserError } from '../../lib/errors.ts';
import { isFileFault } from '../../lib/file-faults.ts';

/** CSV report of an import. Disposal removes an unpublished draft. */
export interface ReportFile extends AsyncDisposable {
  /** Folder of the report. */
  readonly folder: string;
  append(text: string): Promise<void>;
  /** Publishes the report atomically, replacing an existing file. */
  publish(): Promise<void>;
}

/**
 * Opens a report before a long import, so that an unwritable path fails early.
 *
 * Values are written unchanged, even if a spreadsheet would take them for a formula (`=`, `+`, `-`, `@`): an escape character would
 * alter them.
 *
 * @param folder the folder to import, which must not contain the report
 * @throws UserError where the report cannot be written; so do its methods
 */
export async function openReportFile(file: string, folder: string): Promise<ReportFile> {
  const isCsv = /\.csv$/i.test(file);
  const own = dirname(resolve(file));
  if (isCsv && (await realPath(own)) === (await realPath(folder))) {
    throw new UserError(`The report ${file} would stand among the files to import: choose another folder for it.`);
  }
  const draft = await withUserError(file, () => createAtomicFile(file));
  return {
    folder: own,
    append: (text) => withUserError(file, () => draft.append(text)),
    publish: () => withUserError(file, () => publish(draft)),
    [Symbol.asyncDispose]: () => draft[Symbol.asyncDispose](),
  };
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function withUserError<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`The report cannot be written to ${file}: ${error.message}.`, { cause: error });
  }
}
