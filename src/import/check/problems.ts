import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import type { Entity, Key } from '../../entities/entity.ts';
import { printable, UserError } from '../../lib/errors.ts';

/** A problem of a folder. */
export interface ImportProblem {
  /** Name of the file, without the folder. */
  file: string;
  /** 1-based first line of the record; undefined where the file as a whole is to blame. */
  line?: number | undefined;
  /** Column name in the header; undefined where no single cell is to blame. */
  column?: string | undefined;
  /** Text of the cell, trimmed and truncated. */
  value?: string | undefined;
  /** Message: what is wrong, with the value shortened, and what is expected or to be done. */
  reason: string;
}

/** Problems listed in a message. */
export const MAX_LISTED = 20;
/** Maximum problems kept in memory and reported: a file of a million rows may have a million of them. */
export const MAX_PROBLEMS = 10_000;
/** Characters kept of a cell or a column name, which may have a million. */
const MAX_VALUE = 1000;
/** Characters of a value shown in a reason. */
const SHOWN = 60;

/** A folder was not imported: the database is unchanged. */
export class ImportError extends UserError {
  /** In the order of files and lines; at most 10,000. */
  readonly problems: readonly ImportProblem[];
  /** Total number of problems. */
  readonly total: number;

  constructor(message: string, problems: readonly ImportProblem[] = [], total = problems.length, cause?: unknown) {
    super(message, { cause });
    this.problems = problems;
    this.total = total;
  }
}

/** Collects problems, so that all of them can be corrected at once. */
export class ProblemList {
  #count = 0;
  /** Whether unreadable rows are missing, or there are more problems than kept: references cannot be checked then. */
  incomplete = false;
  /** Number of values taken by people of other companies, of whom nothing may be disclosed. */
  taken = 0;
  readonly #kept: ImportProblem[] = [];
  /** Values that were left out without stopping the import; at most 10,000. */
  readonly leftOut: ImportProblem[] = [];
  /** What the reader should know, though it stops nothing; at most 10,000, and the number of all. */
  readonly notes: ImportProblem[] = [];
  notesTotal = 0;
  /** Lines of all of them, by field. */
  readonly leftOutLines = new Map<string, number[]>();

  get count(): number {
    return this.#count;
  }

  /** Number of problems that are counted but not kept. */
  get untold(): number {
    return this.#count - this.#kept.length;
  }

  /** The problems that are kept, ordered by line. */
  get reported(): ImportProblem[] {
    return this.#kept.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
  }

  add(problem: ImportProblem): void {
    this.#count++;
    if (this.#kept.length === MAX_PROBLEMS) {
      this.incomplete = true;
      return;
    }
    const { column, value } = problem;
    this.#kept.push({ ...problem, column: shortCopy(column), value: shortCopy(value) });
  }

  /** Notes a value that is left out: it is no reason against its line. */
  leaveOut(field: string, line: number, problem: ImportProblem): void {
    const lines = this.leftOutLines.get(field) ?? [];
    this.leftOutLines.set(field, lines);
    lines.push(line);
    if (this.leftOut.length < MAX_PROBLEMS) this.leftOut.push({ ...problem, line, value: shortCopy(problem.value) });
  }

  note(problem: ImportProblem): void {
    this.notesTotal++;
    if (this.notes.length < MAX_PROBLEMS) this.notes.push({ ...problem, value: shortCopy(problem.value) });
  }

  /** Counts problems without details. */
  addUntold(count: number): void {
    this.#count += count;
  }

  /** Returns the error to throw, with problems in the given order of files, then by line. */
  toError(folder: string, fileOrder: readonly string[]): ImportError {
    const place = (problem: ImportProblem) => fileOrder.indexOf(problem.file);
    const problems = this.#kept.toSorted(
      (left, right) => place(left) - place(right) || (left.line ?? 0) - (right.line ?? 0),
    );
    const lines = problems.slice(0, MAX_LISTED).map((problem) => `  ${describe(problem)}`);
    if (this.#count > lines.length) lines.push(`  … and ${this.#count - lines.length} more`);
    const heading = `Nothing was imported from ${printable(folder)}: ${this.#count} ${this.#count === 1 ? 'problem' : 'problems'}.`;
    return new ImportError([heading, ...lines].join('\n'), problems, this.#count);
  }
}

/** Returns a value for a message: quoted, truncated, and without control characters that a terminal would act upon. */
export function quoted(value: string): string {
  const characters = [...value.slice(0, 2 * SHOWN + 2)];
  const shown = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : value;
  return printable(JSON.stringify(shown));
}

/** Copies a truncated text, as a slice would keep the whole text in memory. */
function shortCopy(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const copy = Buffer.from(text.slice(0, MAX_VALUE)).toString();
  return text.length > MAX_VALUE ? `${copy}…` : copy;
}

/** Returns the sentence for a problem. */
export function describe({ file, line, column, reason }: ImportProblem): string {
  const place = line === undefined ? printable(file) : `${file}:${line}`;
  if (column === undefined) return `${place}: ${reason}`;
  return `${place}: ${/^\w{1,30}$/.test(column) ? column : quoted(column)}: ${reason}`;
}

/** A check of the staged rows. */
export interface Check {
  entity: Entity;
  /** Column to blame; undefined where it is no single one. */
  column: string | undefined;
  /** Selects the faulty rows as {@link Finding}s. */
  found: Sql;
  reason: (finding: Finding) => string;
  /** Whether the findings are values taken by somebody of whom nothing may be disclosed: only a few are reported. */
  isTaken?: boolean;
  /** Whether the findings are notes, not problems. */
  isNote?: true;
}

/** Maximum of taken values reported: thousands of addresses must not be probed by requests that write nothing. */
const MAX_TAKEN = 10;

/** A faulty row. */
export interface Finding {
  line: number;
  value: string;
  /** Further detail for the reason: another line, the id of another row, a number. */
  other: string;
}

/** Runs a check, and adds its findings to the problems. */
export async function runCheck(db: Reader, problems: ProblemList, check: Check): Promise<void> {
  const { entity, column, found, reason, isTaken = false, isNote } = check;
  const findings = await db.query<Finding & { total: number }>(sql`
    with found as materialized (${found})
    select line, value, other, (select count(*)::integer from found) as total
    from found order by line limit ${isTaken ? MAX_TAKEN : MAX_PROBLEMS}::integer`);
  for (const finding of findings) {
    const { line, value } = finding;
    const problem = { file: entity.file, line, column, value: value ?? undefined, reason: reason(finding) };
    if (isNote) problems.note(problem);
    else problems.add(problem);
  }
  const total = findings[0]?.total ?? 0;
  if (isNote) return;
  problems.addUntold(total - findings.length);
  if (isTaken) problems.taken += total;
}

/** Returns the field of a key to blame for a duplicate. */
export function lastField({ fields }: Key): string {
  return fields.at(-1) ?? '';
}

/** Joins names for a message: `policyId and level`. */
export function namesOf(names: readonly string[], word = 'and'): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(` ${word} `);
}
