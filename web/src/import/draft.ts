import { csvLine } from '../../../src/lib/csv.ts';
import { randomId } from '../parts/random-id.ts';
import {
  doubledFields,
  fieldsOf,
  type ImportField,
  matchColumns,
  type RememberedTargets,
  splitName,
  type Target,
} from './columns.ts';
import { type CsvLine, type CsvText, type LineFault, readLine } from './csv-reader.ts';
import { isSerial, needsOrder, orderOf } from './dates.ts';
import type { LegacyEncoding } from './decode.ts';
import { decimalOf, needsDecimal, readValue, type ValueFault, type ValueFormat } from './values.ts';

/** A table before its import, with the user's choices and corrections. Lines are identified by their number in the file. */
export interface ImportDraft {
  /** Identifies the draft. */
  id: string;
  /** Increases with each change. */
  revision: number;
  /** The bytes of a file that is not Unicode, to decode it again. */
  bytes: Uint8Array | undefined;
  assumed: LegacyEncoding | undefined;
  /** The name of the sheet that was read, if the workbook has others. */
  sheet: string | undefined;
  separator: string;
  header: CsvLine;
  lines: readonly CsvLine[];
  /** The target of each column. */
  targets: readonly Target[];
  /** The user's choices; undefined ones follow from the values. */
  order: ValueFormat['dates']['order'];
  serials: boolean;
  decimal: ValueFormat['decimal'];
  edits: ReadonlyMap<number, Texts>;
  leftOut: ReadonlySet<number>;
}

export type Texts = Readonly<Partial<Record<ImportField, string>>>;

/** A line to be sent. */
export interface ImportRow {
  line: number;
  /** The texts of the file, or their corrections. */
  texts: Texts;
  values: Texts;
  faults: Readonly<Partial<Record<ImportField, ValueFault>>>;
  /** Why the line cannot be sent at all. */
  fault?: LineFault | 'blank';
  raw: string;
}

/** Returns the draft of a text; undefined if it has no lines besides the header. */
export function draftOf(
  { separator, lines: [header, ...lines] }: CsvText,
  remembered: RememberedTargets,
  { bytes, assumed, sheet }: Partial<Pick<ImportDraft, 'bytes' | 'assumed' | 'sheet'>> = {},
): ImportDraft | undefined {
  if (header === undefined) return undefined;
  const firstValue = (column: number) => lines.find(({ cells }) => cells[column])?.cells[column] ?? '';
  return {
    id: randomId(),
    revision: 0,
    bytes,
    assumed,
    sheet,
    separator,
    header,
    lines,
    targets: header.fault ? [] : matchColumns(header.cells, firstValue, remembered),
    order: undefined,
    serials: false,
    decimal: undefined,
    edits: new Map(),
    leftOut: new Set(),
  };
}

/** Returns how values are read: as chosen, otherwise as the values imply. */
export function formatOf(draft: ImportDraft): ValueFormat {
  return {
    dates: { order: draft.order ?? orderOf(textsOf(draft, 'dateOfBirth')), serials: draft.serials },
    decimal: draft.decimal ?? decimalOf(textsOf(draft, 'approvalLimit')),
  };
}

/** Returns the distinct texts whose meaning depends on a choice. */
export function openTexts(draft: ImportDraft): { dates: string[]; serials: string[]; amounts: string[] } {
  const dates = new Set(textsOf(draft, 'dateOfBirth'));
  return {
    dates: [...dates].filter(needsOrder),
    serials: [...dates].filter(isSerial),
    amounts: [...new Set(textsOf(draft, 'approvalLimit'))].filter(needsDecimal),
  };
}

function textsOf({ targets, lines }: ImportDraft, field: ImportField): string[] {
  const column = targets.indexOf(field);
  return column < 0 ? [] : lines.map(({ cells }) => cells[column] ?? '');
}

/** Returns the lines of a draft without those that are left out. */
export function rowsOf(draft: ImportDraft, format: ValueFormat): ImportRow[] {
  const fields = fieldsOf(draft.targets);
  return draft.lines
    .filter(({ line }) => !draft.leftOut.has(line))
    .map((line) => rowOf(line, { ...cellsOf(line, draft.targets), ...draft.edits.get(line.line) }, fields, format));
}

function rowOf(
  { line, raw, fault }: CsvLine,
  texts: Texts,
  fields: readonly ImportField[],
  format: ValueFormat,
): ImportRow {
  const values: Partial<Record<ImportField, string>> = {};
  const faults: Partial<Record<ImportField, ValueFault>> = {};
  for (const field of fields) {
    const text = texts[field] ?? '';
    const value = readValue(field, text, format);
    if (typeof value === 'string') values[field] = value;
    else [values[field], faults[field]] = [text, value.fault];
  }
  const isBlank = fields.every((field) => values[field] === '');
  const why = fault ?? (isBlank ? 'blank' : undefined);
  return { line, raw, texts, values, faults, ...(why === undefined ? {} : { fault: why }) };
}

function cellsOf({ cells }: CsvLine, targets: readonly Target[]): Texts {
  const texts: Partial<Record<ImportField, string>> = {};
  for (const [column, target] of targets.entries()) {
    const text = cells[column] ?? '';
    if (target === 'fullName') Object.assign(texts, splitName(text));
    else if (target !== '') texts[target] = text;
  }
  return texts;
}

/** Returns why nothing of a draft can be sent: a malformed header, two columns with the same target, or none that identifies people. */
export function obstacleOf({ header, targets }: ImportDraft): 'header' | 'doubled' | 'nobody' | undefined {
  if (header.fault) return 'header';
  if (doubledFields(targets).length > 0) return 'doubled';
  return targets.includes('email') || targets.includes('id') ? undefined : 'nobody';
}

/** Returns the draft with a line replaced by its correction. */
export function withLine(draft: ImportDraft, line: number, text: string): ImportDraft {
  const read = readLine(text, draft.separator, draft.header.cells.length, line);
  return { ...draft, lines: draft.lines.map((one) => (one.line === line ? read : one)) };
}

/** Returns the draft with another text in the same column of some lines. */
export function withCells(draft: ImportDraft, lines: readonly number[], field: ImportField, text: string): ImportDraft {
  const edits = new Map(draft.edits);
  for (const line of lines) edits.set(line, { ...edits.get(line), [field]: text });
  return { ...draft, edits };
}

export function withoutLine(draft: ImportDraft, line: number): ImportDraft {
  return { ...draft, leftOut: new Set(draft.leftOut).add(line) };
}

/** Returns whether a draft has corrections. */
export function isCorrected({ edits, leftOut }: ImportDraft): boolean {
  return edits.size > 0 || leftOut.size > 0;
}

/**
 * Returns the CSV to send. Each row keeps its line number of the file, so that the line numbers of the service's
 * report are those of the file.
 */
export function csvToSend({ header, targets }: ImportDraft, rows: readonly ImportRow[]): string {
  const fields = fieldsOf(targets);
  let [csv, next] = ['', 1];
  const write = (line: number, cells: readonly string[]) => {
    csv += `${'\n'.repeat(Math.max(line - next, 0))}${csvLine(cells)}`;
    next = Math.max(line, next) + 1 + cells.join('').split('\n').length - 1;
  };
  write(header.line, fields);
  for (const { line, values, fault } of rows) {
    if (fault === undefined)
      write(
        line,
        fields.map((field) => values[field] ?? ''),
      );
  }
  return csv;
}
