import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createAtomicFile, publish } from '../../lib/atomic-file.ts';
import { harmlessLine } from '../../lib/csv.ts';
import { isFileFault, UserError } from '../../lib/errors.ts';
import type { ImportError, ImportProblem } from '../check/problems.ts';

/** CSV report of the problems of a folder. Disposal removes an unfinished draft. */
export interface ProblemReport extends AsyncDisposable {
  /** Writes the file atomically, replacing an existing one. Without problems it only has the header. */
  write(error: ImportError | undefined): Promise<void>;
}

const COLUMNS = ['file', 'line', 'column', 'value', 'reason'];

/**
 * Opens the report before a long import, so that an unwritable path fails early.
 *
 * @param folder the folder or file to import, which must not contain the report
 * @throws UserError where the report cannot be written; so does its method
 */
export async function openProblemReport(file: string, folder: string): Promise<ProblemReport> {
  const isCsv = /\.csv$/i.test(file);
  const imported = await realPath(folder);
  if ((await realPath(file)) === imported || (isCsv && (await realPath(dirname(resolve(file)))) === imported)) {
    throw new UserError(`The report ${file} would be one of the files to import: choose another folder for it.`);
  }
  const draft = await withUserError(file, () => createAtomicFile(file, 0o600));
  return {
    write: (error) =>
      withUserError(file, async () => {
        await draft.append(reportText(error));
        await publish(draft);
      }),
    [Symbol.asyncDispose]: () => draft[Symbol.asyncDispose](),
  };
}

function reportText(error: ImportError | undefined): string {
  const lines = [COLUMNS, ...(error === undefined ? [] : rowsOf(error))];
  return lines.map(harmlessLine).join('');
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

async function withUserError<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isFileFault(error)) throw error;
    throw new UserError(`The report cannot be written to ${file}: ${error.message}.`, { cause: error });
  }
}
