import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';

/** A row of cells, as they stand in the file. */
export interface CsvRecord {
  /** The line that the record begins on, counted from 1. */
  line: number;
  cells: readonly string[];
}

/** The records that a piece of the file held, and how many bytes of the file are read by now. */
export interface CsvPiece {
  records: readonly CsvRecord[];
  bytesRead: number;
}

/** A file that cannot be read as CSV from some line on. */
export class CsvSyntaxError extends Error {
  override readonly name = 'CsvSyntaxError';
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}

/** A record of more bytes is no record, but a missing quote or a file of another kind. */
const LONGEST_RECORD = 1024 * 1024;
const LINE_FEED = 0x0a;

const TOO_LONG = 'the record is longer than 1 MiB: is a closing quote or a line break missing?';
const NOT_UTF8 = 'the text is not UTF-8: save the file in that encoding';

/** What the parser's codes mean for the person who wrote the file. */
const SYNTAX_FAULTS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE:
    'a quote stands in the middle of a cell: put the whole cell in quotes, and double each quote within',
  CSV_INVALID_CLOSING_QUOTE:
    'a closing quote is not followed by a comma or the end of the line: double each quote within a quoted cell',
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell of this record is not closed before the end of the file: add the missing quote',
  CSV_MAX_RECORD_SIZE: TOO_LONG,
};

/**
 * Reads a CSV file (RFC 4180: UTF-8, commas, quotes doubled within quotes; lines end in LF or CRLF) piece by piece.
 * A byte order mark is skipped, and so are empty lines. Cells are not trimmed, and records may differ in length.
 *
 * @throws CsvSyntaxError where that is not what the file holds; the file system's error where it cannot be read
 */
export async function* readCsv(path: string): AsyncGenerator<CsvPiece> {
  let records: CsvRecord[] = [];
  let line = 1;
  let bytesRead = 0;
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: LONGEST_RECORD,
    on_record(cells: string[]) {
      if (cells.length > 1 || cells[0] !== '') records.push({ line, cells });
      // Not the parser's own count: that takes a CRLF within quotes for two lines.
      line += 1 + cells.reduce((breaks, cell) => breaks + lineFeeds(cell), 0);
      return null;
    },
  });
  // A fault is given to the callback of the write that met it; the event says the same again.
  parser.on('error', () => undefined);
  const piece = () => {
    const read = { records, bytesRead };
    records = [];
    return read;
  };
  try {
    for await (const block of blocksOfLines(path)) {
      await new Promise<void>((resolve, reject) => {
        parser.write(block, (error) => (error ? reject(error) : resolve()));
      });
      bytesRead += block.length;
      yield piece();
    }
    await new Promise<void>((resolve, reject) => {
      parser.end((error?: Error | null) => (error ? reject(error) : resolve()));
    });
    yield piece();
  } catch (error) {
    yield piece();
    const reason = error instanceof CsvError ? SYNTAX_FAULTS[error.code] : undefined;
    throw reason === undefined ? error : new CsvSyntaxError(line, reason, { cause: error });
  }
}

/** Reads a file in blocks of whole lines, all of it UTF-8. A line feed is never part of another character in UTF-8. */
async function* blocksOfLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    const block = bytes.subarray(0, end);
    if (!isUtf8(block)) throw new CsvSyntaxError(line + faultyLine(block), NOT_UTF8);
    if (end > 0) yield block;
    line += lineFeeds(block);
    rest = bytes.subarray(end);
    if (rest.length > LONGEST_RECORD) throw new CsvSyntaxError(line, TOO_LONG);
  }
  if (!isUtf8(rest)) throw new CsvSyntaxError(line, NOT_UTF8);
  if (rest.length > 0) yield rest;
}

/** The first line that is not UTF-8, counted from 0, of a block that is not. */
function faultyLine(block: Buffer): number {
  let line = 0;
  let start = 0;
  let end = block.indexOf(LINE_FEED) + 1;
  while (isUtf8(block.subarray(start, end))) {
    line++;
    start = end;
    end = block.indexOf(LINE_FEED, start) + 1;
  }
  return line;
}

function lineFeeds(text: Buffer | string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
