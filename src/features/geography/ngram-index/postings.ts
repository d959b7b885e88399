import type { RowLists } from '../row-lists.ts';

/** Parts texts. A folded text holds no white space but single spaces. */
export const TEXT_SEPARATOR = '\n';
export const SEPARATOR = TEXT_SEPARATOR.charCodeAt(0);

/** For the runs of one length: which there are, and the rows that hold each. */
export interface GramLists extends RowLists {
  /** The runs, each of the same length, one behind the other. That at place n has the list number n. */
  grams: string;
  /** How many of each list's rows begin with the run: they come first. */
  beginners: Uint32Array<ArrayBuffer>;
}

/**
 * Lists the rows that hold each run of one to so many code units which has no separator in it.
 *
 * @param units the texts of all rows, in the order in which the lists are to have them
 * @param starts where each of them begins in `units`, and the end
 * @param order the row of each
 */
export function listGrams(units: Uint16Array, starts: Uint32Array, order: Uint32Array, longest: number): GramLists[] {
  // The number of the run that begins at each place, one code unit longer with every turn; 0: there is none.
  const runs = new Uint32Array(units.length).fill(1);
  const letters = lettersOf(units);
  let count = 1;
  return Array.from({ length: longest }, (_, shorter) => {
    const grams = lengthen(runs, units, letters, shorter + 1, count);
    count = grams.length;
    return { grams: grams.join(''), ...listRuns(runs, count + 1, starts, order) };
  });
}

/**
 * Numbers the runs of that length.
 *
 * @param runs the numbers of the runs that are a code unit shorter; these become the others
 * @param count how many shorter runs there are
 * @returns the runs of the numbers 1, 2, 3 …
 */
function lengthen(runs: Uint32Array, units: Uint16Array, letters: Letters, length: number, count: number): string[] {
  const numbers = numbersOf((count + 1) * letters.count);
  const grams: string[] = [];
  for (let place = 0; place < units.length; place++) {
    const shorter = runs[place] ?? 0;
    const unit = units[place + length - 1] ?? SEPARATOR;
    if (shorter === 0 || unit === SEPARATOR) {
      runs[place] = 0;
      continue;
    }
    const key = shorter * letters.count + (letters.numbers[unit] ?? 0);
    let number = numbers.get(key);
    if (number === 0) {
      number = grams.push(String.fromCharCode(...units.subarray(place, place + length)));
      numbers.set(key, number);
    }
    runs[place] = number;
  }
  return grams;
}

/** The code units that occur. */
interface Letters {
  /** Of each, from 1. */
  numbers: Uint16Array;
  /** More than any of them. */
  count: number;
}

function lettersOf(units: Uint16Array): Letters {
  const numbers = new Uint16Array(0x10000);
  let count = 0;
  for (let place = 0; place < units.length; place++) {
    const unit = units[place] ?? 0;
    if (numbers[unit] === 0) numbers[unit] = ++count;
  }
  return { numbers, count: count + 1 };
}

/** Entries of a table that is five times as fast as a map, at most. */
const TABLE = 2 ** 22;

/** Numbers by keys below `keys`; 0 where none has been set. */
function numbersOf(keys: number): { get(key: number): number; set(key: number, number: number): void } {
  if (keys > TABLE) {
    const map = new Map<number, number>();
    return { get: (key) => map.get(key) ?? 0, set: (key, number) => map.set(key, number) };
  }
  const table = new Uint32Array(keys);
  return {
    get: (key) => table[key] ?? 0,
    set(key, number) {
      table[key] = number;
    },
  };
}

/** Lists the rows of each run, each row once: those whose text begins with it, then the others. */
function listRuns(runs: Uint32Array, count: number, starts: Uint32Array, order: Uint32Array): Omit<GramLists, 'grams'> {
  const sizes = new Uint32Array(count);
  const beginners = new Uint32Array(count);
  // The text that a run was met in last, plus one.
  const met = new Uint32Array(count);
  for (let text = 0; text < order.length; text++) {
    const start = starts[text] ?? 0;
    const end = starts[text + 1] ?? 0;
    const first = runs[start] ?? 0;
    beginners[first] = (beginners[first] ?? 0) + 1;
    for (let place = start; place < end; place++) {
      const run = runs[place] ?? 0;
      if (met[run] === text + 1) continue;
      met[run] = text + 1;
      sizes[run] = (sizes[run] ?? 0) + 1;
    }
  }
  // Number 0 is no run.
  sizes[0] = 0;
  const begins = new Uint32Array(count + 1);
  for (let run = 0; run < count; run++) begins[run + 1] = (begins[run] ?? 0) + (sizes[run] ?? 0);
  const rows = new Uint32Array(begins[count] ?? 0);
  const nextBeginner = begins.slice();
  const nextOther = begins.map((begin, run) => begin + (beginners[run] ?? 0));
  met.fill(0);
  for (let text = 0; text < order.length; text++) {
    const start = starts[text] ?? 0;
    const end = starts[text + 1] ?? 0;
    const row = order[text] ?? 0;
    const first = runs[start] ?? 0;
    if (first !== 0) {
      rows[nextBeginner[first] ?? 0] = row;
      nextBeginner[first] = (nextBeginner[first] ?? 0) + 1;
      met[first] = text + 1;
    }
    for (let place = start; place < end; place++) {
      const run = runs[place] ?? 0;
      if (run === 0 || met[run] === text + 1) continue;
      met[run] = text + 1;
      rows[nextOther[run] ?? 0] = row;
      nextOther[run] = (nextOther[run] ?? 0) + 1;
    }
  }
  // The list of run n is number n - 1: no run has no list.
  return { rows, starts: begins.slice(1), beginners: beginners.slice(1) };
}
