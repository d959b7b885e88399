import { csvLine } from '../../lib/csv.ts';
import type { ImportError, ImportProblem } from '../check/import-error.ts';
import { openReportFile } from './report-file.ts';

/** A CSV file that says what is wrong with a folder. Disposing of it takes away what has not been written to its end. */
export interface ProblemReport extends AsyncDisposable {
  /** Writes the file, in place of one that is there, whole or not at all. A folder without a fault gives a header alone. */
  write(error: ImportError | undefined): Promise<void>;
}

const COLUMNS = ['file', 'line', 'column', 'value', 'reason'];

/**
 * Makes sure that the report can be written, before a long import.
 *
 * @param folder the folder that is imported: its CSV files are no place for a report
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
