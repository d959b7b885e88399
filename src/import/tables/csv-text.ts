import { BYTE_ORDER_MARK, withFormula } from '../../lib/csv.ts';

/** Encodings that spreadsheets write other than Unicode, the most usual first, by their labels in the Encoding standard. */
export const LEGACY_ENCODINGS = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'macintosh',
  'shift_jis',
] as const;
export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

export interface DecodedText {
  text: string;
  /** The encoding that was assumed because the bytes are not Unicode; otherwise undefined. */
  assumed?: LegacyEncoding;
}

/** Decodes a file: UTF-16 by its byte order mark, UTF-8 if it is valid, otherwise as `legacy`. */
export function decode(bytes: Uint8Array, legacy: LegacyEncoding = 'windows-1252'): DecodedText {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder(legacy).decode(bytes), assumed: legacy };
  }
}

/** Why a line is not CSV: an unclosed quote, a quote within a cell, a lone carriage return, or another number of cells than the header. */
export type LineFault = 'unclosed' | 'quote' | 'return' | 'cells';

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
  /** The cell separator: a comma, a semicolon or a tab. */
  separator: string;
  /** All lines but empty ones, each with as many cells as it has. */
  lines: readonly CsvLine[];
}

const SEPARATORS = [',', ';', '\t'] as const;

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
export async function readCsv(text: string, pause?: () => Promise<void>, maxLines = MAX_LINES): Promise<CsvText> {
  const bare = text.replace(BYTE_ORDER_MARK, '');
  const declared = /^"?sep=([,;\t])"?\r?\n/i.exec(bare);
  const body = declared ? bare.slice(declared[0].length) : bare;
  const separator = declared?.[1] ?? separatorOf(body);
  const lines: CsvLine[] = [];
  for (const line of parse(body, separator, declared ? 2 : 1)) {
    if (line.fault || line.cells.some(Boolean)) lines.push(line);
    if (lines.length > maxLines) throw new RangeError('The table has too many lines');
    if (lines.length % PIECE === 0) await pause?.();
  }
  return { separator, lines };
}

/** Reads a single line again after its correction. @param width number of cells in the header */
export function readLine(text: string, separator: string, width: number, line: number): CsvLine {
  const [first, ...more] = [...parse(text.trim(), separator, line)];
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

function* parse(text: string, separator: string, firstLine: number): Generator<CsvLine> {
  // Matches a cell, quoted or not, with any text between its closing quote and its end.
  const pattern = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)("?)([^${separator}\n]*)|([^${separator}\n]*))(${separator}|\n|$)`,
    'y',
  );
  let [cells, line, begun, start] = [[] as string[], firstLine, firstLine, 0];
  let fault: LineFault | undefined;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [all = '', quoted, closing, behind = '', plain = '', end = ''] = pattern.exec(text) ?? [];
    const bare = end === separator ? plain : plain.replace(/\r$/, '');
    const rest = end === separator ? behind : behind.replace(/\r$/, '');
    fault ??= faultOf(quoted !== undefined, closing === '"', rest, bare);
    if (cells.length === MAX_CELLS) throw new RangeError('A line of the table has too many cells');
    cells.push(withFormula((quoted?.replaceAll('""', '"') ?? bare).trim()));
    line += all.split('\n').length - 1;
    if (end === separator) continue;
    const raw = text.slice(start, start === pattern.lastIndex ? text.length : pattern.lastIndex).trimEnd();
    yield { line: begun, cells, raw, ...(fault === undefined ? {} : { fault }) };
    [cells, begun, start, fault] = [[], line, pattern.lastIndex, undefined];
    if (end === '') return;
  }
}

function faultOf(isQuoted: boolean, isClosed: boolean, behind: string, plain: string): LineFault | undefined {
  if (isQuoted) return isClosed ? (behind === '' ? undefined : 'quote') : 'unclosed';
  if (plain.includes('\r')) return 'return';
  return plain.includes('"') ? 'quote' : undefined;
}
