import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type CsvRecord, CsvScanner, CsvSyntaxError, LONGEST_RECORD, lineFeeds, TOO_LONG } from './csv-scanner.ts';

/** The records that a piece of the file held, and how many bytes of the file are read by now. */
export interface CsvPiece {
  records: readonly CsvRecord[];
  bytesRead: number;
}

/** Bytes that are read at once: some thousand records. */
const PIECE = 256 * 1024;
const LINE_FEED = 0x0a;

const NOT_UTF8 = 'the text is not UTF-8: save the file in that encoding';

/**
 * Reads a CSV file (RFC 4180: UTF-8, commas, quotes doubled within quotes; lines end in LF or CRLF) piece by piece.
 * A byte order mark is skipped, and so are empty lines. Cells are not trimmed, and records may differ in length.
 *
 * @throws CsvSyntaxError where that is not what the file holds; the file system's error where it cannot be read
 */
export async function* readCsv(path: string): AsyncGenerator<CsvPiece> {
  const scanner = new CsvScanner();
  let bytesRead = 0;
  try {
    for await (const block of blocksOfLines(path)) {
      scanner.scan(block.toString());
      bytesRead += block.length;
      yield { records: scanner.takeRecords(), bytesRead };
    }
    scanner.end();
    yield { records: scanner.takeRecords(), bytesRead };
  } catch (error) {
    yield { records: scanner.takeRecords(), bytesRead };
    throw error;
  }
}

/** Reads a file in blocks of whole lines, all of it UTF-8. A line feed is never part of another character in UTF-8. */
async function* blocksOfLines(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
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
