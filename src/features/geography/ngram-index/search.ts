import { newList, type PlaceFilter, shorter, sortedUnion, type TakeList } from '../number-lists.ts';
import { MAX_NGRAM, type NgramIndexParts } from './build.ts';

/** The texts that contain a needle, by place (index in search order): those that begin with it, then the others, each part ascending. */
export interface NgramHits {
  /** Read-only. */
  places: Uint32Array;
  /** How many of them begin with the needle. */
  prefixCount: number;
}

/** Finds folded texts by substring. */
export interface NgramIndex {
  /** Whether the unfiltered hits of a needle are precomputed. */
  isReady(needle: string): boolean;
  /** @param needle folded, not empty */
  find(needle: string, filter?: PlaceFilter): NgramHits;
}

/** Match ranks: at the start of a text, further inside, or no match. */
const [PREFIX, INSIDE, NOWHERE] = [0, 1, -1];

/** Searching one text for a needle costs as much as comparing so many ids, or as checking so many places against a list. */
const [IDS_FOR_A_TEXT, PLACES_FOR_A_TEXT] = [16, 8];
/** Number of texts that are few enough to search. */
const FEW_TEXTS = 64;

const isReady = (needle: string) => needle.length <= MAX_NGRAM;

const EMPTY: NgramHits = { places: new Uint32Array(0), prefixCount: 0 };

/** Opens an index. The hits of a short needle are precomputed; a longer one is searched for in the texts that have its rarest n-gram. */
export function openNgramIndex({ units, starts, postings }: NgramIndexParts, take: TakeList = newList): NgramIndex {
  /** One flag per place; all clear between searches. */
  const isMarked = new Uint8Array(starts.length - 1);
  const numbers = new Map<string, number>();
  for (const [index, { ngrams }] of postings.entries()) {
    const length = index + 1;
    for (let at = 0; at < ngrams.length; at += length) numbers.set(ngrams.slice(at, at + length), at / length);
  }

  function postingsOf(ngram: string): NgramHits {
    const [number, lists] = [numbers.get(ngram), postings[ngram.length - 1]];
    if (number === undefined || lists === undefined) return EMPTY;
    return {
      places: lists.numbers.subarray(lists.starts[number], lists.starts[number + 1]),
      prefixCount: lists.prefixCounts[number] ?? 0,
    };
  }

  /**
   * Returns a superset of the hits, ascending: texts with the rarest n-gram, and further ones while intersecting is cheaper than searching
   * the texts.
   *
   * @param few number of places that is small enough to stop
   */
  function candidates(needle: string, few: number): Uint32Array {
    const lists: NgramHits[] = [];
    for (let start = 0; start + MAX_NGRAM <= needle.length; start++) {
      lists.push(postingsOf(needle.slice(start, start + MAX_NGRAM)));
    }
    lists.sort((one, other) => one.places.length - other.places.length);
    let [left = EMPTY] = lists;
    for (const next of lists.slice(1)) {
      if (left.places.length <= few || next.places.length > left.places.length * PLACES_FOR_A_TEXT) break;
      left = intersection(left.places, next);
    }
    return sortedUnion(left.places.subarray(0, left.prefixCount), left.places.subarray(left.prefixCount), take);
  }

  /** Returns the entries of a list that are among some places. */
  function intersection(some: Uint32Array, { places, prefixCount }: NgramHits): NgramHits {
    for (let index = 0; index < some.length; index++) isMarked[some[index] ?? 0] = 1;
    const both = take(some.length);
    let [count, prefixes] = [0, 0];
    for (let index = 0; index < places.length; index++) {
      if (index === prefixCount) prefixes = count;
      const place = places[index] ?? 0;
      if (isMarked[place] === 1) both[count++] = place;
    }
    for (let index = 0; index < some.length; index++) isMarked[some[index] ?? 0] = 0;
    return { places: both.subarray(0, count), prefixCount: prefixCount < places.length ? prefixes : count };
  }

  function matchRank(place: number, needle: string): number {
    const first = needle.charCodeAt(0);
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

  /** Returns the places of texts that contain the needle. */
  function rank(places: Uint32Array, needle: string): NgramHits {
    const hits = take(places.length);
    const inside = take(places.length);
    let [prefixCount, insideCount] = [0, 0];
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0;
      const found = matchRank(place, needle);
      if (found === PREFIX) hits[prefixCount++] = place;
      else if (found === INSIDE) inside[insideCount++] = place;
    }
    hits.set(inside.subarray(0, insideCount), prefixCount);
    return { places: hits.subarray(0, prefixCount + insideCount), prefixCount };
  }

  return {
    isReady,
    find(needle, filter) {
      if (!isReady(needle)) {
        const places = candidates(needle, filter ? filter.places.length : FEW_TEXTS);
        return rank(filter ? filter.narrow(shorter(filter.places, places)) : places, needle);
      }
      const ready = postingsOf(needle);
      if (filter === undefined) return ready;
      if (ready.places.length >= filter.places.length * IDS_FOR_A_TEXT) {
        return rank(filter.narrow(filter.places), needle);
      }
      const prefix = filter.narrow(ready.places.subarray(0, ready.prefixCount));
      const inside = filter.narrow(ready.places.subarray(ready.prefixCount));
      const places = take(prefix.length + inside.length);
      places.set(prefix);
      places.set(inside, prefix.length);
      return { places, prefixCount: prefix.length };
    },
  };
}
