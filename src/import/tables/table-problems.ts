import { OTHER_COLUMNS } from './choices.ts';
import { doubledFields, fieldsOf, isFullName, isUnclearRole, plainName } from './columns.ts';
import { LINE_FAULTS } from './csv-text.ts';
import {
  formatOf,
  hiddenLines,
  type ImportDraft,
  type ImportRow,
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
      ofFile('no column says who people are: choose that of email or employeeNumber in columns, or another header'),
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
  const [[date], [serial], [amount]] = [open.dates, open.serials, open.amounts];
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
