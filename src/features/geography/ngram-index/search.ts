import { type GramLists, listGrams, SEPARATOR } from './postings.ts';

/** Needles of up to so many code units have a list of their rows ready; longer ones are looked for in texts. */
const GRAM = 3;

/** Where a needle stands in a row's text: nowhere, at its beginning, or further on. */
export const [NOWHERE, FIRST] = [-1, 0];

/** Finds the rows (0, 1, 2 …) whose folded text contains a folded needle that is not empty. */
export interface TextSearch {
  /** All rows, in the order in which answers have those that the needle stands in at the same place. */
  readonly order: Uint32Array;
  /** The hits as answers have them, where they are ready. To be read, not written. */
  exact(needle: string): Uint32Array | undefined;
  /** Which of two rows comes first in that order. */
  compare(one: number, other: number): number;
  /** Rows with every hit among them, in {@link order}. To be read, not written. */
  candidates(needle: string): Uint32Array;
  /** What a hit is put in order by before all else, 0 the foremost; {@link NOWHERE}: it is none. */
  placeIn(row: number, needle: string): number;
}

/** An index of many short texts: numbers and letters alone, to be handed from one thread to another. */
export interface IndexedNames {
  order: Uint32Array<ArrayBuffer>;
  /** The place of each row in that order. */
  placeOf: Uint32Array<ArrayBuffer>;
  /** The texts in that order, each with a separator behind it. */
  units: Uint16Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  /** Of one, two and three code units. */
  grams: GramLists[];
}

/**
 * Indexes many short texts: for each run of one, two and three code units, the rows that hold it, those that begin with it first.
 *
 * @param texts the folded text of each row; where a row has several, they are parted by `TEXT_SEPARATOR`, and it begins with the first
 * @param order the rows as answers are to have them; absent: as they are
 */
export function indexNames(
  texts: readonly string[],
  order: Uint32Array<ArrayBuffer> = Uint32Array.from(texts.keys()),
): IndexedNames {
  const starts = new Uint32Array(texts.length + 1);
  const placeOf = new Uint32Array(texts.length);
  let end = 0;
  for (const [place, row] of order.entries()) {
    placeOf[row] = place;
    end += (texts[row]?.length ?? 0) + 1;
    starts[place + 1] = end;
  }
  const units = new Uint16Array(end);
  let place = 0;
  for (const row of order) {
    const text = texts[row] ?? '';
    for (let index = 0; index < text.length; index++) units[place++] = text.charCodeAt(index);
    units[place++] = SEPARATOR;
  }
  return { order, placeOf, units, starts, grams: listGrams(units, starts, order, GRAM) };
}

/** A list of rows, and how many of them begin with what it is the list of. */
interface Holders {
  rows: Uint32Array;
  beginners: number;
}

const NOBODY: Holders = { rows: new Uint32Array(0), beginners: 0 };

/** Searches an index. A long needle is looked for only in the rows of its rarest three code units. */
export function openNameSearch({ order, placeOf, units, starts, grams }: IndexedNames): TextSearch {
  const numbers = new Map<string, number>();
  for (const [index, { grams: runs }] of grams.entries()) {
    const length = index + 1;
    for (let at = 0; at < runs.length; at += length) numbers.set(runs.slice(at, at + length), at / length);
  }

  const compare = (one: number, other: number) => (placeOf[one] ?? 0) - (placeOf[other] ?? 0);

  function holders(gram: string): Holders {
    const [number, lists] = [numbers.get(gram), grams[gram.length - 1]];
    if (number === undefined || lists === undefined) return NOBODY;
    return {
      rows: lists.rows.subarray(lists.starts[number], lists.starts[number + 1]),
      beginners: lists.beginners[number] ?? 0,
    };
  }

  /** Brings the two parts of a list into one order. */
  function merge({ rows, beginners }: Holders): Uint32Array {
    if (beginners === 0 || beginners === rows.length) return rows;
    const merged = new Uint32Array(rows.length);
    let [one, other] = [0, beginners];
    for (let index = 0; index < merged.length; index++) {
      const isOne = other === rows.length || (one < beginners && compare(rows[one] ?? 0, rows[other] ?? 0) < 0);
      merged[index] = rows[isOne ? one++ : other++] ?? 0;
    }
    return merged;
  }

  return {
    order,
    compare,
    exact: (needle) => (needle.length <= GRAM ? holders(needle).rows : undefined),
    candidates(needle) {
      let rarest = holders(needle.slice(0, GRAM));
      for (let start = 1; start + GRAM <= needle.length && rarest.rows.length > 0; start++) {
        const next = holders(needle.slice(start, start + GRAM));
        if (next.rows.length < rarest.rows.length) rarest = next;
      }
      return merge(rarest);
    },
    placeIn(row, needle) {
      const first = needle.charCodeAt(0);
      const place = placeOf[row] ?? 0;
      const begin = starts[place] ?? 0;
      const last = (starts[place + 1] ?? 0) - 1 - needle.length;
      for (let start = begin; start <= last; start++) {
        if (units[start] !== first) continue;
        let index = 1;
        while (index < needle.length && units[start + index] === needle.charCodeAt(index)) index++;
        if (index === needle.length) return start === begin ? FIRST : FIRST + 1;
      }
      return NOWHERE;
    },
  };
}
