import { rowsByKey } from './row-lists.ts';

/** Needles of up to so many code units have a list of their rows ready; longer ones are looked for in texts. */
const GRAM = 3;

/** Parts texts. A folded text holds no white space but single spaces. */
export const TEXT_SEPARATOR = '\n';
const SEPARATOR = TEXT_SEPARATOR.charCodeAt(0);

/** Finds the rows (0, 1, 2 …) whose folded text contains a folded needle that is not empty. */
export interface TextSearch {
  /** Ascending rows with every hit among them, and nothing else where {@link isExact}. To be read, not written. */
  candidates(needle: string): Uint32Array;
  isExact(needle: string): boolean;
  contains(row: number, needle: string): boolean;
}

/**
 * Indexes many short texts: for each run of one, two and three code units, the rows that hold it.
 * A longer needle is looked for only in the rows of its rarest three.
 *
 * @param texts the folded text of each row; where a row has several, they are parted by {@link TEXT_SEPARATOR}
 */
export function buildNameSearch(texts: readonly string[]): TextSearch {
  const none = new Uint32Array(0);
  const starts = new Uint32Array(texts.length + 1);
  let end = 0;
  let row = 0;
  for (const text of texts) {
    end += text.length + 1;
    starts[++row] = end;
  }
  const units = new Uint16Array(end);
  let place = 0;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++) units[place++] = text.charCodeAt(index);
    units[place++] = SEPARATOR;
  }
  const rowsOfGram = listGrams(units, starts);

  return {
    isExact: (needle) => needle.length <= GRAM,
    candidates(needle) {
      let rarest = rowsOfGram.get(needle.slice(0, GRAM)) ?? none;
      for (let start = 1; start + GRAM <= needle.length && rarest.length > 0; start++) {
        const rows = rowsOfGram.get(needle.slice(start, start + GRAM)) ?? none;
        if (rows.length < rarest.length) rarest = rows;
      }
      return rarest;
    },
    contains(row, needle) {
      const first = needle.charCodeAt(0);
      const last = (starts[row + 1] ?? 0) - 1 - needle.length;
      for (let start = starts[row] ?? 0; start <= last; start++) {
        if (units[start] !== first) continue;
        let index = 1;
        while (index < needle.length && units[start + index] === needle.charCodeAt(index)) index++;
        if (index === needle.length) return true;
      }
      return false;
    },
  };
}

/** The rows of each run of one to {@link GRAM} code units that has no separator in it. */
function listGrams(units: Uint16Array, starts: Uint32Array): Map<string, Uint32Array> {
  const rowOf = new Uint32Array(units.length);
  for (let row = 0; row + 1 < starts.length; row++) rowOf.fill(row, starts[row], starts[row + 1]);

  const lists = new Map<string, Uint32Array>();
  // The number of the run that begins at each place, one code unit longer with every turn; 0: there is none.
  const runs = new Uint32Array(units.length).fill(1);
  for (let length = 1; length <= GRAM; length++) {
    const numbers = new Map<number, number>();
    const grams = [''];
    for (let place = 0; place < units.length; place++) {
      const shorter = runs[place] ?? 0;
      const unit = units[place + length - 1] ?? SEPARATOR;
      if (shorter === 0 || unit === SEPARATOR) {
        runs[place] = 0;
        continue;
      }
      const key = shorter * 0x10000 + unit;
      let number = numbers.get(key);
      if (number === undefined) {
        number = grams.push(String.fromCharCode(...units.subarray(place, place + length))) - 1;
        numbers.set(key, number);
      }
      runs[place] = number;
    }
    for (const [number, rows] of rowsByKey(runs, grams.length, rowOf).entries()) lists.set(grams[number] ?? '', rows);
  }
  return lists;
}
