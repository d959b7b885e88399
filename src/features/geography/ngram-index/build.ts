import { joinLists, type NumberLists, type WrittenTexts, writeTexts } from '../number-lists.ts';

/** Separates texts. The only white space in a folded text is single spaces. */
export const TEXT_SEPARATOR = '\n';
/** Maximum n-gram length in code units with postings; longer needles are looked up in the texts themselves. */
export const MAX_NGRAM = 3;

/** The n-grams of one length, and the ranks of the texts that contain each. */
export interface NgramPostings extends NumberLists {
  /** The concatenated n-grams; the n-gram at index n has list n. */
  ngrams: string;
  /** How many texts of each list begin with the n-gram; these come first. */
  prefixCounts: Uint32Array<ArrayBuffer>;
}

/** An n-gram index of many short texts in search order, each followed by a separator. */
export interface NgramIndexParts extends WrittenTexts {
  /** Of n-grams of one, two and three code units. */
  postings: NgramPostings[];
}

/**
 * Indexes many short texts by their n-grams.
 *
 * @param texts folded, in search order; one may hold several, separated by {@link TEXT_SEPARATOR}; only the start of the first is a prefix
 */
export function buildNgramIndex(texts: readonly string[]): NgramIndexParts {
  const postings = Array.from({ length: MAX_NGRAM }, (_, shorter) => listPostings(texts, shorter + 1));
  return { ...writeTexts(texts.map((text) => text + TEXT_SEPARATOR)), postings };
}

function listPostings(texts: readonly string[], length: number): NgramPostings {
  const lists = new Map<string, { prefix: number[]; inside: number[]; last: number }>();
  for (const [rank, text] of texts.entries()) {
    for (let at = 0; at + length <= text.length; at++) {
      const ngram = text.slice(at, at + length);
      let list = lists.get(ngram);
      if (list === undefined) {
        if (ngram.includes(TEXT_SEPARATOR)) continue;
        list = { prefix: [], inside: [], last: -1 };
        lists.set(ngram, list);
      }
      if (list.last === rank) continue;
      list.last = rank;
      (at === 0 ? list.prefix : list.inside).push(rank);
    }
  }
  const all = [...lists.values()];
  return {
    ngrams: [...lists.keys()].join(''),
    prefixCounts: Uint32Array.from(all, ({ prefix }) => prefix.length),
    ...joinLists(all.map(({ prefix, inside }) => [...prefix, ...inside])),
  };
}
