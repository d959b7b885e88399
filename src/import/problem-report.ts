import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { csvLine } from '../lib/csv.ts';
import { UserError } from '../lib/errors.ts';
import type { ImportError, ImportProblem } from './import-error.ts';

/** A CSV file that says what is wrong with a folder. Disposing of it takes away what has not been written to its end. */
export interface ProblemReport extends AsyncDisposable {
  /** Writes the file, in place of one that is there, whole or not at all. A folder without a fault gives a header alone. */
  write(error: ImportError | undefined): Promise<void>;
}

const COLUMNS = ['file', 'line', 'column', 'value', 'reason'];

/**
 * Makes sure that the report can be written, before a long import.
 *
 * Values stand in it as they stand in the files, also where a spreadsheet would take them for a formula
 * (`=`, `+`, `-`, `@`): a sign put before them would make other values of them.
 *
 * @param folder the folder that is imported: its CSV files are no place for a report
 * @throws UserError where the report cannot be written
 */
export async function openProblemReport(file: string, folder: string): Promise<ProblemReport> {
  const place = dirname(resolve(file));
  const unfinished = join(place, `.${basename(file)}.${randomBytes(4).toString('hex')}.part`);
  const isCsv = /\.csv$/i.test(file);
  if (isCsv && (await realPath(place)) === (await realPath(folder))) {
    throw new UserError(`The report ${file} would stand among the files to import: choose another folder for it.`);
  }
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw new UserError(`The report cannot be written to ${file}: it is a folder. Name a file.`);
  const handle = await explained(file, () => open(unfinished, 'wx'));
  return {
    write: (error) =>
      explained(file, async () => {
        await handle.writeFile(reportText(error));
        await handle.sync();
        await rename(unfinished, file);
      }),
    async [Symbol.asyncDispose]() {
      await handle.close();
      await rm(unfinished, { force: true });
    },
  };
}

function reportText(error: ImportError | undefined): string {
  const lines = [COLUMNS, ...(error === undefined ? [] : rowsOf(error))];
  return lines.map(csvLine).join('');
}

function rowsOf({ message, problems, total }: ImportError): string[][] {
  if (problems.length === 0) return [['', '', '', '', message]];
  const rows = problems.map(cellsOf);
  if (total > problems.length) rows.push(['', '', '', '', `… and ${total - problems.length} more`]);
  return rows;
}

function cellsOf({ file, line, column, value, reason }: ImportProblem): string[] {
  return [file, String(line ?? ''), column ?? '', value ?? '', reason];
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function explained<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw new UserError(`The report cannot be written to ${file}: ${String(error)}`, { cause: error });
  }
}
