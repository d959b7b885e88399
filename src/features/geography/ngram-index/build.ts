import { listPostings, type NgramPostings, SEPARATOR } from './postings.ts';

/** N-grams of up to so many code units have their postings ready; the texts themselves tell whether a longer needle is in them. */
export const MAX_NGRAM = 3;

/** An n-gram index of many short texts: numbers and letters alone, to be handed from one thread to another. */
export interface NgramIndexParts {
  /** The rows in search order. */
  order: Uint32Array<ArrayBuffer>;
  /** The place of each row in that order. */
  places: Uint32Array<ArrayBuffer>;
  /** The texts in that order, each with a separator behind it. */
  units: Uint16Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  /** Of n-grams of one, two and three code units. */
  postings: NgramPostings[];
}

/**
 * Indexes many short texts by their n-grams.
 *
 * @param texts the folded text of each row; where a row has several, they are parted by `TEXT_SEPARATOR`, and it begins with the first
 * @param order the rows in search order; absent: as they are
 */
export function buildNgramIndex(
  texts: readonly string[],
  order: Uint32Array<ArrayBuffer> = Uint32Array.from(texts.keys()),
): NgramIndexParts {
  const starts = new Uint32Array(texts.length + 1);
  const places = new Uint32Array(texts.length);
  let end = 0;
  for (let place = 0; place < order.length; place++) {
    const row = order[place] ?? 0;
    places[row] = place;
    end += (texts[row]?.length ?? 0) + 1;
    starts[place + 1] = end;
  }
  const units = new Uint16Array(end);
  let at = 0;
  for (const row of order) {
    const text = texts[row] ?? '';
    for (let index = 0; index < text.length; index++) units[at++] = text.charCodeAt(index);
    units[at++] = SEPARATOR;
  }
  return { order, places, units, starts, postings: listPostings(units, starts, order, MAX_NGRAM) };
}
