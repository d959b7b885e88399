import type { NumberLists } from '../number-lists.ts';

/** Separates texts. The only white space in a folded text is single spaces. */
export const TEXT_SEPARATOR = '\n';
export const SEPARATOR = TEXT_SEPARATOR.charCodeAt(0);

/** The n-grams of one length, and the ranks of the texts that contain each. */
export interface NgramPostings extends NumberLists {
  /** The concatenated n-grams; the n-gram at index n has list n. */
  ngrams: string;
  /** How many texts of each list begin with the n-gram; these come first. */
  prefixCounts: Uint32Array<ArrayBuffer>;
}

/**
 * Lists the texts that contain each n-gram of one to `longest` code units without a separator.
 *
 * @param units the texts in search order
 * @param starts start of each text in `units`, and the end
 */
export function listPostings(units: Uint16Array, starts: Uint32Array, longest: number): NgramPostings[] {
  // Number of the n-gram that begins at each position, one code unit longer in every round; 0: none.
  const numbers = new Uint32Array(units.length).fill(1);
  const letters = lettersOf(units);
  let count = 1;
  return Array.from({ length: longest }, (_, shorter) => {
    const ngrams = lengthen(numbers, units, letters, shorter + 1, count);
    count = ngrams.length;
    return { ngrams: ngrams.join(''), ...listTexts(numbers, count + 1, starts) };
  });
}

/**
 * Numbers the n-grams of that length.
 *
 * @param numbers of the n-grams one code unit shorter; replaced by the new ones
 * @param count number of shorter n-grams
 * @returns the n-grams of the numbers 1, 2, 3 …
 */
function lengthen(numbers: Uint32Array, units: Uint16Array, letters: Letters, length: number, count: number): string[] {
  const numberOf = numberTable((count + 1) * letters.count);
  const ngrams: string[] = [];
  for (let position = 0; position < units.length; position++) {
    const shorter = numbers[position] ?? 0;
    const unit = units[position + length - 1] ?? SEPARATOR;
    if (shorter === 0 || unit === SEPARATOR) {
      numbers[position] = 0;
      continue;
    }
    const key = shorter * letters.count + (letters.numbers[unit] ?? 0);
    let number = numberOf.get(key);
    if (number === 0) {
      number = ngrams.push(String.fromCharCode(...units.subarray(position, position + length)));
      numberOf.set(key, number);
    }
    numbers[position] = number;
  }
  return ngrams;
}

/** The code units that occur. */
interface Letters {
  /** Number of each code unit, from 1. */
  numbers: Uint16Array;
  /** One more than the largest number. */
  count: number;
}

function lettersOf(units: Uint16Array): Letters {
  const numbers = new Uint16Array(0x10000);
  let count = 0;
  for (let position = 0; position < units.length; position++) {
    const unit = units[position] ?? 0;
    if (numbers[unit] === 0) numbers[unit] = ++count;
  }
  return { numbers, count: count + 1 };
}

/** Maximum entries of a table, which is five times as fast as a map. */
const MAX_TABLE = 2 ** 22;

/** Returns a map from keys below `keys` to numbers; 0 if not set. */
function numberTable(keys: number): { get(key: number): number; set(key: number, number: number): void } {
  if (keys > MAX_TABLE) {
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

/** Lists the texts of each n-gram without duplicates: those that begin with it, then the others. */
function listTexts(numbers: Uint32Array, count: number, starts: Uint32Array): Omit<NgramPostings, 'ngrams'> {
  const textCount = starts.length - 1;
  const sizes = new Uint32Array(count);
  const prefixCounts = new Uint32Array(count);
  // The last text in which each n-gram was found, plus one.
  const met = new Uint32Array(count);
  for (let text = 0; text < textCount; text++) {
    const start = starts[text] ?? 0;
    const end = starts[text + 1] ?? 0;
    const first = numbers[start] ?? 0;
    prefixCounts[first] = (prefixCounts[first] ?? 0) + 1;
    for (let position = start; position < end; position++) {
      const number = numbers[position] ?? 0;
      if (met[number] === text + 1) continue;
      met[number] = text + 1;
      sizes[number] = (sizes[number] ?? 0) + 1;
    }
  }
  // Number 0 stands for no n-gram.
  sizes[0] = 0;
  const begins = new Uint32Array(count + 1);
  for (let number = 0; number < count; number++) begins[number + 1] = (begins[number] ?? 0) + (sizes[number] ?? 0);
  const listed = new Uint32Array(begins[count] ?? 0);
  const nextPrefix = begins.slice();
  const nextOther = begins.map((begin, number) => begin + (prefixCounts[number] ?? 0));
  met.fill(0);
  for (let text = 0; text < textCount; text++) {
    const start = starts[text] ?? 0;
    const end = starts[text + 1] ?? 0;
    const first = numbers[start] ?? 0;
    if (first !== 0) {
      listed[nextPrefix[first] ?? 0] = text;
      nextPrefix[first] = (nextPrefix[first] ?? 0) + 1;
      met[first] = text + 1;
    }
    for (let position = start; position < end; position++) {
      const number = numbers[position] ?? 0;
      if (number === 0 || met[number] === text + 1) continue;
      met[number] = text + 1;
      listed[nextOther[number] ?? 0] = text;
      nextOther[number] = (nextOther[number] ?? 0) + 1;
    }
  }
  // N-gram number n has list n - 1, as 0 has none.
  return { numbers: listed, starts: begins.slice(1), prefixCounts: prefixCounts.slice(1) };
}
