import { BYTE_ORDER_MARK, withFormula } from '../../lib/csv.ts';

/** Encodings that spreadsheets write other than Unicode, the most usual first, by their labels in the Encoding standard. */
export const LEGACY_ENCODINGS = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1253',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
] as const;
export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

export interface DecodedText {
  text: string;
  /** The encoding that was assumed because the bytes are not Unicode; otherwise undefined. */
  assumed?: LegacyEncoding;
}

/** Decodes a file: UTF-16 by its byte order mark or its zeros, UTF-8 if it is valid, otherwise as `legacy`. */
export function decode(bytes: Uint8Array, legacy: LegacyEncoding = 'windows-1252'): DecodedText {
  try {
    return { text: new TextDecoder(unicodeOf(bytes), { fatal: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder(legacy).decode(bytes), assumed: legacy };
  }
}

const BYTES: ReadonlyMap<string, number> = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map((sign, byte) => [
    sign,
    byte,
  ]),
);

/** Returns the text that was read as Windows-1252 though it was UTF-8, such as `Jörg` for `JÃ¶rg`; undefined for any other. */
export function ungarbled(text: string): string | undefined {
  if (!/[\u00c2-\u00f4]/.test(text)) return undefined;
  const bytes = [...text].map((sign) => BYTES.get(sign) ?? -1);
  if (bytes.includes(-1)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the Unicode encoding by its mark; without one, UTF-16 has zeros in one half of the bytes, for separators and Latin letters. */
function unicodeOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = [...bytes.subarray(0, 1000)];
  const zeros = (half: number) => head.filter((byte, at) => byte === 0 && at % 2 === half).length;
  const [high, low] = [zeros(0), zeros(1)];
  if (Math.min(high, low) > 0 || Math.max(high, low) * 20 < head.length) return 'utf-8';
  return high > 0 ? 'utf-16be' : 'utf-16le';
}

/** Why a line is not CSV, or has another number of cells than the header. */
export type LineFault = keyof typeof LINE_FAULTS;

export const LINE_FAULTS = {
  unclosed: 'a quoted cell of this record is not closed before the end of the file: add the missing quote',
  quote: 'a quote stands in the middle of a cell: put the whole cell in quotes, and double each quote within',
  closing: 'a closing quote is not followed by a comma or the end of the line: double each quote within a quoted cell',
  return: 'a carriage return stands without a line feed: save the file with LF or CRLF at the end of lines',
  cells: 'the line has another number of cells than the header',
} as const;

export interface CsvLine {
  /** Line number, from 1. */
  line: number;
  cells: readonly string[];
  fault?: LineFault;
  /** The text of the line, for correction if it has a fault. */
  raw: string;
  /** Whether the workbook hides the line, for instance by a filter. */
  isHidden?: true;
}

export interface CsvText {
  /** The cell separator: a comma, a semicolon, a tab or a vertical bar. */
  separator: string;
  /** All lines but empty ones, each with as many cells as it has. */
  lines: readonly CsvLine[];
}

export const SEPARATORS = [',', ';', '\t', '|'] as const;

/** Maximum lines of a table, twice the people of an import, and cells of a line. */
export const [MAX_LINES, MAX_CELLS] = [100_000, 1000];
/** Lines between two pauses. */
export const PIECE = 500;

/**
 * Reads a CSV file, or cells pasted from a spreadsheet. Malformed lines keep their fault; nothing is guessed.
 *
 * @param pause awaited between pieces of the work
 * @throws RangeError for more than `maxLines` lines, or {@link MAX_CELLS} cells of a line
 */
export async function readCsv(
  text: string,
  pause?: () => Promise<void>,
  maxLines = MAX_LINES,
  chosen?: CsvText['separator'],
): Promise<CsvText> {
  const bare = text.replace(BYTE_ORDER_MARK, '');
  const declared = /^"?sep=([,;\t|])"?\r?\n/i.exec(bare);
  const body = declared ? bare.slice(declared[0].length) : bare;
  const separator = chosen ?? declared?.[1] ?? separatorOf(body);
  const lines: CsvLine[] = [];
  for (const line of recordsOf(body, separator, declared ? 2 : 1, MAX_CELLS)) {
    if (line.fault || !isBlank(line)) lines.push(line);
    if (lines.length > maxLines) throw new RangeError('The table has too many lines');
    if (lines.length % PIECE === 0) await pause?.();
  }
  return { separator, lines };
}

/** Reads a single line again after its correction. @param width number of cells in the header */
export function readLine(text: string, separator: string, width: number, line: number): CsvLine {
  const [first, ...more] = [...recordsOf(text.trim(), separator, line, MAX_CELLS)];
  if (first === undefined || more.length > 0) return { line, cells: [], fault: 'cells', raw: text };
  return withWidth(first, width);
}

/** Returns a line with the number of cells that the header has, or with a fault. Empty cells at its end do not count. */
export function withWidth(line: CsvLine, width: number): CsvLine {
  if (line.fault || line.cells.length === width) return line;
  const isLonger = line.cells.length > width && line.cells.slice(width).every((cell) => cell === '');
  return isLonger ? { ...line, cells: line.cells.slice(0, width) } : { ...line, fault: 'cells' };
}

/** Returns the separator that most of the first lines have, and of several the most frequent one, outside of quotes. */
function separatorOf(text: string): string {
  const head = text
    .slice(0, 100_000)
    .replace(/"[^"]*"/g, '')
    .split('\n', 20);
  const count = (separator: string) => {
    const counts = head.map((line) => line.split(separator).length - 1);
    return counts.filter(Boolean).length * 1000 + Math.max(...counts);
  };
  return SEPARATORS.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ',');
}

/**
 * Reads the records of a text (RFC 4180, with any separator), each numbered by its first line. Cells are trimmed and without the marks of
 * {@link withoutFormula}. A record that is no CSV has its fault; reading goes on behind it.
 *
 * @returns the number of the line behind the text, or of its last record where a quote of that is not closed; and the text of that record
 * @throws RangeError for more than `maxCells` cells of a record
 */
export function* recordsOf(
  text: string,
  separator: string,
  firstLine = 1,
  maxCells = 1_000_000,
): Generator<CsvLine, { line: number; rest: string }> {
  // Matches a cell, quoted or not, with any text between its closing quote and its end.
  const pattern = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)("?)([^${separator}\n]*)|([^${separator}\n]*))([${separator}\n]|$)`,
    'y',
  );
  let [line, quote, next] = [firstLine, 0, 0];
  for (let start = 0; start < text.length; start = next) {
    if (quote >= 0 && quote < start) quote = text.indexOf('"', start);
    const lineEnd = text.indexOf('\n', start);
    next = lineEnd < 0 ? text.length : lineEnd + 1;
    const begun = line;
    let [cells, fault]: [string[], LineFault | undefined] = [[], undefined];
    if (quote < 0 || quote >= next) {
      // Splitting is twenty times as fast as matching cells.
      const plain = withoutReturn(text.slice(start, lineEnd < 0 ? next : lineEnd));
      cells = plain.split(separator, maxCells + 1);
      if (plain.includes('\r')) fault = 'return';
      line++;
    } else {
      pattern.lastIndex = start;
      let end = separator;
      while (end === separator && cells.length <= maxCells) {
        const found = pattern.exec(text) ?? [];
        const [, quoted, closing] = found;
        end = found[5] ?? '';
        const rest = (quoted === undefined ? found[4] : found[3]) ?? '';
        const bare = end === separator ? rest : withoutReturn(rest);
        fault ??= faultOf(quoted !== undefined, closing === '"', bare);
        cells.push(quoted?.replaceAll('""', '"') ?? bare);
      }
      next = pattern.lastIndex;
      line += text.slice(start, next).split('\n').length - 1;
    }
    if (cells.length > maxCells) throw new RangeError('A line of the table has too many cells');
    const record: CsvLine = { line: begun, cells: cells.map(cleanCell), raw: text.slice(start, next).trimEnd() };
    yield fault === undefined ? record : { ...record, fault };
    if (fault === 'unclosed') return { line: begun, rest: text.slice(start) };
  }
  return { line, rest: '' };
}

const withoutReturn = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text);
const cleanCell = (text: string) => withFormula(text.trim());

function faultOf(isQuoted: boolean, isClosed: boolean, rest: string): LineFault | undefined {
  if (isQuoted) return isClosed ? (rest === '' ? undefined : 'closing') : 'unclosed';
  if (rest.includes('\r')) return 'return';
  return rest.includes('"') ? 'quote' : undefined;
}

/** Returns whether a record has only empty cells, as spreadsheets leave them, and no more of them than a table has. */
export function isBlank({ cells }: CsvLine): boolean {
  return cells.length <= MAX_CELLS && !cells.some(Boolean);
}
