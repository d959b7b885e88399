import { csvLine } from '../../lib/csv.ts';
import {
  doubledFields,
  fieldsOf,
  findHeader,
  type ImportField,
  isAddress,
  isTotal,
  knownColumns,
  matchColumns,
  plainName,
  type RememberedTargets,
  splitName,
  type Target,
} from './columns.ts';
import {
  type CsvLine,
  type CsvText,
  decode,
  type LegacyEncoding,
  type LineFault,
  readCsv,
  readLine,
  ungarbled,
  withWidth,
} from './csv-text.ts';
import {
  decimalOf,
  hasShortYear,
  isSerial,
  mayBeBuddhist,
  needsDecimal,
  needsOrder,
  orderOf,
  readValue,
  type ValueFault,
  type ValueFormat,
} from './values.ts';
import { isWorkbook, readWorkbook } from './workbook.ts';

/** What a table leaves open and somebody chooses: once for the console, the API and the command line. */
export interface TableChoices {
  /** The sheet of a workbook. */
  sheet?: string;
  /** The encoding of a text that is not Unicode. */
  encoding?: LegacyEncoding;
  /** The number of the line with the names of the columns; 0: there is none. */
  header?: number;
  /** The number of the first line of people, and lines that are none. */
  from?: number;
  leaveOut?: readonly number[];
  columns?: RememberedTargets;
  values?: Matches;
  dates?: NonNullable<ValueFormat['dates']['order']>;
  /** Of unknown departments: `create`, or a department that stands for all. */
  departments?: string;
  /** Whether people who come under the address or number of somebody who has left are others, where nothing else decides. */
  newcomer?: boolean;
  /** What becomes of the ids by which a directory knows people, where the file has others. */
  externalIds?: 'keep' | 'replace';
  calendar?: NonNullable<ValueFormat['dates']['calendar']>;
  years?: ValueFormat['dates']['years'];
  /** Whether texts that were read in a wrong encoding are put right. */
  garbled?: boolean;
  separator?: CsvText['separator'];
  serials?: boolean;
  decimal?: NonNullable<ValueFormat['decimal']>;
  /** Whether lines that the workbook hides are imported. */
  hidden?: boolean;
}

/** A table before its import, with the user's choices and corrections. Lines are identified by their number in the file. */
export interface ImportDraft {
  /** Identifies the draft. */
  id: string;
  /** Increases with each change. */
  revision: number;
  /** The file, to read it again with another sheet or encoding; undefined: pasted text. */
  bytes: Uint8Array | undefined;
  assumed: LegacyEncoding | undefined;
  /** The sheet that was read of a workbook, its visible sheets, and those that list people. */
  sheet: string;
  sheets: readonly string[];
  withPeople: readonly string[];
  separator: string;
  /** All lines of the file, among them those above the header. */
  table: readonly CsvLine[];
  /** The line with the names of the columns; one of empty names, numbered 0, if the file has none. */
  header: CsvLine;
  lines: readonly CsvLine[];
  /** The target of each column. */
  targets: readonly Target[];
  /** The user's choices; undefined ones follow from the values. */
  order: ValueFormat['dates']['order'];
  serials: boolean;
  calendar: ValueFormat['dates']['calendar'];
  years: ValueFormat['dates']['years'];
  decimal: ValueFormat['decimal'];
  /** What stands for values that the service does not know, by field and {@link plainName} of the text. */
  matches: Matches;
  edits: ReadonlyMap<number, Texts>;
  leftOut: ReadonlySet<number>;
  /** How many may leave at most, if the file has everybody; undefined: it has some people. */
  maxLeavers: number | undefined;
  /** The names of pasted addresses, as a mail program writes them. */
  names?: ReadonlyMap<string, string> | undefined;
  /** Whether new people are invited by a mail. */
  invite: boolean;
  /** What is chosen for people whom the service knows already. */
  known: Pick<TableChoices, 'newcomer' | 'externalIds'>;
}

export type Matches = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Texts = Readonly<Partial<Record<ImportField, string>>>;

/** A line to be sent. */
export interface ImportRow {
  line: number;
  /** The texts of the file, or their corrections. */
  texts: Texts;
  /** The texts of the file. */
  original: Texts;
  values: Texts;
  faults: Readonly<Record<string, ValueFault>>;
  /** Why the line cannot be sent at all. */
  fault?: LineFault | 'blank';
  raw: string;
}

/**
 * Returns the draft of a file or a text; undefined if it has no lines.
 *
 * @param pause awaited between pieces of the work
 * @throws Error for a workbook that cannot be read
 */
export async function openTable(
  source: Uint8Array | string,
  choices: TableChoices = {},
  pause?: () => Promise<void>,
): Promise<ImportDraft | undefined> {
  if (typeof source === 'string') return draftOf(await readCsv(source, pause, undefined, choices.separator), choices);
  if (isWorkbook(source)) {
    const { name, ...sheet } = await readWorkbook(source, choices.sheet, pause);
    return draftOf(sheet, choices, { bytes: source, sheet: name, ...sheet });
  }
  const { text, assumed } = decode(source, choices.encoding);
  return draftOf(await readCsv(text, pause, undefined, choices.separator), choices, { bytes: source, assumed });
}

type Origin = Pick<ImportDraft, 'bytes' | 'assumed' | 'sheet' | 'sheets' | 'withPeople'>;

function draftOf(
  { separator, lines }: CsvText,
  {
    header,
    from = 0,
    leaveOut = [],
    columns = {},
    values = {},
    dates,
    serials = false,
    calendar,
    years = {},
    garbled = false,
    decimal,
    hidden = false,
  }: TableChoices,
  { bytes, assumed, sheet = '', sheets = [], withPeople = [] }: Partial<Origin> = {},
): ImportDraft | undefined {
  if (lines.length === 0) return undefined;
  const table = garbled ? lines.map(righted) : lines;
  const draft: ImportDraft = {
    id: '',
    revision: 0,
    bytes,
    assumed,
    sheet,
    sheets,
    withPeople,
    separator,
    table,
    header: NO_HEADER,
    lines: [],
    targets: [],
    order: dates,
    serials,
    calendar,
    years,
    decimal,
    matches: values,
    edits: new Map(),
    leftOut: new Set(),
    maxLeavers: undefined,
    invite: true,
    known: {},
  };
  const chosen = header === 0 ? undefined : table.findIndex(({ line }) => line === header);
  const read = withHeader(draft, header === undefined ? findHeader(table) : chosen, columns);
  const shown = hidden ? withHiddenLines(read) : read;
  const others = shown.lines.flatMap(({ line }) => (line < from || leaveOut.includes(line) ? [line] : []));
  return { ...shown, leftOut: new Set([...shown.leftOut, ...others]) };
}

/** Lines below the names of the columns that may be labels. */
const MAX_NOTES = 10;
/** Lines whose values show what a column holds. */
const SAMPLE = 1000;
const NO_HEADER: CsvLine = { line: 0, cells: [], raw: '' };

/**
 * Returns the draft with the names of the columns in another line of its table. Lines above it are no people, and lines that are hidden or
 * have totals are left out.
 *
 * @param index undefined: the table has no names of columns
 */
export function withHeader(draft: ImportDraft, index: number | undefined, remembered: RememberedTargets): ImportDraft {
  const { table } = draft;
  const width = table.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const named = index === undefined ? undefined : table[index];
  const header = named ?? { ...NO_HEADER, cells: Array<string>(width).fill('') };
  const lines = table.slice(index === undefined ? 0 : index + 1).map((line) => withWidth(line, header.cells.length));
  const valuesOf = (column: number) => lines.slice(0, SAMPLE).flatMap(({ cells }) => cells[column] || []);
  return {
    ...draft,
    header,
    lines,
    targets: header.fault ? [] : matchColumns(header.cells, valuesOf, remembered),
    edits: new Map(),
    leftOut: new Set(lines.flatMap(({ line, cells, isHidden }) => (isHidden || isTotal(cells) ? [line] : []))),
  };
}

/** Returns the draft with the lines that the workbook hides. */
export function withHiddenLines(draft: ImportDraft): ImportDraft {
  const hidden = new Set(hiddenLines(draft));
  return { ...draft, leftOut: new Set([...draft.leftOut].filter((line) => !hidden.has(line))) };
}

/** Returns the lines of people that the workbook hides and that are still left out. */
export function hiddenLines({ lines, leftOut }: ImportDraft): number[] {
  return lines.flatMap(({ line, cells, isHidden }) => (isHidden && !isTotal(cells) && leftOut.has(line) ? [line] : []));
}

/** Returns the lines whose full name was split by a guess that is worth a look. */
export function doubtfulNames({ targets, lines, leftOut }: ImportDraft): number[] {
  const column = targets.indexOf('fullName');
  if (column < 0) return [];
  return lines.flatMap(({ line, cells }) =>
    !leftOut.has(line) && splitName(cells[column] ?? '').isDoubtful ? [line] : [],
  );
}

/** Returns how values are read: as chosen, otherwise as the values imply. */
export function formatOf(draft: ImportDraft): ValueFormat {
  return {
    dates: {
      order: draft.order ?? orderOf(datesOf(draft)),
      serials: draft.serials,
      calendar: draft.calendar,
      years: draft.years,
    },
    decimal: draft.decimal ?? decimalOf(textsOf(draft, 'approvalLimit')),
  };
}

/** Returns the distinct texts whose meaning depends on a choice. */
export function openTexts(draft: ImportDraft) {
  const dates = new Set(datesOf(draft));
  return {
    dates: [...dates].filter(needsOrder),
    serials: [...dates].filter(isSerial),
    eras: [...dates].filter(mayBeBuddhist),
    years: DATES.flatMap((field) => {
      const text = textsOf(draft, field).find(hasShortYear);
      return text === undefined ? [] : [{ field, text }];
    }),
    amounts: [...new Set(textsOf(draft, 'approvalLimit'))].filter(needsDecimal),
  };
}

const DATES = ['dateOfBirth', 'startDate', 'endDate'] as const;
const datesOf = (draft: ImportDraft) => DATES.flatMap((field) => textsOf(draft, field));

/** Returns a text in a column that is imported, and that was read in a wrong encoding. */
export function garbledText({ lines, targets, header }: ImportDraft): string | undefined {
  const cells = [header, ...lines].flatMap((line) =>
    line.cells.filter((_, column) => line === header || targets[column]),
  );
  return cells.find((cell) => ungarbled(cell) !== undefined);
}

function righted(line: CsvLine): CsvLine {
  return { ...line, cells: line.cells.map((cell) => ungarbled(cell) ?? cell) };
}

/** Returns the draft with the texts put right that were read in a wrong encoding. */
export function withoutGarbled(draft: ImportDraft): ImportDraft {
  return { ...draft, header: righted(draft.header), lines: draft.lines.map(righted) };
}

/** Returns the lines below the names of the columns that have labels or notes instead of people. */
export function noteLines({ header, lines, targets, leftOut }: ImportDraft): number[] {
  const keys = targets.flatMap((target, column) => (KEYS.some((key) => key === target) ? [column] : []));
  const email = targets.indexOf('email');
  const isPerson = ({ cells }: CsvLine) => (email < 0 ? keys.some((key) => cells[key]) : isAddress(cells[email] ?? ''));
  const first = lines.findIndex(isPerson);
  const above = lines.slice(0, first < 0 ? 0 : Math.min(first, MAX_NOTES));
  const isLabelled = above.length > 0 && (above.some((line) => knownColumns([line]) > 1) || above.some(isNote));
  const notes = lines.filter((line) => isNote(line));
  const found = [...(isLabelled ? above : []), ...notes].filter(({ line }) => !leftOut.has(line) && header.line > 0);
  return [...new Set(found.map(({ line }) => line))].sort((one, other) => one - other);

  function isNote({ cells, fault }: CsvLine): boolean {
    const filled = cells.filter(Boolean).length;
    return targets.length > 2 && filled === 1 && (fault === 'cells' || keys.every((key) => !cells[key]));
  }
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
    .map((line) => {
      const original = cellsOf(line, draft.targets);
      const texts = { ...original, ...draft.edits.get(line.line) };
      return { ...rowOf(line, texts, fields, format, draft.matches), original };
    });
}

function rowOf(
  { line, raw, fault }: CsvLine,
  texts: Texts,
  fields: readonly ImportField[],
  format: ValueFormat,
  matches: Matches,
): Omit<ImportRow, 'original'> {
  const values: Partial<Record<ImportField, string>> = {};
  const faults: Record<string, ValueFault> = {};
  for (const field of fields) {
    const text = texts[field] ?? '';
    const value = matches[field]?.[plainName(text)] ?? readValue(field, text, format);
    if (typeof value === 'string') values[field] = value;
    else {
      values[field] = text;
      faults[field] = value.fault;
    }
  }
  const isBlank = fields.every((field) => values[field] === '');
  const why = fault ?? (isBlank ? 'blank' : undefined);
  return { line, raw, texts, values, faults, ...(why === undefined ? {} : { fault: why }) };
}

function cellsOf({ cells }: CsvLine, targets: readonly Target[]): Texts {
  const texts: Partial<Record<ImportField, string>> = {};
  for (const [column, target] of targets.entries()) {
    const text = cells[column] ?? '';
    if (target === 'fullName') {
      const { firstName, lastName } = splitName(text);
      Object.assign(texts, { firstName, lastName });
    } else if (target !== '') texts[target] = text;
  }
  // A name of one word is a first name, whatever its column.
  if (!texts.firstName && texts.lastName && targets.includes('firstName'))
    Object.assign(texts, { firstName: texts.lastName, lastName: '' });
  return texts;
}

/** Fields that identify people. */
const KEYS = ['email', 'employeeNumber', 'id'] as const;

/** Returns why nothing of a draft can be sent: a malformed header, two columns with the same target, or none that identifies people. */
export function obstacleOf({ header, targets }: ImportDraft): 'header' | 'doubled' | 'nobody' | undefined {
  if (header.fault) return 'header';
  if (doubledFields(targets).length > 0) return 'doubled';
  return KEYS.some((key) => targets.includes(key)) ? undefined : 'nobody';
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

/** Fields that are typed for new people of whom only the address is known. */
const OF_NEWCOMERS = ['firstName', 'lastName', 'jobTitle', 'phone'] as const;

/** Returns whether a draft is a pasted text with nothing but addresses. */
export function hasOnlyAddresses({ bytes, targets }: ImportDraft): boolean {
  return bytes === undefined && targets.length === 1 && targets[0] === 'email';
}

/** Returns the first and last name of a full name of letters that leaves no doubt; otherwise none. */
function partsOf(name: string): Texts {
  const { firstName, lastName, isDoubtful } = splitName(name);
  const isPlain = !isDoubtful && lastName !== '' && /^[\p{L}\p{M} .,'’-]+$/u.test(name);
  return isPlain ? { firstName, lastName } : {};
}

/** Returns a draft of addresses with columns for the new people, with their names where they are known, without the lines of people who are there already. */
export function withNewcomers(draft: ImportDraft, known: readonly number[]): ImportDraft {
  const wider = (line: CsvLine) => {
    const name = partsOf(draft.names?.get(line.cells[0] ?? '') ?? '');
    return { ...line, cells: [...line.cells, ...OF_NEWCOMERS.map((field) => name[field] ?? '')] };
  };
  return {
    ...draft,
    header: wider(draft.header),
    lines: draft.lines.map(wider),
    targets: [...draft.targets, ...OF_NEWCOMERS],
    leftOut: new Set([...draft.leftOut, ...known]),
  };
}

/** Returns whether a draft has corrections. */
export function isCorrected({ edits, leftOut, lines }: ImportDraft): boolean {
  const isPassedOver = (line: CsvLine) => line.isHidden === true || isTotal(line.cells);
  return edits.size > 0 || lines.some((line) => leftOut.has(line.line) !== isPassedOver(line));
}

/**
 * Returns the CSV to send. Each row keeps its line number of the file, so that the line numbers of the service's
 * report are those of the file.
 */
export function csvToSend(draft: ImportDraft, rows: readonly ImportRow[]): string {
  return [...csvLines(draft, rows)].join('');
}

/** Yields the lines of {@link csvToSend}, each with the empty ones before it. */
function* csvLines({ header, targets }: ImportDraft, rows: readonly ImportRow[]): Generator<string> {
  const fields = fieldsOf(targets);
  const moved = movedBy(header);
  let next = 1;
  const textOf = (line: number, cells: readonly string[]) => {
    const before = '\n'.repeat(Math.max(line - next, 0));
    next = Math.max(line, next) + 1 + cells.join('').split('\n').length - 1;
    return before + csvLine(cells);
  };
  yield textOf(header.line + moved, fields);
  for (const { line, values, fault } of rows) {
    const cells = fields.map((field) => values[field] ?? '');
    if (fault === undefined) yield textOf(line + moved, cells);
  }
}

/** Returns by how many lines a table is moved down when it is sent: by that of the names, if the file has none. */
export function movedBy({ line }: CsvLine): number {
  return line === 0 ? 1 : 0;
}

/** A value of the file that the service does not know, in so many lines. */
export interface UnknownValue {
  field: ImportField;
  text: string;
  lines: number;
}

/** Returns the values of fields with few values that are not known, the most frequent first. @param known names and codes by field */
export function unknownValues(
  rows: readonly ImportRow[],
  { matches }: ImportDraft,
  known: Readonly<Partial<Record<ImportField, ReadonlySet<string>>>>,
): UnknownValue[] {
  const found = new Map<string, UnknownValue>();
  for (const { texts, values, faults } of rows) {
    for (const field of MATCHED_FIELDS) {
      const text = texts[field] ?? '';
      if (text === '') continue;
      const isMatched = matches[field]?.[plainName(text)] !== undefined;
      const isKnown = known[field]?.has((values[field] ?? '').toLowerCase()) ?? true;
      if (!isMatched && isKnown && faults[field] === undefined) continue;
      const key = `${field} ${plainName(text)}`;
      const value = found.get(key) ?? { field, text, lines: 0 };
      found.set(key, { ...value, lines: value.lines + 1 });
    }
  }
  return [...found.values()].sort((one, other) => other.lines - one.lines);
}

/** Fields whose unknown values are matched once each. */
export const MATCHED_FIELDS = [
  'department',
  'band',
  'active',
  'roles',
  'clientType',
] as const satisfies readonly ImportField[];

/** Returns the draft with another meaning of a text in a field; undefined: none. */
export function withMatch(
  draft: ImportDraft,
  field: ImportField,
  text: string,
  value: string | undefined,
): ImportDraft {
  const { [plainName(text)]: _, ...others } = draft.matches[field] ?? {};
  const chosen = value === undefined ? others : { ...others, [plainName(text)]: value };
  return { ...draft, matches: { ...draft.matches, [field]: chosen } };
}
