import { csvLine } from '../../lib/csv.ts';
import type { ImportError, ImportProblem } from '../check/import-error.ts';
import { openReportFile } from './report-file.ts';

/** CSV report of the problems of a folder. Disposal removes an unfinished draft. */
export interface ProblemReport extends AsyncDisposable {
  /** Writes the file atomically, replacing an existing one. Without problems it only has the header. */
  write(error: ImportError | undefined): Promise<void>;
}

const COLUMNS = ['file', 'line', 'column', 'value', 'reason'];

/**
 * Opens the report before a long import, so that an unwritable path fails early.
 *
 * @param folder the folder to import, which must not contain the report
 * @throws UserError where the report cannot be written
 */
export async function openProblemReport(file: string, folder: string): Promise<ProblemReport> {
  const report = await openReportFile(file, folder);
  return {
    async write(error) {
      await report.append(reportText(error));
      await report.publish();
    },
    [Symbol.asyncDispose]: () => report[Symbol.asyncDispose](),
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
