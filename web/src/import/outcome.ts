import type { ImportField } from '../../../src/import/tables/columns.ts';
import type { CsvLine } from '../../../src/import/tables/csv-text.ts';
import { type ImportRow, movedBy } from '../../../src/import/tables/draft.ts';
import { isLeftOut } from '../../../src/import/tables/values.ts';
import type { ImportReport } from '../api/types.ts';

export const STATES = ['new', 'update', 'unchanged', 'wrong'] as const;
export type RowState = (typeof STATES)[number];

export type FieldChange = ImportReport['changes'][number]['fields'][number];
export type RowProblem = ImportReport['problems'][number];

/** The service's report on one line. */
export interface RowReport {
  problems: readonly RowProblem[];
  /** Undefined: the line changes nothing. */
  action: 'added' | 'changed' | undefined;
  fields: readonly FieldChange[];
}

/** The service's report on a table, by line number. */
export interface TableReport {
  rows: ReadonlyMap<number, RowReport>;
  /** Problems of the table as a whole. */
  ofAll: readonly RowProblem[];
  /** Whether all problems and changes are in `rows`, so that any other line is unchanged. */
  isListed: boolean;
  /** Numbers of lines without problems, by what would happen to them. */
  counts: Readonly<Record<Exclude<RowState, 'wrong'>, number>>;
  /** Active people who are missing from a file of everybody: their number, and the first of them. */
  /** Values that are left out: their number, and the first of them. */
  leftOutTotal: number;
  leftOut: readonly RowProblem[];
  /** What the file does beyond its limits, and what confirms it. */
  over: NonNullable<ImportReport['over']>;
  confirm: string | undefined;
  notes: readonly RowProblem[];
  leavers: number;
  leaving: NonNullable<ImportReport['leaving']>;
}

const NOTHING: RowReport = { problems: [], action: undefined, fields: [] };

export function tableReport({ leavers = 0, leaving = [], ...report }: ImportReport, header: CsvLine): TableReport {
  const { problems, problemsTotal, changes, changesNext, added, changed, unchanged } = report;
  const moved = movedBy(header);
  const rows = new Map<number, RowReport>();
  for (const { line, action, fields } of changes) rows.set(line - moved, { ...NOTHING, action, fields });
  const ofAll: RowProblem[] = [];
  for (const problem of problems) {
    const line = problem.line === null ? null : problem.line - moved;
    if (line === null || line <= header.line) ofAll.push(problem);
    else {
      const row = rows.get(line) ?? NOTHING;
      rows.set(line, { ...row, problems: [...row.problems, problem] });
    }
  }
  const leftOut = (report.leftOut ?? []).map((each) => ({
    ...each,
    line: each.line === null ? null : each.line - moved,
  }));
  const isListed = problems.length === problemsTotal && changesNext === null;
  return {
    rows,
    ofAll,
    isListed,
    counts: { new: added, update: changed, unchanged },
    leftOut,
    leftOutTotal: report.leftOutTotal ?? 0,
    over: report.over ?? [],
    confirm: report.confirm,
    notes: (report.notes ?? []).map((each) => ({ ...each, line: each.line === null ? null : each.line - moved })),
    leavers,
    leaving,
  };
}

export function reportOf(report: TableReport | undefined, line: number): RowReport {
  return report?.rows.get(line) ?? NOTHING;
}

/** Returns the state of a line; undefined before the service has reported. */
export function stateOf(row: ImportRow, report: TableReport | undefined): RowState | undefined {
  const faults = Object.entries(row.faults).filter(([field, fault]) => !isLeftOut(field, fault));
  if (row.fault !== undefined || faults.length > 0) return 'wrong';
  if (report === undefined) return undefined;
  const { problems, action } = reportOf(report, row.line);
  if (problems.length > 0) return 'wrong';
  if (action === undefined) return report.isListed ? 'unchanged' : undefined;
  return action === 'added' ? 'new' : 'update';
}

/** Returns the column of the table that holds a field of the service. */
export function columnOf(field: string, fields: readonly ImportField[]): ImportField | undefined {
  const same = fields.find((name) => name === field);
  if (same !== undefined) return same;
  if (field === 'departmentId' || field === 'departmentCostCode') return fields.find((name) => name === 'department');
  if (field === 'bandId' || field === 'bandCode') return fields.find((name) => name === 'band');
  return undefined;
}
