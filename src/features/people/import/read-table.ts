import { CsvSyntaxError, readCsvFile, type TablePiece } from '../../../import/read/csv-reader.ts';
import { type FileFormat, isHeaderOf } from '../../../import/read/import-format.ts';
import type { TableSource } from '../../../import/read/record-reader.ts';
import { fieldsOf, knownColumns, plainName, type RememberedTargets } from '../../../import/tables/columns.ts';
import { decode, LEGACY_ENCODINGS, type LegacyEncoding, PIECE, readCsv } from '../../../import/tables/csv-text.ts';
import {
  formatOf,
  type ImportDraft,
  type ImportRow,
  obstacleOf,
  openTable,
  rowsOf,
  type TableChoices,
} from '../../../import/tables/draft.ts';
import { columnNamesOf, lineProblems, openChoices, type TableProblem } from '../../../import/tables/table-problems.ts';
import { readDate } from '../../../import/tables/values.ts';
import { isWorkbook } from '../../../import/tables/workbook.ts';
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts';

/** A table of people in the columns of an import. */
export interface PeopleTable {
  /** Undefined if a choice is missing. */
  source: TableSource | undefined;
  /** What is missing, and lines and cells that could not be read. */
  problems: readonly TableProblem[];
  /** Names of the columns in the file, by field. */
  columns: ReadonlyMap<string, string>;
  /** The latest date in the column that tells the age of the file. */
  asOf?: string | undefined;
}

/** Tables are read one at a time: each takes up to some hundred megabytes. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a file of people by the reader of the console: a workbook, or CSV of any kind. CSV in the columns of an import is left to the strict
 * reader of folders, unless choices are given.
 */
export async function readPeopleTable(
  bytes: Buffer,
  format: FileFormat,
  choices: TableChoices | undefined,
  given: { dated?: string | undefined; targets: RememberedTargets },
): Promise<PeopleTable> {
  const asIs = { source: bytes, problems: [], columns: new Map<string, string>() };
  if (choices === undefined && !isWorkbook(bytes) && (await isOfFormat(bytes, format))) return asIs;
  const read = last.then(() => readTable(bytes, choices, given));
  last = read.catch(() => undefined);
  // Where nobody chose anything, and the reader finds no people, the problems are those of the columns of an import.
  return (await read) ?? asIs;
}

/** Returns whether a file begins with a header of the format. */
async function isOfFormat(bytes: Buffer, format: FileFormat): Promise<boolean> {
  try {
    for await (const { records } of readCsvFile(bytes)) {
      const [header] = records;
      if (header !== undefined) return isHeaderOf(format, header.cells);
    }
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
  }
  return false;
}

/** Reads a table by choices. @returns undefined where nobody chose anything, and the table lists no people */
async function readTable(
  bytes: Buffer,
  choices: TableChoices | undefined,
  { dated, targets }: { dated?: string | undefined; targets: RememberedTargets },
): Promise<PeopleTable | undefined> {
  const failed = (...problems: TableProblem[]) => ({ source: undefined, problems, columns: new Map() });
  let draft: ImportDraft | undefined;
  try {
    draft = await openTable(bytes, { ...choices, columns: { ...targets, ...choices?.columns } }, yieldToEventLoop);
  } catch (error) {
    if (choices === undefined && !isWorkbook(bytes)) return undefined;
    const { message } = error as Error;
    return failed({ line: undefined, reason: `the file cannot be read: ${message}. Save it as .xlsx or as CSV` });
  }
  if (draft === undefined) return choices && failed({ line: undefined, reason: 'the file is empty' });
  const isHopeless = obstacleOf(draft) === 'nobody' || draft.lines.every(({ fault }) => fault !== undefined);
  if (choices === undefined && !isWorkbook(bytes) && isHopeless) return undefined;
  if (draft.assumed !== undefined && choices?.encoding === undefined) return failed(await notUnicode(bytes));
  const missing = openChoices(draft, choices ?? {});
  if (missing.length > 0) return failed(...missing);
  const asOf = dated === undefined ? undefined : latestDate(draft, dated);
  if (dated !== undefined && asOf === undefined)
    return failed({ line: undefined, reason: `asOf "${dated}" has no date, and is no column of dates` });
  const [columns, formats] = [columnNamesOf(draft), formatOf(draft)];
  const rows: ImportRow[] = [];
  for (let from = 0; from < draft.lines.length; from += PIECE) {
    await yieldToEventLoop();
    rows.push(...rowsOf({ ...draft, lines: draft.lines.slice(from, from + PIECE) }, formats));
  }
  return {
    source: () => piecesOf(draft, rows),
    problems: lineProblems(rows, (field) => columns.get(field) ?? field),
    columns,
    asOf,
  };
}

/** Returns the latest date in a column; undefined where there is none. */
function latestDate(draft: ImportDraft, name: string): string | undefined {
  const column = draft.header.cells.findIndex((cell) => plainName(cell) === plainName(name));
  const dates = draft.lines.flatMap(({ cells }) => readDate(cells[column] ?? '', formatOf(draft).dates) ?? []);
  const last = dates.sort().at(-1);
  return last && `${last}T00:00:00.000Z`;
}

/** Yields the header and the records of a table that can be imported; cells with faults are null. */
async function* piecesOf({ header, targets }: ImportDraft, rows: readonly ImportRow[]): AsyncGenerator<TablePiece> {
  const fields = fieldsOf(targets);
  yield { records: [{ line: header.line, cells: fields }], bytesRead: 0 };
  for (let from = 0; from < rows.length; from += PIECE) {
    await yieldToEventLoop();
    const records = rows.slice(from, from + PIECE).flatMap(({ line, values, faults, fault }) => {
      const cells = fields.map((field) => (faults[field] === undefined ? (values[field] ?? '') : null));
      return fault === undefined ? [{ line, cells }] : [];
    });
    yield { records, bytesRead: 0 };
  }
}

/** Returns the encoding in which the file has the most known names of columns, the most usual of several. */
async function likelyEncoding(bytes: Buffer): Promise<LegacyEncoding> {
  let [best, most]: [LegacyEncoding, number] = [LEGACY_ENCODINGS[0], 0];
  for (const encoding of LEGACY_ENCODINGS) {
    const known = knownColumns((await readCsv(decode(bytes.subarray(0, 100_000), encoding).text)).lines);
    if (known > most) [best, most] = [encoding, known];
  }
  return best;
}

async function notUnicode(bytes: Buffer): Promise<TableProblem> {
  const example = await likelyEncoding(bytes);
  const reason = `the text is not UTF-8: save the file in that encoding, or choose encoding, such as "${example}"`;
  try {
    for await (const _ of readCsvFile(bytes));
  } catch (error) {
    if (error instanceof CsvSyntaxError) return { line: error.line, reason };
  }
  return { line: undefined, reason };
}
