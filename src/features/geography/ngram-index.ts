import {
  firstIndex,
  NONE,
  type RankFilter,
  shorter,
  sortedUnion,
  startsOf,
  textAt,
  writeTexts,
} from './number-lists.ts';

/** Separates texts. The only white space in a folded text is single spaces. */
export const TEXT_SEPARATOR = '\n';
/** Maximum n-gram length in code units with postings; longer needles are looked up in the texts themselves. */
const MAX_NGRAM = 3;

/** Number of code units: the base in which a {@link unitsKey} counts. */
export const UNITS = 2 ** 16;

/** Returns the first three code units of a text as one number. */
export function unitsKey(text: string): number {
  return ((text.charCodeAt(0) || 0) * UNITS + (text.charCodeAt(1) || 0)) * UNITS + (text.charCodeAt(2) || 0);
}

/** An n-gram index of many short texts in search order. */
export type NgramIndexParts = ReturnType<typeof buildNgramIndex>;

/**
 * Indexes many short texts by their n-grams.
 *
 * @param texts folded, in search order; one may hold several, separated by {@link TEXT_SEPARATOR}; only the start of the first is a prefix
 */
export function buildNgramIndex(texts: readonly string[]) {
  const lists = new Map<number, { prefix: number[]; inside: number[]; last: number }>();
  for (const [rank, text] of texts.entries()) {
    for (let at = 0; at < text.length; at++) {
      for (let length = 1; length <= MAX_NGRAM && at + length <= text.length; length++) {
        const ngram = text.slice(at, at + length);
        if (ngram.endsWith(TEXT_SEPARATOR)) break;
        const key = unitsKey(ngram);
        const list = lists.get(key) ?? { prefix: [], inside: [], last: -1 };
        lists.set(key, list);
        if (list.last === rank) continue;
        list.last = rank;
        (at === 0 ? list.prefix : list.inside).push(rank);
      }
    }
  }
  const all = [...lists].sort(([one], [other]) => one - other);
  return {
    ...writeTexts(texts),
    /** The {@link unitsKey} of each n-gram of one, two and three code units, ascending. */
    keys: Float64Array.from(all, ([key]) => key),
    /** How many texts of each list begin with the n-gram; these come first. */
    prefixCounts: Uint32Array.from(all, ([, { prefix }]) => prefix.length),
    /** The ranks of the texts that contain each n-gram, and where those of each begin. */
    postings: Uint32Array.from(all.flatMap(([, { prefix, inside }]) => [...prefix, ...inside])),
    postingStarts: startsOf(all.map(([, { prefix, inside }]) => prefix.length + inside.length)),
  };
}

/** The texts that contain a needle, by rank (index in search order): those that begin with it, then the others, each part ascending. */
export interface NgramHits {
  /** Read-only. */
  ranks: Uint32Array;
  /** How many of them begin with the needle. */
  prefixCount: number;
}

/** Searching one text for a needle costs as much as comparing so many ids, or as checking so many ranks against a list. */
const [IDS_FOR_A_TEXT, RANKS_FOR_A_TEXT] = [16, 8];
/** Number of texts that are few enough to search. */
const FEW_TEXTS = 64;

const EMPTY: NgramHits = { ranks: NONE, prefixCount: 0 };

/** Opens an index. The hits of a short needle are precomputed; a longer one is searched for in the texts that have its rarest n-gram. */
export function openNgramIndex(parts: NgramIndexParts) {
  const { units, starts, keys, postings, postingStarts, prefixCounts } = parts;
  /** One flag per rank; all clear between searches. */
  const isMarked = new Uint8Array(starts.length - 1);

  function postingsOf(ngram: string): NgramHits {
    const key = unitsKey(ngram);
    const index = firstIndex(keys.length, (at) => (keys[at] ?? 0) < key);
    if (keys[index] !== key) return EMPTY;
    const ranks = postings.subarray(postingStarts[index], postingStarts[index + 1]);
    return { ranks, prefixCount: prefixCounts[index] ?? 0 };
  }

  /**
   * Returns a superset of the hits, ascending: texts with the rarest n-gram, and further ones while intersecting is cheaper than searching
   * the texts.
   *
   * @param few number of ranks that is small enough to stop
   */
  function candidates(needle: string, few: number): Uint32Array {
    const lists: NgramHits[] = [];
    for (let start = 0; start + MAX_NGRAM <= needle.length; start++) {
      lists.push(postingsOf(needle.slice(start, start + MAX_NGRAM)));
    }
    lists.sort((one, other) => one.ranks.length - other.ranks.length);
    let [left = EMPTY] = lists;
    for (const next of lists.slice(1)) {
      if (left.ranks.length <= few || next.ranks.length > left.ranks.length * RANKS_FOR_A_TEXT) break;
      left = intersection(left.ranks, next);
    }
    return sortedUnion(left.ranks.subarray(0, left.prefixCount), left.ranks.subarray(left.prefixCount));
  }

  /** Returns the entries of a list that are among some ranks. */
  function intersection(some: Uint32Array, { ranks, prefixCount }: NgramHits): NgramHits {
    for (let index = 0; index < some.length; index++) isMarked[some[index] ?? 0] = 1;
    const both = new Uint32Array(some.length);
    let [count, prefixes] = [0, 0];
    for (let index = 0; index < ranks.length; index++) {
      if (index === prefixCount) prefixes = count;
      const rank = ranks[index] ?? 0;
      if (isMarked[rank] === 1) both[count++] = rank;
    }
    for (let index = 0; index < some.length; index++) isMarked[some[index] ?? 0] = 0;
    return { ranks: both.subarray(0, count), prefixCount: prefixCount < ranks.length ? prefixes : count };
  }

  /** Returns the position of a needle in the texts of a rank; -1 if it is not there. */
  function positionIn(rank: number, needle: string): number {
    const first = needle.charCodeAt(0);
    const begin = starts[rank] ?? 0;
    const last = (starts[rank + 1] ?? 0) - needle.length;
    for (let start = begin; start <= last; start++) {
      if (units[start] !== first) continue;
      let index = 1;
      while (index < needle.length && units[start + index] === needle.charCodeAt(index)) index++;
      if (index === needle.length) return start - begin;
    }
    return -1;
  }

  /** Returns the ranks of texts that contain the needle. */
  function sortHits(ranks: Uint32Array, needle: string): NgramHits {
    const hits = new Uint32Array(ranks.length);
    const inside = new Uint32Array(ranks.length);
    let [prefixCount, insideCount] = [0, 0];
    for (let index = 0; index < ranks.length; index++) {
      const rank = ranks[index] ?? 0;
      const position = positionIn(rank, needle);
      if (position === 0) hits[prefixCount++] = rank;
      else if (position > 0) inside[insideCount++] = rank;
    }
    hits.set(inside.subarray(0, insideCount), prefixCount);
    return { ranks: hits.subarray(0, prefixCount + insideCount), prefixCount };
  }

  /** Whether the unfiltered hits of a needle are precomputed. */
  const isReady = (needle: string) => needle.length <= MAX_NGRAM;

  return {
    isReady,
    /** Returns the texts at a rank. */
    texts: (rank: number) => textAt(parts, rank).split(TEXT_SEPARATOR),
    /** Finds texts by a substring. @param needle folded, not empty */
    find(needle: string, filter?: RankFilter): NgramHits {
      if (!isReady(needle)) {
        const ranks = candidates(needle, filter ? filter.ranks.length : FEW_TEXTS);
        return sortHits(filter ? filter.narrow(shorter(filter.ranks, ranks)) : ranks, needle);
      }
      const ready = postingsOf(needle);
      if (filter === undefined) return ready;
      if (ready.ranks.length >= filter.ranks.length * IDS_FOR_A_TEXT) {
        return sortHits(filter.narrow(filter.ranks), needle);
      }
      // Narrowing keeps the order, and so those that begin with the needle in front.
      const prefixCount = filter.narrow(ready.ranks.subarray(0, ready.prefixCount)).length;
      return { ranks: filter.narrow(ready.ranks), prefixCount };
    },
  };
}
