import { withFormula } from '../../../src/lib/csv.ts';
import { MARK } from '../parts/csv.ts';

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

/** Reads a CSV file, or cells pasted from a spreadsheet. Malformed lines keep their fault; nothing is guessed. */
export function readCsv(text: string): CsvText {
  const bare = text.replace(MARK, '');
  const declared = /^"?sep=([,;\t])"?\r?\n/i.exec(bare);
  const body = declared ? bare.slice(declared[0].length) : bare;
  const separator = declared?.[1] ?? separatorOf(body);
  const lines = parse(body, separator, declared ? 2 : 1).filter(({ cells, fault }) => fault || cells.some(Boolean));
  return { separator, lines };
}

/** Reads a single line again after its correction. @param width number of cells in the header */
export function readLine(text: string, separator: string, width: number, line: number): CsvLine {
  const [first, ...more] = parse(text.trim(), separator, line);
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

function parse(text: string, separator: string, firstLine: number): CsvLine[] {
  // Matches a cell, quoted or not, with any text between its closing quote and its end.
  const pattern = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)("?)([^${separator}\n]*)|([^${separator}\n]*))(${separator}|\n|$)`,
    'y',
  );
  const lines: CsvLine[] = [];
  let [cells, line, begun, start] = [[] as string[], firstLine, firstLine, 0];
  let fault: LineFault | undefined;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [all = '', quoted, closing, behind = '', plain = '', end = ''] = pattern.exec(text) ?? [];
    const bare = end === separator ? plain : plain.replace(/\r$/, '');
    const rest = end === separator ? behind : behind.replace(/\r$/, '');
    fault ??= faultOf(quoted !== undefined, closing === '"', rest, bare);
    cells.push(withFormula((quoted?.replaceAll('""', '"') ?? bare).trim()));
    line += all.split('\n').length - 1;
    if (end === separator) continue;
    const raw = text.slice(start, start === pattern.lastIndex ? text.length : pattern.lastIndex).trimEnd();
    lines.push({ line: begun, cells, raw, ...(fault === undefined ? {} : { fault }) });
    [cells, begun, start, fault] = [[], line, pattern.lastIndex, undefined];
    if (end === '') break;
  }
  return lines;
}

function faultOf(isQuoted: boolean, isClosed: boolean, behind: string, plain: string): LineFault | undefined {
  if (isQuoted) return isClosed ? (behind === '' ? undefined : 'quote') : 'unclosed';
  if (plain.includes('\r')) return 'return';
  return plain.includes('"') ? 'quote' : undefined;
}
