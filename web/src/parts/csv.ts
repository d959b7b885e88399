/** Tells a spreadsheet that the text is UTF-8. */
const MARK = '\uFEFF';

/**
 * Where a spreadsheet could take what follows for a formula: at the beginning of a cell, and behind what parts cells in other settings than
 * ours, such as a semicolon. One mark more or less leaves the marks that were there.
 */
const BEFORE_FORMULA = /(^|[;|\t\r\n])(?=[\s'"]*[=+\-@＝＋－＠])|^(?='*[\t\r])/g;
const MARK_OF_FORMULA = /(^|[;|\t\r\n])'(?=[\s'"]*[=+\-@＝＋－＠])|^'(?='*[\t\r])/g;

/** Lines of cells as a CSV file (RFC 4180) that a spreadsheet opens: no cell of it is taken for a formula, wherever it is split. */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return MARK + lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = text.replace(BEFORE_FORMULA, "$1'");
  return harmless !== text || /[";,\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What may part cells: the comma of files, the semicolon of some spreadsheets, the tab of what is copied from one. */
const SEPARATORS = [',', ';', '\t'] as const;

/** Why a line is none of CSV: a quote that does not close, one amid a cell, a carriage return alone, or another number of cells. */
export type LineFault = 'unclosed' | 'quote' | 'return' | 'cells';

export interface CsvLine {
  /** Counted from 1. */
  line: number;
  cells: readonly string[];
  fault?: LineFault;
}

/** The lines of a CSV file, or of what is copied from a spreadsheet; the first one has the names of the columns. Empty lines are left out. */
export function linesOf(text: string): CsvLine[] {
  const bare = text.replace(MARK, '');
  const declared = /^sep=([,;\t])\r?\n/i.exec(bare);
  const body = declared ? bare.slice(declared[0].length) : bare;
  const separator = declared?.[1] ?? separatorOf(body);
  const lines = parse(body, separator, declared ? 2 : 1).filter(({ cells, fault }) => fault || cells.some(Boolean));
  const width = lines[0]?.cells.length ?? 0;
  return lines.map((line) => (line.fault || line.cells.length === width ? line : { ...line, fault: 'cells' }));
}

/** What parts most cells of the first line, outside of quotes. */
function separatorOf(text: string): string {
  const [head = ''] = text.replace(/"[^"]*"/g, '').split('\n', 1);
  const count = (separator: string) => head.split(separator).length;
  return SEPARATORS.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ',');
}

function parse(text: string, separator: string, firstLine: number): CsvLine[] {
  // A cell, quoted or not, with what stands between its quote and its end.
  const pattern = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)("?)([^${separator}\n]*)|([^${separator}\n]*))(${separator}|\n|$)`,
    'y',
  );
  const lines: CsvLine[] = [];
  let [cells, line, begun] = [[] as string[], firstLine, firstLine];
  let fault: LineFault | undefined;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [all = '', quoted, closing, behind = '', plain = '', end = ''] = pattern.exec(text) ?? [];
    const bare = end === separator ? plain : plain.replace(/\r$/, '');
    const rest = end === separator ? behind : behind.replace(/\r$/, '');
    fault ??= faultOf(quoted !== undefined, closing === '"', rest, bare);
    cells.push((quoted?.replaceAll('""', '"') ?? bare).trim().replace(MARK_OF_FORMULA, '$1'));
    line += all.split('\n').length - 1;
    if (end === separator) continue;
    lines.push({ line: begun, cells, ...(fault === undefined ? {} : { fault }) });
    [cells, begun, fault] = [[], line, undefined];
    if (end === '') break;
  }
  return lines;
}

function faultOf(isQuoted: boolean, isClosed: boolean, behind: string, plain: string): LineFault | undefined {
  if (isQuoted) return isClosed ? (behind === '' ? undefined : 'quote') : 'unclosed';
  if (plain.includes('\r')) return 'return';
  return plain.includes('"') ? 'quote' : undefined;
}

/** The text of a file: UTF-8, UTF-16 by its mark, or else what Excel on Windows writes. */
export function textOf(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decode(bytes, 'utf-16le'), isGuessed: false };
  if (first === 0xfe && second === 0xff) return { text: decode(bytes, 'utf-16be'), isGuessed: false };
  try {
    return { text: decode(bytes, 'utf-8'), isGuessed: false };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true };
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
