import { unzipSync } from 'fflate';
import { csvLine, withFormula } from '../../lib/csv.ts';
import { knownColumns } from './columns.ts';
import { type CsvLine, type CsvText, decode, MAX_CELLS, MAX_LINES, PIECE } from './csv-text.ts';
import { dateOfSerial, isSerial } from './values.ts';
import { elementsOf, type XmlElement } from './xml.ts';

/** Maximum bytes of the unpacked parts of a workbook, and the number of its last line: a list of people has fewer. */
const [MAX_UNPACKED, MAX_LINE] = [50_000_000, 1_048_576];
/** Sheets that are read to find those with people, and cells that are filled for merged ones. */
const [MAX_SHEETS, MAX_FILLED] = [10, 1_000_000];
const UNFORMATTED: CellFormat = { id: 0, code: '' };

/** A sheet of a workbook. */
export interface Sheet extends CsvText {
  name: string;
  /** Names of the visible sheets, and of those among them that list people. */
  sheets: readonly string[];
  withPeople: readonly string[];
}

/** What the reader of a file is told that is no workbook of this form. */
export const NO_WORKBOOK =
  'This workbook cannot be read: it has a password, or is no .xlsx file. In Excel choose File, Save As and “CSV UTF-8 (comma delimited)”; in other programs, export as CSV';

/** Returns whether bytes have the signature of an Excel file: `.xlsx` (a ZIP file) or `.xls`. */
export function isWorkbook([first, second]: Uint8Array): boolean {
  return (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf);
}

/**
 * Reads an `.xlsx` file (ECMA-376). Cells have the text that a spreadsheet shows, except that dates are ISO 8601 and
 * numbers have no thousands separators. Line breaks within a cell become carriage returns, so that a row stays one
 * line. A cell that is merged downwards has its text in each line.
 *
 * @param wanted name of the sheet; absent: the first visible one with the most columns of known names
 * @param pause awaited between pieces of the work
 * @throws Error for any other file
 */
export async function readWorkbook(bytes: Uint8Array, wanted?: string, pause?: () => Promise<void>): Promise<Sheet> {
  let unpacked = 0;
  const parts = unzipped(bytes, {
    filter({ name, originalSize }) {
      if (!name.startsWith('xl/') || !name.includes('.xml')) return false;
      unpacked += originalSize;
      if (unpacked > MAX_UNPACKED) throw new RangeError('The workbook is too large');
      return true;
    },
  });
  if (parts['xl/workbook.xml'] === undefined) throw new TypeError(NO_WORKBOOK);
  await pause?.();
  const all = (path: string | undefined, ...names: readonly string[]) => {
    const part = parts[path ?? ''];
    return part === undefined ? [] : [...elementsOf(textOfPart(part), ...names)];
  };
  const links = all('xl/_rels/workbook.xml.rels', 'Relationship').map(({ attributes: { Id, Target = '', Type } }) => ({
    id: Id,
    type: Type?.split('/').at(-1),
    path: Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`,
  }));
  const linked = (type: string) => links.find((one) => one.type === type)?.path;
  const workbook = all('xl/workbook.xml', 'sheet', 'workbookPr');
  // Chart sheets do not count.
  const sheets = workbook.flatMap(({ name, attributes }) => {
    const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
    const link = links.find((one) => one.id === id && one.type === 'worksheet');
    const isSeen = name === 'sheet' && !/hidden/i.test(attributes.state ?? '');
    return link && isSeen ? [{ name: attributes.name ?? '', part: parts[link.path] }] : [];
  });
  const reading: Reading = {
    strings: all(linked('sharedStrings'), 'si').map(stringOf),
    formats: formatsOf(all(linked('styles'), 'numFmt', 'cellXfs')),
    countsFrom1904: workbook.some(({ attributes }) => isTrue(attributes.date1904)),
  };
  const read: { name: string; lines: CsvLine[]; known: number }[] = [];
  for (const { name, part } of sheets.slice(0, MAX_SHEETS)) {
    if (part === undefined) continue;
    const lines = await linesOf(textOfPart(part), reading, pause);
    read.push({ name, lines, known: knownColumns(lines) });
  }
  const withPeople = read.filter(({ lines, known }) => known > 1 && lines.length > 1).map(({ name }) => name);
  const [best, ...others] = read.filter(({ name }) => wanted === undefined || name === wanted);
  if (best === undefined) throw new TypeError('The workbook has no such sheet');
  const { name, lines } = others.reduce((better, one) => (one.known > better.known ? one : better), best);
  return { name, lines, sheets: sheets.map((one) => one.name), withPeople, separator: ',' };
}

/** Unpacks a ZIP file. @throws TypeError for any other, or one with a password */
function unzipped(...[bytes, options]: Parameters<typeof unzipSync>) {
  try {
    return unzipSync(bytes, options);
  } catch (error) {
    throw error instanceof RangeError ? error : new TypeError(NO_WORKBOOK, { cause: error });
  }
}

/** What cells refer to. */
interface Reading {
  strings: readonly string[];
  formats: readonly CellFormat[];
  countsFrom1904: boolean;
}

function textOfPart(part: Uint8Array): string {
  const { text, assumed } = decode(part);
  if (assumed) throw new TypeError('A part of the workbook is no XML');
  return text;
}

const isTrue = (attribute: string | undefined) => attribute === '1' || attribute === 'true';

/** Returns the text of a string: its runs concatenated, without phonetic hints. */
function stringOf({ children }: XmlElement): string {
  const texts = children.map((child) => (child.name === 't' ? child.text : child.name === 'r' ? stringOf(child) : ''));
  return texts.join('').replace(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns the number formats in the order that cells refer to. */
function formatsOf(styles: readonly XmlElement[]): CellFormat[] {
  const codes = new Map(styles.map(({ attributes }) => [attributes.numFmtId, attributes.formatCode]));
  const used = styles.find(({ name }) => name === 'cellXfs');
  return (used?.children ?? []).map(({ attributes: { numFmtId } }) => ({
    id: Number(numFmtId ?? 0),
    code: codes.get(numFmtId) ?? '',
  }));
}

async function linesOf(sheet: string, reading: Reading, pause?: () => Promise<void>): Promise<CsvLine[]> {
  const lines = new Map<number, { line: number; cells: string[]; raw: string; isHidden?: true }>();
  let [line, read, width, left] = [0, 0, 0, MAX_FILLED];
  for (const { name, attributes, children } of elementsOf(sheet, 'row', 'mergeCell')) {
    if (++read % PIECE === 0) await pause?.();
    if (name === 'mergeCell') {
      // A cell that is merged downwards: each of its lines gets its text.
      const { column, first, last } = mergedDown(attributes.ref ?? '');
      const text = lines.get(first)?.cells[column] ?? '';
      for (let at = first + 1; text !== '' && at <= last && left-- > 0; at++) {
        const cells = lines.get(at)?.cells ?? [];
        while (cells.length > 0 && cells.length <= column) cells.push('');
        if (cells.length > 0) cells[column] ||= text;
      }
      continue;
    }
    line = Number(attributes.r) || line + 1;
    if (!(line <= MAX_LINE && lines.size < MAX_LINES)) throw new RangeError('The workbook has too many lines');
    const cells = cellsOf(children, reading);
    width = Math.max(width, cells.length);
    if (cells.length > 0)
      lines.set(line, { line, cells, raw: '', ...(isTrue(attributes.hidden) && { isHidden: true }) });
  }
  for (const one of lines.values()) {
    while (one.cells.length < width) one.cells.push('');
    one.raw = csvLine(one.cells).trimEnd();
  }
  return [...lines.values()];
}

function mergedDown(ref: string): { column: number; first: number; last: number } {
  const [from = '', to = ''] = ref.split(':');
  const [column, other] = [columnOf(from), columnOf(to)];
  const [first, last] = [Number(from.replace(/\D/g, '')), Number(to.replace(/\D/g, ''))];
  return column === undefined || column !== other ? { column: 0, first: 0, last: 0 } : { column, first, last };
}

/** Returns the cells of a row up to the last non-empty one. */
function cellsOf(row: readonly XmlElement[], reading: Reading): string[] {
  const cells: string[] = [];
  let next = 0;
  for (const cell of row) {
    const column = columnOf(cell.attributes.r) ?? next;
    next = column + 1;
    const text = withFormula(textOf(cell, reading).replace(/\r?\n/g, '\r').trim());
    if (text === '') continue;
    if (column >= MAX_CELLS) throw new RangeError('A line of the workbook is too long');
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }
  return cells;
}

/** Returns the column index of a cell reference, from 0: 2 for `C7`. */
function columnOf(reference = ''): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOf({ attributes, children }: XmlElement, { strings, formats, countsFrom1904 }: Reading): string {
  const child = (name: string) => children.find((one) => one.name === name);
  const inline = child('is');
  if (inline) return stringOf(inline);
  const formula = child('f')?.text;
  // A formula that was never calculated has no value.
  const value = child('v')?.text || (formula ? `=${formula}` : '');
  if (value === '') return '';
  switch (attributes.t) {
    case 's': {
      const string = strings[Number(value)];
      if (string === undefined) throw new RangeError('A text of the workbook is missing');
      return string;
    }
    case 'b':
      return value === '1' ? 'true' : 'false';
    case 'd':
    case 'e':
    case 'str':
      return value;
    default:
      return shownNumber(value, formats[Number(attributes.s)] ?? UNFORMATTED, countsFrom1904);
  }
}

/** The number format of a workbook's cell: a built-in one by its id, or a format code (ECMA-376-1, 18.8.30 and 18.8.31). */
export interface CellFormat {
  id: number;
  code: string;
}

/** Days from 1 January 1900 to 1 January 1904, the epoch of some workbooks. */
const DAYS_TO_1904 = 1462;
const SECONDS_A_DAY = 86_400;

/** Returns a number as its cell shows it: dates in ISO 8601, padded digits such as `00120`; any other number unchanged. */
export function shownNumber(text: string, { id, code }: CellFormat, countsFrom1904: boolean): string {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  if (!isDate(id, code)) return inPlaces(String(number), code);
  const seconds = Math.round((number + (countsFrom1904 ? DAYS_TO_1904 : 0)) * SECONDS_A_DAY);
  const days = Math.floor(seconds / SECONDS_A_DAY);
  if (!isSerial(String(days))) return String(number);
  const time = new Date((seconds % SECONDS_A_DAY) * 1000).toISOString().slice(11, 19);
  return `${dateOfSerial(days)}${time === '00:00:00' ? '' : ` ${time}`}`;
}

function isDate(id: number, code: string): boolean {
  const isBuiltIn = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
  return isBuiltIn || /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|general/gi, ''));
}

/** Fills the digits of a whole number into a format code that otherwise has only literals. */
function inPlaces(digits: string, code: string): string {
  const signs = code.match(/"[^"]*"|\\.|./g)?.map((sign) => sign.replace(/^["\\]|"$/g, '')) ?? [];
  const isPlace = (sign: string) => sign === '0' || sign === '#';
  const first = signs.findIndex(isPlace);
  if (first < 0 || !/^\d+$/.test(digits) || !/^(?:[0#\-() +/]|"[^"]*"|\\.)+$/.test(code)) return digits;
  let [shown, left] = ['', digits];
  for (let at = signs.length - 1; at >= 0; at--) {
    const sign = signs[at] ?? '';
    const taken = at === first ? left : left.slice(-1);
    shown = (isPlace(sign) ? taken || sign.replace('#', '') : sign) + shown;
    if (isPlace(sign)) left = left.slice(0, -1);
  }
  return shown;
}
