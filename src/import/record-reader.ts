import { join } from 'node:path';
import { type CsvRecord, CsvSyntaxError, readCsv } from './csv-reader.ts';
import { type ProblemList, quoted } from './import-error.ts';
import type { ColumnFormat, FileFormat } from './import-format.ts';
import type { CellValue } from './value-readers.ts';

/** A record's values under their columns' names in SQL, and under `line` the line it begins on. A value that could not be read is null. */
export type ImportRow = Record<string, CellValue>;

export interface RowPiece {
  rows: readonly ImportRow[];
  bytesRead: number;
}

/** The column of each cell, in the order of the header. */
type Header = readonly ColumnFormat[];

/**
 * Reads a file of a folder piece by piece into typed rows. What is wrong goes to `problems`: a row with a bad value is
 * given all the same, so that references to it hold; where rows had to be left out the list is marked incomplete.
 */
export async function* readRows(folder: string, format: FileFormat, problems: ProblemList): AsyncGenerator<RowPiece> {
  const fail = (line: number | undefined, reason: string, column?: string) => {
    problems.incomplete = true;
    problems.add({ file: format.file, line, column, value: undefined, reason });
  };
  let header: Header | undefined;
  try {
    for await (const { records, bytesRead } of readCsv(join(folder, format.file))) {
      const rows: ImportRow[] = [];
      for (const record of records) {
        if (header === undefined) {
          const faults = headerFaults(format, record);
          for (const { column, reason } of faults) fail(record.line, reason, column);
          if (faults.length > 0) return;
          header = record.cells.flatMap((name) => format.columns.find((column) => column.name === name) ?? []);
        } else if (record.cells.length !== header.length) {
          fail(
            record.line,
            `${count(record.cells.length, 'cell')} where the header has ${count(header.length, 'column')}`,
          );
        } else {
          rows.push(readRow(format, header, record, problems));
        }
      }
      yield { rows, bytesRead };
    }
    if (header === undefined) fail(1, `the file is empty: expected a header with the columns ${columnNames(format)}`);
  } catch (error) {
    if (error instanceof CsvSyntaxError) fail(error.line, error.message);
    else if (isFileSystemError(error)) fail(undefined, `the file cannot be read: ${error.message}`);
    else throw error;
  }
}

function readRow(format: FileFormat, header: Header, record: CsvRecord, problems: ProblemList): ImportRow {
  const row: ImportRow = { line: record.line };
  for (const column of format.columns) row[column.column] = column.whenEmpty;
  header.forEach((column, index) => {
    const text = (record.cells[index] ?? '').trim();
    if (text === '' && column.optional) return;
    const result = column.reader.read(text);
    if ('value' in result) {
      row[column.column] = result.value;
      return;
    }
    row[column.column] = null;
    const shown = text === '' ? 'the cell is empty' : `${quoted(text)} is not valid`;
    const place = { file: format.file, line: record.line, column: column.name };
    problems.add({ ...place, value: text, reason: `${shown}: expected ${result.expected}` });
  });
  return row;
}

interface HeaderFault {
  column?: string;
  reason: string;
}

function headerFaults(format: FileFormat, { cells }: CsvRecord): HeaderFault[] {
  if (cells.some((cell) => cell.includes('\r'))) {
    return [
      { reason: 'a carriage return stands without a line feed: save the file with LF or CRLF at the end of lines' },
    ];
  }
  if (cells.length === 1 && /[;\t]/.test(cells.join())) {
    return [{ reason: 'the cells are not separated by commas: save the file with commas' }];
  }
  const unknown = cells.filter((cell) => !format.columns.some((column) => column.name === cell));
  const doubled = cells.filter((cell, index) => cells.indexOf(cell) !== index && !unknown.includes(cell));
  const missing = format.columns.filter((column) => !column.optional && !cells.includes(column.name));
  return [
    ...unique(unknown).map((cell) => ({
      column: cell,
      reason: `unknown column: the columns of ${format.file} are ${columnNames(format)}`,
    })),
    ...unique(doubled).map((column) => ({ column, reason: 'the column stands more than once in the header' })),
    ...missing.map(({ name }) => ({ column: name, reason: 'the column is missing from the header' })),
  ];
}

function columnNames(format: FileFormat): string {
  return format.columns.map((column) => column.name).join(', ');
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
