import { type RowFilter, shorter } from '../row-lists.ts';
import { MAX_NGRAM, type NgramIndexParts } from './build.ts';

/** The rows whose text contains a needle: those whose text begins with it, then the others, each part in search order. */
export interface NgramHits {
  /** To be read, not written. */
  rows: Uint32Array;
  /** How many of them begin with the needle. */
  prefixCount: number;
}

/** Finds rows (0, 1, 2 …) by their folded texts. */
export interface NgramIndex {
  /** All rows in search order. */
  readonly order: Uint32Array;
  /** Which of two rows comes first in search order. */
  compare(one: number, other: number): number;
  /** Whether the hits of a needle are ready, unless they are filtered. */
  isReady(needle: string): boolean;
  /** @param needle folded, not empty */
  find(needle: string, filter?: RowFilter): NgramHits;
}

/** Where in a row's text a needle stands: at its beginning, further on, or nowhere. */
const [PREFIX, INSIDE, NOWHERE] = [0, 1, -1];

/** To look for a needle in a text takes as long as to compare so many ids. */
const IDS_FOR_A_TEXT = 16;

const isReady = (needle: string) => needle.length <= MAX_NGRAM;

const EMPTY: NgramHits = { rows: new Uint32Array(0), prefixCount: 0 };

/** Opens an index. The rows of a short needle are ready, a longer one is looked for in the texts that have its rarest n-gram. */
export function openNgramIndex({ order, places, units, starts, postings }: NgramIndexParts): NgramIndex {
  const numbers = new Map<string, number>();
  for (const [index, { ngrams }] of postings.entries()) {
    const length = index + 1;
    for (let at = 0; at < ngrams.length; at += length) numbers.set(ngrams.slice(at, at + length), at / length);
  }

  const compare = (one: number, other: number) => (places[one] ?? 0) - (places[other] ?? 0);

  function postingsOf(ngram: string): NgramHits {
    const [number, lists] = [numbers.get(ngram), postings[ngram.length - 1]];
    if (number === undefined || lists === undefined) return EMPTY;
    return {
      rows: lists.rows.subarray(lists.starts[number], lists.starts[number + 1]),
      prefixCount: lists.prefixCounts[number] ?? 0,
    };
  }

  /** Returns rows with every hit among them, in search order. */
  function candidates(needle: string): Uint32Array {
    let rarest = postingsOf(needle.slice(0, MAX_NGRAM));
    for (let start = 1; start + MAX_NGRAM <= needle.length && rarest.rows.length > 0; start++) {
      const next = postingsOf(needle.slice(start, start + MAX_NGRAM));
      if (next.rows.length < rarest.rows.length) rarest = next;
    }
    return inSearchOrder(rarest);
  }

  /** Merges the two parts of a list. */
  function inSearchOrder({ rows, prefixCount }: NgramHits): Uint32Array {
    if (prefixCount === 0 || prefixCount === rows.length) return rows;
    const merged = new Uint32Array(rows.length);
    let [one, other] = [0, prefixCount];
    for (let index = 0; index < merged.length; index++) {
      const isOne = other === rows.length || (one < prefixCount && compare(rows[one] ?? 0, rows[other] ?? 0) < 0);
      merged[index] = rows[isOne ? one++ : other++] ?? 0;
    }
    return merged;
  }

  function matchRank(row: number, needle: string): number {
    const first = needle.charCodeAt(0);
    const place = places[row] ?? 0;
    const begin = starts[place] ?? 0;
    const last = (starts[place + 1] ?? 0) - 1 - needle.length;
    for (let start = begin; start <= last; start++) {
      if (units[start] !== first) continue;
      let index = 1;
      while (index < needle.length && units[start + index] === needle.charCodeAt(index)) index++;
      if (index === needle.length) return start === begin ? PREFIX : INSIDE;
    }
    return NOWHERE;
  }

  /** Leaves the rows whose text contains the needle. */
  function rank(rows: Uint32Array, needle: string): NgramHits {
    const hits = new Uint32Array(rows.length);
    const inside = new Uint32Array(rows.length);
    let [prefixCount, insideCount] = [0, 0];
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0;
      const found = matchRank(row, needle);
      if (found === PREFIX) hits[prefixCount++] = row;
      else if (found === INSIDE) inside[insideCount++] = row;
    }
    hits.set(inside.subarray(0, insideCount), prefixCount);
    return { rows: hits.subarray(0, prefixCount + insideCount), prefixCount };
  }

  return {
    order,
    compare,
    isReady,
    find(needle, filter) {
      if (!isReady(needle)) {
        const rows = candidates(needle);
        return rank(filter ? filter.narrow(shorter(filter.rows, rows)) : rows, needle);
      }
      const ready = postingsOf(needle);
      if (filter === undefined) return ready;
      if (ready.rows.length >= filter.rows.length * IDS_FOR_A_TEXT) return rank(filter.narrow(filter.rows), needle);
      const prefix = filter.narrow(ready.rows.subarray(0, ready.prefixCount));
      const inside = filter.narrow(ready.rows.subarray(ready.prefixCount));
      const rows = new Uint32Array(prefix.length + inside.length);
      rows.set(prefix);
      rows.set(inside, prefix.length);
      return { rows, prefixCount: prefix.length };
    },
  };
}
