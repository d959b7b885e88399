import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createAtomicFile, publish } from '../../lib/atomic-file.ts';
import { UserError } from '../../lib/errors.ts';
import { isFileFault } from '../../lib/file-faults.ts';

/** A CSV file on an import. Disposing of it takes away what has not been published. */
export interface ReportFile extends AsyncDisposable {
  /** The folder that it comes to stand in. */
  readonly folder: string;
  append(text: string): Promise<void>;
  /** Has it appear whole, in place of a file that is there. */
  publish(): Promise<void>;
}

/**
 * Makes sure that a report can be written, before a long import.
 *
 * Values stand in it as they stand in the files, also where a spreadsheet would take them for a formula
 * (`=`, `+`, `-`, `@`): a sign put before them would make other values of them.
 *
 * @param folder the folder that is imported: its CSV files are no place for a report
 * @throws UserError where the report cannot be written, as its functions do
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
