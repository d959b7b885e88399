import { joinLists, type NumberLists, type WrittenTexts, writeTexts } from '../number-lists.ts';

/** Separates texts. The only white space in a folded text is single spaces. */
export const TEXT_SEPARATOR = '\n';
/** Maximum n-gram length in code units with postings; longer needles are looked up in the texts themselves. */
export const MAX_NGRAM = 3;

/** An n-gram index of many short texts in search order, each followed by a separator. */
export interface NgramIndexParts extends WrittenTexts {
  /** The {@link unitsKey} of each n-gram of one, two and three code units, ascending. */
  keys: Float64Array<ArrayBuffer>;
  /** The ranks of the texts that contain each n-gram. */
  postings: NumberLists;
  /** How many texts of each list begin with the n-gram; these come first. */
  prefixCounts: Uint32Array<ArrayBuffer>;
}

/** Number of code units: the base in which a {@link unitsKey} counts. */
export const UNITS = 2 ** 16;

/** Returns the first three code units of a text as one number. */
export function unitsKey(text: string): number {
  return ((text.charCodeAt(0) || 0) * UNITS + (text.charCodeAt(1) || 0)) * UNITS + (text.charCodeAt(2) || 0);
}

/**
 * Indexes many short texts by their n-grams.
 *
 * @param texts folded, in search order; one may hold several, separated by {@link TEXT_SEPARATOR}; only the start of the first is a prefix
 */
export function buildNgramIndex(texts: readonly string[]): NgramIndexParts {
  const lists = new Map<number, { prefix: number[]; inside: number[]; last: number }>();
  for (const [rank, text] of texts.entries()) {
    for (let at = 0; at < text.length; at++) {
      for (let length = 1; length <= MAX_NGRAM && at + length <= text.length; length++) {
        const ngram = text.slice(at, at + length);
        if (ngram.endsWith(TEXT_SEPARATOR)) break;
        const key = unitsKey(ngram);
        let list = lists.get(key);
        if (list === undefined) {
          list = { prefix: [], inside: [], last: -1 };
          lists.set(key, list);
        }
        if (list.last === rank) continue;
        list.last = rank;
        (at === 0 ? list.prefix : list.inside).push(rank);
      }
    }
  }
  const all = [...lists].sort(([one], [other]) => one - other);
  return {
    ...writeTexts(texts.map((text) => text + TEXT_SEPARATOR)),
    keys: Float64Array.from(all, ([key]) => key),
    prefixCounts: Uint32Array.from(all, ([, { prefix }]) => prefix.length),
    postings: joinLists(all.map(([, { prefix, inside }]) => [...prefix, ...inside])),
  };
}
