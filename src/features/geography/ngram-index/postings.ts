import type { NumberLists } from '../number-lists.ts';

/** Parts texts. A folded text holds no white space but single spaces. */
export const TEXT_SEPARATOR = '\n';
export const SEPARATOR = TEXT_SEPARATOR.charCodeAt(0);

/** The n-grams of one length, and the places of the texts that hold each. */
export interface NgramPostings extends NumberLists {
  /** The n-grams one behind the other. The n-gram at place n has the list number n. */
  ngrams: string;
  /** How many texts of each list begin with the n-gram: they come first. */
  prefixCounts: Uint32Array<ArrayBuffer>;
}

/**
 * Lists the texts that hold each n-gram of one to `longest` code units without a separator.
 *
 * @param units the texts in search order
 * @param starts where each of them begins in `units`, and the end
 */
export function listPostings(units: Uint16Array, starts: Uint32Array, longest: number): NgramPostings[] {
  // The number of the n-gram that begins at each place, one code unit longer with every turn; 0: there is none.
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
 * @param numbers those of the n-grams that are a code unit shorter; they become the others
 * @param count how many shorter n-grams there are
 * @returns the n-grams of the numbers 1, 2, 3 …
 */
function lengthen(numbers: Uint32Array, units: Uint16Array, letters: Letters, length: number, count: number): string[] {
  const numberOf = numberTable((count + 1) * letters.count);
  const ngrams: string[] = [];
  for (let place = 0; place < units.length; place++) {
    const shorter = numbers[place] ?? 0;
    const unit = units[place + length - 1] ?? SEPARATOR;
    if (shorter === 0 || unit === SEPARATOR) {
      numbers[place] = 0;
      continue;
    }
    const key = shorter * letters.count + (letters.numbers[unit] ?? 0);
    let number = numberOf.get(key);
    if (number === 0) {
      number = ngrams.push(String.fromCharCode(...units.subarray(place, place + length)));
      numberOf.set(key, number);
    }
    numbers[place] = number;
  }
  return ngrams;
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
const MAX_TABLE = 2 ** 22;

/** Numbers by keys below `keys`; 0 where none has been set. */
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

/** Lists the texts of each n-gram, each once: those that begin with it, then the others. */
function listTexts(numbers: Uint32Array, count: number, starts: Uint32Array): Omit<NgramPostings, 'ngrams'> {
  const textCount = starts.length - 1;
  const sizes = new Uint32Array(count);
  const prefixCounts = new Uint32Array(count);
  // The text that an n-gram was met in last, plus one.
  const met = new Uint32Array(count);
  for (let text = 0; text < textCount; text++) {
    const start = starts[text] ?? 0;
    const end = starts[text + 1] ?? 0;
    const first = numbers[start] ?? 0;
    prefixCounts[first] = (prefixCounts[first] ?? 0) + 1;
    for (let place = start; place < end; place++) {
      const number = numbers[place] ?? 0;
      if (met[number] === text + 1) continue;
      met[number] = text + 1;
      sizes[number] = (sizes[number] ?? 0) + 1;
    }
  }
  // Number 0 is no n-gram.
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
    for (let place = start; place < end; place++) {
      const number = numbers[place] ?? 0;
      if (number === 0 || met[number] === text + 1) continue;
      met[number] = text + 1;
      listed[nextOther[number] ?? 0] = text;
      nextOther[number] = (nextOther[number] ?? 0) + 1;
    }
  }
  // The list of the n-gram of number n is number n - 1: 0 has none.
  return { numbers: listed, starts: begins.slice(1), prefixCounts: prefixCounts.slice(1) };
}
