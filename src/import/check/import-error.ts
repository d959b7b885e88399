import { UserError } from '../../lib/errors.ts';
import { printable } from '../../lib/printable.ts';

/** One thing that is wrong with a folder. */
export interface ImportProblem {
  /** The file's name, without the folder. */
  file: string;
  /** The first line of the record, counted from 1; undefined where the file as a whole is to blame. */
  line: number | undefined;
  /** The column as the header names it; undefined where no single cell is to blame. */
  column: string | undefined;
  /** The cell's text, trimmed, of a long one the beginning. */
  value: string | undefined;
  /** For people: what is wrong, with the value shortened, and what is expected or to be done. */
  reason: string;
}

/** How many problems a message lists. */
const MAX_LISTED = 20;
/** How many problems are kept in memory and reported: a file of a million rows may have a million of them. */
export const MAX_PROBLEMS = 10_000;
/** How many characters of a cell are kept, a column's name too. It may have a million. */
const MAX_VALUE = 1000;
/** How many characters of a value a reason repeats. */
const SHOWN = 60;

/** A folder that was not imported: nothing of it is in the database. */
export class ImportError extends UserError {
  /** In the order of the files and lines; ten thousand of them where there are more. */
  readonly problems: readonly ImportProblem[];
  /** How many problems there are in all. */
  readonly total: number;

  constructor(message: string, problems: readonly ImportProblem[] = [], total = problems.length, cause?: unknown) {
    super(message, { cause });
    this.problems = problems;
    this.total = total;
  }
}

/** Collects what is wrong, so that a person can put all of it right at once. */
export class ProblemList {
  #count = 0;
  /** Whether rows are missing that could not be read, or more is wrong than is told: references to rows cannot be judged. */
  incomplete = false;
  /** How many values there are that somebody else has, of whom nothing may be told. */
  taken = 0;
  readonly #kept: ImportProblem[] = [];

  get count(): number {
    return this.#count;
  }

  /** How many problems are counted alone. */
  get untold(): number {
    return this.#count - this.#kept.length;
  }

  /** Those that are told, by their lines. */
  get told(): ImportProblem[] {
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

  /** Counts problems of which no more is known. */
  addUntold(count: number): void {
    this.#count += count;
  }

  /** The error to throw. Files come in the order given, then lines. */
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

/** A value as a message shows it: quoted, cut to a length, with nothing in it that a terminal would act upon. */
export function quoted(value: string): string {
  const characters = [...value.slice(0, 2 * SHOWN + 2)];
  const shown = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : value;
  return printable(JSON.stringify(shown));
}

/** A copy: a part of a text keeps the whole of it in memory. */
function shortCopy(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const copy = Buffer.from(text.slice(0, MAX_VALUE)).toString();
  return text.length > MAX_VALUE ? `${copy}…` : copy;
}

function describe({ file, line, column, reason }: ImportProblem): string {
  const place = line === undefined ? printable(file) : `${file}:${line}`;
  if (column === undefined) return `${place}: ${reason}`;
  return `${place}: ${/^\w{1,30}$/.test(column) ? column : quoted(column)}: ${reason}`;
}
