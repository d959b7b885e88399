import { listPostings, type NgramPostings, SEPARATOR } from './postings.ts';

/** N-grams of up to so many code units have their postings ready; the texts themselves tell whether a longer needle is in them. */
export const MAX_NGRAM = 3;

/** An n-gram index of many short texts: numbers and letters alone, to be handed from one thread to another. */
export interface NgramIndexParts {
  /** The texts in search order, each with a separator behind it. */
  units: Uint16Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  /** Of n-grams of one, two and three code units. */
  postings: NgramPostings[];
}

/**
 * Indexes many short texts by their n-grams.
 *
 * @param texts folded, in search order; one may be several, parted by `TEXT_SEPARATOR`, and begins with the first
 */
export function buildNgramIndex(texts: readonly string[]): NgramIndexParts {
  const starts = new Uint32Array(texts.length + 1);
  let end = 0;
  for (let place = 0; place < texts.length; place++) {
    end += (texts[place]?.length ?? 0) + 1;
    starts[place + 1] = end;
  }
  const units = new Uint16Array(end);
  let at = 0;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++) units[at++] = text.charCodeAt(index);
    units[at++] = SEPARATOR;
  }
  return { units, starts, postings: listPostings(units, starts, MAX_NGRAM) };
}
