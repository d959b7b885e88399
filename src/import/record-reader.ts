import { join } from 'node:path';
import { readCsv } from './csv-reader.ts';
import { type CsvRecord, CsvSyntaxError } from './csv-scanner.ts';
import { type ProblemList, quoted } from './import-error.ts';
import type { ColumnFormat, FileFormat } from './import-format.ts';
import type { CellValue } from './value-readers.ts';

/** Rows of a file, ready for its staging table. */
export interface RowPiece {
  /** How many records there were, those that had to be left out not counted. */
  rows: number;
  /** One line each in the text format of COPY: the line in the file, then the format's columns. A value that could not be read is null. */
  copyRows: string;
  bytesRead: number;
}

/** Where in a record each column of the format stands; -1 where the file lacks it. */
type Positions = readonly number[];

/**
 * Reads a file of a folder piece by piece. What is wrong goes to `problems`: a row with a bad value is given all the same,
 * so that references to it hold; where rows had to be left out the list is marked incomplete.
 */
export async function* readRows(folder: string, format: FileFormat, problems: ProblemList): AsyncGenerator<RowPiece> {
  const fail = (line: number | undefined, reason: string, column?: string) => {
    problems.incomplete = true;
    problems.add({ file: format.file, line, column, value: undefined, reason });
  };
  let header: { width: number; positions: Positions } | undefined;
  try {
    for await (const { records, bytesRead } of readCsv(join(folder, format.file))) {
      const piece: RowPiece = { rows: 0, copyRows: '', bytesRead };
      for (const record of records) {
        if (header === undefined) {
          const faults = headerFaults(format, record);
          for (const { column, reason } of faults) fail(record.line, reason, column);
          if (faults.length > 0) return;
          const positions = format.columns.map(({ name }) => record.cells.indexOf(name));
          header = { width: record.cells.length, positions };
        } else if (record.cells.length !== header.width) {
          fail(
            record.line,
            `${count(record.cells.length, 'cell')} where the header has ${count(header.width, 'column')}`,
          );
        } else {
          piece.rows++;
          piece.copyRows += copyRow(format, header.positions, record, problems);
        }
      }
      yield piece;
    }
    if (header === undefined) fail(1, `the file is empty: expected a header with the columns ${columnNames(format)}`);
  } catch (error) {
    if (error instanceof CsvSyntaxError) fail(error.line, error.message);
    else if (isFileSystemError(error)) fail(undefined, `the file cannot be read: ${error.message}`);
    else throw error;
  }
}

function copyRow(format: FileFormat, positions: Positions, record: CsvRecord, problems: ProblemList): string {
  let row = String(record.line);
  for (const [index, column] of format.columns.entries()) {
    const text = (record.cells[positions[index] ?? -1] ?? '').trim();
    row += `\t${copyValue(readCell(format, column, record.line, text, problems))}`;
  }
  return `${row}\n`;
}

function readCell(
  format: FileFormat,
  column: ColumnFormat,
  line: number,
  text: string,
  problems: ProblemList,
): CellValue {
  if (text === '' && column.optional) return column.whenEmpty;
  const result = column.reader.read(text);
  if ('value' in result) return result.value;
  const shown = text === '' ? 'the cell is empty' : `${quoted(text)} is not valid`;
  problems.add({
    file: format.file,
    line,
    column: column.name,
    value: text,
    reason: `${shown}: expected ${result.expected}`,
  });
  return null;
}

/** A value in the text format of COPY: https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.2 */
function copyValue(value: CellValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  if (!/[\\\t\n\r]/.test(value)) return value;
  return value.replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] ?? character);
}

const COPY_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

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
