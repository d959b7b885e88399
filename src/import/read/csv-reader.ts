import { isUtf8 } from 'node:buffer';
import { BYTE_ORDER_MARK } from '../../lib/csv.ts';
import { openRegularFile } from '../../lib/regular-file.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { type CsvLine, isBlank, LINE_FAULTS, recordsOf } from '../tables/csv-text.ts';

/** A record of a table; a cell is null if what is wrong with it has been reported already. */
export interface TableRecord {
  line: number;
  cells: readonly (string | null)[];
}

/** Records of a piece of a table, and the bytes of its file read so far. */
export interface TablePiece {
  records: readonly TableRecord[];
  bytesRead: number;
}

/** A file is not valid CSV from some line on. */
export class CsvSyntaxError extends Error {
  override readonly name = 'CsvSyntaxError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Bytes per piece: few enough not to block the event loop for long, however short the records are. */
const PIECE = 64 * 1024;
/** Maximum bytes of a record. A longer one indicates a missing quote or a file of another kind. */
const MAX_RECORD = 64 * 1024;
const LINE_FEED = 0x0a;

const NOT_UTF8 = 'the text is not UTF-8: save the file in that encoding';
const TOO_LONG = 'the record is longer than 64 KiB: is a closing quote or a line break missing?';

/**
 * Reads a CSV file strictly, piece by piece: UTF-8 with commas and quotes by RFC 4180. A byte order mark and blank records are skipped;
 * records may differ in length.
 *
 * @param source the path of a file, or its bytes
 * @throws CsvSyntaxError for anything else; IrregularFileError or the file system's error where the file cannot be read
 */
export async function* readCsvFile(source: string | Buffer): AsyncGenerator<TablePiece> {
  /** Beginning of a record with an unclosed quote. */
  let rest = '';
  let [line, bytesRead] = [1, 0];
  for await (const block of blocksOfLines(source)) {
    const text = rest + (bytesRead === 0 ? block.toString().replace(BYTE_ORDER_MARK, '') : block.toString());
    bytesRead += block.length;
    const { records, fault, ...end } = readPiece(text, line);
    yield { records, bytesRead };
    if (fault) throw fault;
    ({ line, rest } = end);
    if (Buffer.byteLength(rest) > MAX_RECORD) throw new CsvSyntaxError(line, TOO_LONG);
  }
  if (rest !== '') throw new CsvSyntaxError(line, LINE_FAULTS.unclosed);
}

/** Reads the records of a text up to the first that is no CSV; a carriage return within a cell is text of it. */
function readPiece(text: string, firstLine: number) {
  const records: CsvLine[] = [];
  const reader = recordsOf(text, ',', firstLine);
  let read = reader.next();
  for (; !read.done; read = reader.next()) {
    const { line, fault, raw } = read.value;
    if (fault === 'unclosed') continue;
    const isTooLong = raw.length * 3 >= MAX_RECORD && Buffer.byteLength(raw) >= MAX_RECORD;
    const reason = isTooLong ? TOO_LONG : fault === 'return' ? undefined : fault && LINE_FAULTS[fault];
    if (reason) return { records, line, rest: '', fault: new CsvSyntaxError(line, reason) };
    if (!isBlank(read.value)) records.push(read.value);
  }
  return { records, ...read.value };
}

/** Yields the source in chunks; for bytes in memory it yields to the event loop before each. */
async function* chunksOf(source: string | Buffer): AsyncGenerator<Buffer> {
  if (typeof source === 'string') {
    const file = await openRegularFile(source);
    yield* file.createReadStream({ highWaterMark: PIECE }) as AsyncIterable<Buffer>;
    return;
  }
  for (let start = 0; start < source.length; start += PIECE) {
    await yieldToEventLoop();
    yield source.subarray(start, start + PIECE);
  }
}

/** Yields blocks of whole lines, checked to be UTF-8, in which a line feed byte is never part of another character. */
async function* blocksOfLines(source: string | Buffer): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of chunksOf(source)) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    const block = bytes.subarray(0, end);
    if (!isUtf8(block)) throw new CsvSyntaxError(line + faultyLine(block), NOT_UTF8);
    if (end > 0) yield block;
    line += lineFeeds(block);
    rest = bytes.subarray(end);
    if (rest.length > MAX_RECORD) throw new CsvSyntaxError(line, TOO_LONG);
  }
  if (!isUtf8(rest)) throw new CsvSyntaxError(line, NOT_UTF8);
  if (rest.length > 0) yield rest;
}

/** Returns the 0-based number of the first line of a block that is not UTF-8; there must be one. */
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

function lineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
