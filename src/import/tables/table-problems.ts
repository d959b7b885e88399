import { OTHER_COLUMNS } from './choices.ts';
import { doubledFields, fieldsOf, isFullName, isUnclearRole, plainName } from './columns.ts';
import { LINE_FAULTS, ungarbled } from './csv-text.ts';
import {
  formatOf,
  garbledText,
  hiddenLines,
  type ImportDraft,
  type ImportRow,
  noteLines,
  obstacleOf,
  openTexts,
  type TableChoices,
} from './draft.ts';
import { isLeftOut, type ValueFault } from './values.ts';

/** Why a table, a line or a cell cannot be imported, and which choice would settle it. */
export interface TableProblem {
  line: number | undefined;
  column?: string;
  value?: string;
  reason: string;
  /** The field of a value that is left out: no reason against the line. */
  leftOut?: string;
}

const VALUE_FAULTS: Readonly<Record<ValueFault, string>> = {
  date: 'is no date',
  'date-order': 'may be two dates: choose dates, "day-first" or "month-first"',
  'date-era': 'may have a year of the Buddhist calendar: choose calendar, "buddhist" or "gregorian"',
  'date-years': 'has a year of two digits: choose years, the latest year that they mean',
  number: 'was rounded by a spreadsheet: export the column as text, or choose what stands for it in values',
  amount: 'is no amount',
  decimal: 'may be two amounts: choose decimal, "." or ","',
  role: 'is no role: choose what stands for it in values.roles',
  active: 'is no known status: choose "true" or "false" for it in values.active',
  'client-type': 'is no client type: choose what stands for it in values.clientType',
};

/** Returns what a table leaves open that has not been chosen; empty: it can be imported. */
export function openChoices(draft: ImportDraft, choices: TableChoices): TableProblem[] {
  const { header, targets, withPeople } = draft;
  const line = header.line === 0 ? undefined : header.line;
  const ofFile = (reason: string): TableProblem => ({ line, reason });
  if (choices.header && header.line !== choices.header)
    return [ofFile(`there is no line ${choices.header}: choose another header`)];
  if (header.fault) return [ofFile(LINE_FAULTS[header.fault])];
  const problems: TableProblem[] = [];
  if (choices.sheet === undefined && withPeople.length > 1) {
    problems.push(ofFile(`several sheets list people: choose sheet, one of ${withPeople.join(', ')}`));
  }
  for (const [column, name] of header.cells.entries()) {
    const key = name || String(column + 1);
    const isUsed = draft.lines.some(({ cells }) => cells[column]);
    const isChosen = choices.columns?.[plainName(key)] !== undefined || choices.columns?.[OTHER_COLUMNS] !== undefined;
    if (targets[column] !== '' || !isUsed || isChosen) continue;
    problems.push({ line, column: key, reason: reasonOf(name) });
  }
  for (const field of doubledFields(targets)) {
    problems.push(ofFile(`more than one column is ${field}: choose one in columns, and "" for the others`));
  }
  if (obstacleOf(draft) === 'nobody') {
    problems.push(
      ofFile(
        'no column says who people are: choose that of email or employeeNumber in columns, or another header' +
          (header.cells.length > 1
            ? ''
            : `; the cells were separated by ${JSON.stringify(draft.separator)}: choose separator`),
      ),
    );
  }
  const hidden = hiddenLines(draft);
  if (hidden.length > 0 && choices.hidden === undefined) {
    problems.push(
      ofFile(
        `the workbook hides ${hidden.length} lines, the first is ${hidden[0]}: choose hidden, true to import them`,
      ),
    );
  }
  const [open, format] = [openTexts(draft), formatOf(draft)];
  const [[date], [serial], [amount], [era]] = [open.dates, open.serials, open.amounts, open.eras];
  const notes = choices.from === undefined && choices.leaveOut === undefined ? noteLines(draft) : [];
  if (notes.length > 0) {
    const after = draft.lines.find(({ line }) => line > (notes[0] ?? 0) && !notes.includes(line))?.line;
    const isAbove = notes.every((each) => each < (after ?? 0));
    const suggested = isAbove ? `from, such as ${after}` : `leaveOut, such as ${JSON.stringify(notes)}`;
    problems.push({
      line: notes[0],
      reason: `lines ${notes.join(', ')} look like labels or notes: choose ${suggested}`,
    });
  }
  const garbled = choices.garbled === undefined ? garbledText(draft) : undefined;
  if (garbled !== undefined) {
    const reason = `"${garbled}" was read in a wrong encoding: choose garbled, true to read it as "${ungarbled(garbled)}"`;
    problems.push(ofFile(reason));
  }
  if (era !== undefined && choices.calendar === undefined) problems.push(ofFile(faultReason(era, 'date-era')));
  const latest = Object.fromEntries(open.years.map(({ field }) => [field, new Date().getUTCFullYear()]));
  for (const { field, text } of open.years) {
    if (choices.years?.[field] !== undefined) continue;
    const reason = `${faultReason(text, 'date-years')}, such as ${JSON.stringify(latest)}`;
    problems.push({ line, column: columnNamesOf(draft).get(field) ?? field, reason });
  }
  if (date !== undefined && format.dates.order === undefined) problems.push(ofFile(faultReason(date, 'date-order')));
  if (serial !== undefined && choices.serials === undefined) {
    problems.push(ofFile(`"${serial}" may count the days of a spreadsheet: choose serials, true to read it as a date`));
  }
  if (amount !== undefined && format.decimal === undefined) problems.push(ofFile(faultReason(amount, 'decimal')));
  return problems;
}

function reasonOf(name: string): string {
  if (isUnclearRole(name))
    return 'this may be the job or the rights in orgdesk: choose "jobTitle", "roles" or "" in columns';
  if (isFullName(name)) return 'this may be a full name: choose "fullName" in columns to split it, or ""';
  return `unknown column: choose in columns what it holds, or "" to leave it out; "${OTHER_COLUMNS}" stands for all others`;
}

const faultReason = (value: string, fault: ValueFault) => `"${value}" ${VALUE_FAULTS[fault]}`;

/** Returns what is wrong with the lines of a table. @param columnOf returns the name of a field's column in the file */
export function lineProblems(rows: readonly ImportRow[], columnOf: (field: string) => string): TableProblem[] {
  return rows.flatMap(({ line, texts, fault, faults }): TableProblem[] => {
    if (fault !== undefined) return fault === 'blank' ? [] : [{ line, reason: LINE_FAULTS[fault] }];
    return Object.entries(faults).map(([field, found]) => {
      const value = texts[field as keyof typeof texts] ?? '';
      const problem = { line, column: columnOf(field), value, reason: faultReason(value, found) };
      return isLeftOut(field, found) ? { ...problem, leftOut: field } : problem;
    });
  });
}

/** Returns the name of each field's column in the file. */
export function columnNamesOf({ header, targets }: ImportDraft): ReadonlyMap<string, string> {
  return new Map(
    targets.flatMap((target, column) => {
      const name = header.cells[column] || String(column + 1);
      return fieldsOf([target]).map((field) => [field, name] as const);
    }),
  );
}
