import { unzipSync } from 'fflate';
import { knownColumns } from '../../../src/entities/people-columns.ts';
import { csvLine } from '../../../src/lib/csv.ts';
import { type CellFormat, shownNumber } from './cell-formats.ts';
import type { CsvLine, CsvText } from './csv-reader.ts';
import { decode } from './decode.ts';

/** Maximum bytes of the unpacked parts of a workbook, and cells of a line: anything larger is not a list of people. */
const [MAX_UNPACKED, MAX_CELLS] = [100_000_000, 1000];
const UNFORMATTED: CellFormat = { id: 0, code: '' };

/** A sheet of a workbook. */
export interface Sheet extends CsvText {
  name: string;
  /** Names of the visible sheets. */
  sheets: readonly string[];
}

/**
 * Reads an `.xlsx` file (ECMA-376). Cells have the text that a spreadsheet shows, except that dates are ISO 8601 and
 * numbers have no thousands separators. Line breaks within a cell become carriage returns, so that a row stays one
 * line. A cell that is merged downwards has its text in each line.
 *
 * @param wanted name of the sheet; absent: the first visible one with the most columns of known names
 * @throws Error for any other file
 */
export function readWorkbook(bytes: Uint8Array, wanted?: string): Sheet {
  let unpacked = 0;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!name.startsWith('xl/') || !name.includes('.xml')) return false;
      unpacked += originalSize;
      if (unpacked > MAX_UNPACKED) throw new RangeError('The workbook is too large');
      return true;
    },
  });
  const workbook = documentOf(parts['xl/workbook.xml']);
  const links = all(documentOf(parts['xl/_rels/workbook.xml.rels']), 'Relationship').map((link) => {
    const [target = '', type = ''] = [link.getAttribute('Target') ?? '', link.getAttribute('Type')?.split('/').at(-1)];
    return { id: link.getAttribute('Id'), type, path: target.startsWith('/') ? target.slice(1) : `xl/${target}` };
  });
  const linked = (type: string) => {
    const part = parts[links.find((one) => one.type === type)?.path ?? ''];
    return part && documentOf(part);
  };
  // Chart sheets do not count.
  const sheets = all(workbook, 'sheet').flatMap((sheet) => {
    const id = [...sheet.attributes].find(({ name, localName }) => localName === 'id' && name !== localName)?.value;
    const link = links.find((one) => one.id === id && one.type === 'worksheet');
    const isHidden = /hidden/i.test(sheet.getAttribute('state') ?? '');
    return link === undefined || isHidden ? [] : { name: sheet.getAttribute('name') ?? '', path: link.path };
  });
  const strings = linked('sharedStrings');
  const reading: Reading = {
    strings: strings ? all(strings, 'si').map(stringOf) : [],
    formats: formatsOf(linked('styles')),
    countsFrom1904: /^(?:1|true)$/.test(all(workbook, 'workbookPr')[0]?.getAttribute('date1904') ?? ''),
  };
  const read = ({ name, path }: { name: string; path: string }): Sheet => {
    const sheet = documentOf(parts[path]);
    const lines = linesOf(all(sheet, 'row'), reading, mergedDown(sheet));
    return { name, sheets: sheets.map((one) => one.name), separator: ',', lines };
  };
  const chosen = sheets
    .filter(({ name }) => wanted === undefined || name === wanted)
    .slice(0, MAX_SHEETS)
    .map(read);
  const [best, ...others] = chosen;
  if (best === undefined) throw new TypeError('The workbook has no such sheet');
  return others.reduce((better, one) => (knownColumns(one.lines) > knownColumns(better.lines) ? one : better), best);
}

/** What cells refer to. */
interface Reading {
  strings: readonly string[];
  formats: readonly CellFormat[];
  countsFrom1904: boolean;
}

function documentOf(part: Uint8Array | undefined): Document {
  if (part === undefined) throw new TypeError('A part of the workbook is missing');
  const { text, assumed } = decode(part);
  const document = new DOMParser().parseFromString(text, 'application/xml');
  if (assumed || document.querySelector('parsererror')) throw new TypeError('A part of the workbook is no XML');
  return document;
}

/** Returns the elements of a local name, whatever their prefix. */
function all(within: Document | Element, name: string): Element[] {
  return [...within.getElementsByTagNameNS('*', name)];
}

/** Returns the text of a string: its runs concatenated, without phonetic hints. */
function stringOf(string: Element): string {
  const texts = [...string.children].map((child) => {
    if (child.localName === 't') return child.textContent;
    return child.localName === 'r' ? stringOf(child) : '';
  });
  return texts.join('').replace(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns the number formats in the order that cells refer to. */
function formatsOf(styles: Document | undefined): CellFormat[] {
  if (styles === undefined) return [];
  const codes = new Map(
    all(styles, 'numFmt').map((one) => [one.getAttribute('numFmtId'), one.getAttribute('formatCode')]),
  );
  const [used] = all(styles, 'cellXfs');
  return [...(used?.children ?? [])].map((one) => {
    const id = one.getAttribute('numFmtId');
    return { id: Number(id), code: codes.get(id) ?? '' };
  });
}

/** Maximum sheets that are read to find the one with people. */
const MAX_SHEETS = 10;

/** Cells that are merged downwards: the column, and the first and last line. */
type Merged = readonly [column: number, first: number, last: number];

function mergedDown(sheet: Document): Merged[] {
  return all(sheet, 'mergeCell').flatMap((cell): Merged[] => {
    const [from = '', to = ''] = (cell.getAttribute('ref') ?? '').split(':');
    const [column, first, last] = [columnOf(from), Number(from.replace(/\D/g, '')), Number(to.replace(/\D/g, ''))];
    return column === undefined || column !== columnOf(to) || last <= first ? [] : [[column, first, last]];
  });
}

function linesOf(rows: readonly Element[], reading: Reading, merged: readonly Merged[]): CsvLine[] {
  const lines: CsvLine[] = [];
  let line = 0;
  for (const row of rows) {
    line = Number(row.getAttribute('r')) || line + 1;
    const cells = cellsOf(row, reading);
    if (cells.length === 0) continue;
    for (const [column, first, last] of merged) {
      if (line <= first || line > last || (cells[column] ?? '') !== '') continue;
      while (cells.length < column) cells.push('');
      cells[column] = lines.findLast((one) => one.line >= first)?.cells[column] ?? '';
    }
    const isHidden = /^(?:1|true)$/.test(row.getAttribute('hidden') ?? '');
    lines.push({ line, cells, raw: '', ...(isHidden ? { isHidden } : {}) });
  }
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  return lines.map((one) => {
    const cells = [...one.cells, ...Array<string>(width - one.cells.length).fill('')];
    return { ...one, cells, raw: csvLine(cells).trimEnd() };
  });
}

/** Returns the cells of a row up to the last non-empty one. */
function cellsOf(row: Element, reading: Reading): string[] {
  const cells: string[] = [];
  let next = 0;
  for (const cell of row.children) {
    const column = columnOf(cell.getAttribute('r')) ?? next;
    next = column + 1;
    const text = textOf(cell, reading).replace(/\r?\n/g, '\r').trim();
    if (text === '') continue;
    if (column >= MAX_CELLS) throw new RangeError('A line of the workbook is too long');
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }
  return cells;
}

/** Returns the column index of a cell reference, from 0: 2 for `C7`. */
function columnOf(reference: string | null): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOf(cell: Element, { strings, formats, countsFrom1904 }: Reading): string {
  const child = (name: string) => [...cell.children].find(({ localName }) => localName === name);
  const inline = child('is');
  if (inline) return stringOf(inline);
  const formula = child('f')?.textContent;
  // A formula that was never calculated has no value.
  const value = child('v')?.textContent ?? (formula ? `=${formula}` : '');
  if (value === '') return '';
  switch (cell.getAttribute('t')) {
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
      return shownNumber(value, formats[Number(cell.getAttribute('s'))] ?? UNFORMATTED, countsFrom1904);
  }
}
