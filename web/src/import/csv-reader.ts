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
}

export interface CsvText {
  /** The cell separator: a comma, a semicolon or a tab. */
  separator: string;
  /** All lines, the header first; empty ones are left out. */
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
  const width = lines[0]?.cells.length ?? 0;
  return { separator, lines: lines.map((line) => withWidth(line, width)) };
}

/** Reads a single line again after its correction. @param width number of cells in the header */
export function readLine(text: string, separator: string, width: number, line: number): CsvLine {
  const [first, ...more] = parse(text.trim(), separator, line);
  if (first === undefined || more.length > 0) return { line, cells: [], fault: 'cells', raw: text };
  return withWidth(first, width);
}

function withWidth(line: CsvLine, width: number): CsvLine {
  return line.fault || line.cells.length === width ? line : { ...line, fault: 'cells' };
}

/** Returns the most frequent separator of the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [head = ''] = text.replace(/"[^"]*"/g, '').split('\n', 1);
  const count = (separator: string) => head.split(separator).length;
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
