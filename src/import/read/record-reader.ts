import { randomUUID } from 'node:crypto';
import { EXTERNAL_ID } from '../../entities/characters.ts';
import { BETWEEN_IDS } from '../../entities/formed-values.ts';
import { parseForeign } from '../../entities/values.ts';
import { openRegularFile } from '../../lib/regular-file.ts';
import { namesOf, type ProblemList, quoted } from '../check/problems.ts';
import { CsvSyntaxError, readCsvFile, type TablePiece, type TableRecord } from './csv-reader.ts';
import type { CellValue, FileFormat } from './import-format.ts';
import { columnNames, type HeaderColumn, readHeader } from './import-format.ts';

/** Rows of a file, in the format for its staging table. */
export interface RowPiece {
  /** Number of rows, without records that had to be left out. */
  rows: number;
  /** Text format of COPY: line number in the file, then the file's columns. Invalid values are null. */
  copyRows: string;
  bytesRead: number;
}

/** The path of a CSV file, its bytes, or a function that yields the records of a table, of which the first is the header. */
export type TableSource = string | Buffer | (() => AsyncGenerator<TablePiece>);

/** A file whose header has been read. */
export interface FileRows extends AsyncDisposable {
  /** Columns of the file, in the order of the format. */
  columns: readonly HeaderColumn[];
  /** Reads the rows. Invalid rows, and a failure to read the rest of the file, go to the list of problems. */
  pieces: AsyncIterable<RowPiece>;
}

/**
 * Reads a file piece by piece, adding faults to `problems`. A row with an invalid value is still returned, so that references to it
 * hold; if rows had to be left out, the list is marked incomplete.
 *
 * @returns undefined where the header is invalid
 */
export async function openRows(
  source: TableSource,
  format: FileFormat,
  problems: ProblemList,
): Promise<FileRows | undefined> {
  const { file } = format.entity;
  const fail = (line: number | undefined, reason: string, column?: string) => {
    problems.incomplete = true;
    problems.add({ file, line, column, reason });
  };
  const records = typeof source === 'function' ? source() : readCsvFile(source);
  try {
    for (;;) {
      const { done, value: piece } = await records.next();
      if (done) {
        fail(1, `the file is empty: expected a header with the columns ${columnNames(format)}`);
        return undefined;
      }
      const [header, ...rows] = piece.records;
      if (header === undefined) continue;
      const { columns, faults } = readHeader(
        format,
        header.cells.map((cell) => cell ?? ''),
      );
      const close = async () => void (await records.return(undefined));
      for (const { column, reason } of faults) fail(header.line, reason, column);
      if (faults.length > 0) {
        await close();
        return undefined;
      }
      const first = { ...piece, records: rows };
      const read = pieceReader(format, columns, header.cells.length, problems, fail);
      return { columns, pieces: readRows(read, first, records, fail), [Symbol.asyncDispose]: close };
    }
  } catch (error) {
    failToRead(error, fail);
    return undefined;
  }
}

type Fail = (line: number | undefined, reason: string, column?: string) => void;

async function* readRows(
  read: (piece: TablePiece) => RowPiece,
  first: TablePiece,
  others: AsyncIterable<TablePiece>,
  fail: Fail,
): AsyncGenerator<RowPiece> {
  try {
    yield read(first);
    for await (const piece of others) yield read(piece);
  } catch (error) {
    failToRead(error, fail);
  }
}

function failToRead(error: unknown, fail: Fail): void {
  if (error instanceof CsvSyntaxError) fail(error.line, error.message);
  else fail(undefined, unreadable(error));
}

/** Returns a function that reads the records of a piece. @param width number of cells of a record */
function pieceReader(
  { entity: { file }, isForeign = false }: FileFormat,
  given: readonly HeaderColumn[],
  width: number,
  problems: ProblemList,
  fail: Fail,
): (piece: TablePiece) => RowPiece {
  const fields = [...new Set(given.flatMap(({ field }) => field ?? []))];
  /** Groups of columns of which a row fills in exactly one: a reference by id or by key. */
  const eitherOr = fields
    .map((name) => given.filter(({ field, part, isExternal }) => field === name && part === undefined && !isExternal))
    .filter(({ length }) => length > 1);
  const named = new Set(given.flatMap(({ isExternal, index }) => (isExternal ? [index] : [])));
  const mayBeEmpty = new Set(eitherOr.flat());
  const columns = given.map((column) => (mayBeEmpty.has(column) ? { ...column, whenEmpty: null } : column));

  function copyRow(record: TableRecord): string {
    let row = String(record.line);
    for (const column of columns) row += `\t${copyValue(readCell(column, record.line, cellOf(record, column)))}`;
    for (const group of eitherOr) {
      const filled = group.filter((column) => cellOf(record, column) !== '');
      const blamed = filled.at(-1) ?? group.at(-1);
      if (filled.length === 1 || blamed === undefined) continue;
      const reason = `expected ${filled.length === 0 ? '' : 'only '}one of ${namesOf(group.map(({ name }) => name))}`;
      problems.add({ file, line: record.line, column: blamed.name, value: cellOf(record, blamed) ?? '', reason });
    }
    return `${row}\n`;
  }

  function readCell(column: HeaderColumn, line: number, text: string | null): CellValue {
    const { name, field, kind, whenEmpty, whenAbsent = null } = column;
    if (text === null) return whenAbsent;
    if (text === '' && whenEmpty !== undefined) return whenEmpty;
    const isExternal = column.isList ? text.includes(EXTERNAL_ID) : text.startsWith(EXTERNAL_ID);
    if (column.isList && isExternal) return readList(column, line, text);
    if (column.takesExternalId && isExternal) return text.trim();
    if (column.isExternal || (isExternal && named.has(column.index))) return null;
    const result = isForeign ? parseForeign(kind, text) : kind.parse(text);
    if ('value' in result) return result.value;
    const reason = `${text === '' ? 'the cell is empty' : `${quoted(text)} is not valid`}: expected ${result.expected}`;
    const problem = { file, line, column: name, value: text, reason };
    if (isForeign && column.describes && field !== undefined) {
      problems.leaveOut(field, line, problem);
      return whenAbsent;
    }
    problems.add(problem);
    return null;
  }

  /** Reads a list with ids of another system: its items, each on a line, are for the column that takes them. */
  function readList({ name, kind, isExternal }: HeaderColumn, line: number, text: string): CellValue {
    const items = text.trim().split(BETWEEN_IDS);
    const result = kind.parse(items.map((item) => (item.startsWith(EXTERNAL_ID) ? randomUUID() : item)).join(' '));
    if ('value' in result) return isExternal ? items.join('\n') : null;
    const reason = `${quoted(text)} is not valid: expected ${result.expected}, or externalId: and the id of another system`;
    if (!isExternal) problems.add({ file, line, column: name, value: text, reason });
    return null;
  }

  return ({ records, bytesRead }) => {
    const piece: RowPiece = { rows: 0, copyRows: '', bytesRead };
    for (const record of records) {
      if (record.cells.length === width) {
        piece.rows++;
        piece.copyRows += copyRow(record);
      } else fail(record.line, `${count(record.cells.length, 'cell')} where the header has ${count(width, 'column')}`);
    }
    return piece;
  };
}

function cellOf({ cells }: TableRecord, { index }: HeaderColumn): string | null {
  return cells[index] === undefined ? '' : cells[index];
}

/** Encodes a value in the text format of COPY: https://www.postgresql.org/docs/15/sql-copy.html#id-1.9.3.55.9.2 */
function copyValue(value: CellValue): string {
  if (value === null) return '\\N';
  if (typeof value !== 'string') return String(value);
  if (!/[\\\t\n\r]/.test(value)) return value;
  return value.replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character] ?? character);
}

const COPY_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns a message why a file cannot be opened; undefined where it can. */
export async function whyUnreadable(path: string): Promise<string | undefined> {
  try {
    const file = await openRegularFile(path);
    await file.close();
    return undefined;
  } catch (error) {
    return unreadable(error);
  }
}

/** Returns the message for a file system error. @throws any other error unchanged */
function unreadable(error: unknown): string {
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  return `the file cannot be read: ${error.message}`;
}
