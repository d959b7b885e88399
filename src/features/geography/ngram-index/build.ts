import { listPostings, type NgramPostings, SEPARATOR } from './postings.ts';

/** Maximum n-gram length in code units with postings; longer needles are looked up in the texts themselves. */
export const MAX_NGRAM = 3;

/** An n-gram index of many short texts; typed arrays and strings only, to be transferred between threads. */
export interface NgramIndexParts {
  /** The texts in search order, each followed by a separator. */
  units: Uint16Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  /** Of n-grams of one, two and three code units. */
  postings: NgramPostings[];
}

/**
 * Indexes many short texts by their n-grams.
 *
 * @param texts folded, in search order; one may hold several, separated by `TEXT_SEPARATOR`; only the start of the first is a prefix
 */
export function buildNgramIndex(texts: readonly string[]): NgramIndexParts {
  const starts = new Uint32Array(texts.length + 1);
  let end = 0;
  for (let rank = 0; rank < texts.length; rank++) {
    end += (texts[rank]?.length ?? 0) + 1;
    starts[rank + 1] = end;
  }
  const units = new Uint16Array(end);
  let at = 0;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++) units[at++] = text.charCodeAt(index);
    units[at++] = SEPARATOR;
  }
  return { units, starts, postings: listPostings(units, starts, MAX_NGRAM) };
}
