import { LRUCache } from 'lru-cache';
import { looseForm } from './alternate-names/loose-form.ts';
import type { NameSearch } from './alternate-names/search.ts';
import { type AreaFilter, typedNameSearch } from './alternate-names/typed-names.ts';
import type { NgramIndex } from './ngram-index/search.ts';
import {
  type Condition,
  filterBy,
  filterRanks,
  filterTo,
  indexById,
  type RankFilter,
  rowsAt,
  unionOf,
} from './number-lists.ts';
import { BONUS, inScoreOrder, type ScoredRanks, wholeBonus } from './score.ts';

/** Search data of locations, all by rank: the index in search order. */
export interface LocationSearchParts {
  /** The row at each rank: its number in the response order without a search. */
  order: Uint32Array;
  /** Of their own names. */
  ngrams: NgramIndex;
  /** Of all their names, as people type them. */
  names: NameSearch;
  /** The ranks of a whole folded code; undefined: locations have none. */
  codes: ReadonlyMap<string, Uint32Array> | undefined;
  /** People at each rank, if locations of one code come by them with alternate names. */
  people?: readonly number[];
  /** The id at each rank. */
  ids: Int32Array;
  /** The id that each id without a rank stands for. */
  doubles: ReadonlyMap<number, number>;
  /** The logarithm of the population at each rank. */
  weights: Float32Array;
  /** Kinds of area that may follow a name to distinguish locations. */
  areas: readonly Area[];
}

/** A kind of location that contains others: its id at each of their ranks, and the ids of those with a folded name or code. */
export interface Area {
  ids: Int32Array;
  called(name: string): ReadonlySet<number>;
}

export interface RankQuery {
  /** Folded; empty: no search. */
  needle: string;
  /** Whether alternate names count; undefined: only if no own name has the needle. */
  alternateNames: boolean | undefined;
  /** Only locations with these ids. */
  ids: readonly number[] | undefined;
  conditions: readonly Condition[];
  /** Cache key of the conditions. */
  conditionKey: string;
}

/** What a search found. */
export interface RankHits {
  /** Ranks if there is a needle; rows, ascending, if there is none (undefined: all). */
  numbers: Uint32Array | undefined;
  /** Whether no name has the needle, and these have one with one letter wrong. */
  isSimilar: boolean;
}

const asTyped = (numbers: Uint32Array) => ({ numbers, isSimilar: false });

/** Maximum cache size of past searches, per list. */
const MAX_HITS_BYTES = 4 * 1024 * 1024;
/** Approximate size of an entry besides its key and its hits. */
const ENTRY_BYTES = 200;
const NONE = new Uint32Array(0);
/** As long as a needle that is meant to be whole. */
const WHOLE_NAME = 'whole';
/** A text that may have a wrong letter. */
const WORDS = /^[\p{L}\p{M}\s'’.-]+$/u;

/**
 * Returns the function that finds locations. A whole code comes first; then own names that begin with the needle, and those that contain it,
 * each by rank. With alternate names the first part is in the order of a score, of how a name matches and of population. If there is none of
 * these, other spellings, and then names with one letter wrong.
 */
export function locationSearch(parts: LocationSearchParts): (query: RankQuery) => RankHits {
  const { order, ngrams, names, codes, people, ids, doubles, weights, areas } = parts;
  const known = new LRUCache<string, RankHits & { numbers: Uint32Array }>({
    maxSize: MAX_HITS_BYTES,
    // A search with more hits would evict many others.
    maxEntrySize: MAX_HITS_BYTES / 16,
    sizeCalculation: ({ numbers }, key) => ENTRY_BYTES + 2 * key.length + numbers.byteLength,
  });
  const ranksOfId = indexById(ids);
  const union = unionOf(ids.length);
  const typed = typedNameSearch(names, (name) => filterByArea(areas, name), codes !== undefined);

  function search(needle: string, alternateNames: boolean | undefined, filter: RankFilter | undefined) {
    const narrow = (ranks: Uint32Array) => (filter === undefined || ranks.length === 0 ? ranks : filter.narrow(ranks));
    const coded = narrow(codes?.get(needle) ?? NONE);
    const own = ngrams.find(needle, filter);
    const isFound = own.ranks.length > 0 || coded.length > 0;
    if (alternateNames === false || (alternateNames === undefined && isFound)) {
      return asTyped(coded.length === 0 ? own.ranks : union([coded, own.ranks]));
    }
    const form = looseForm(needle);
    // Without populations a whole name comes first, whatever its length.
    const meant = (weights[0] ?? 0) > 0 ? form : WHOLE_NAME;
    const whole = narrow(names.whole(needle));
    const isOwn = (rank: number) => looseForm(ngrams.text(rank)) === form;
    const scored = byScore([
      { ranks: filterRanks(whole, isOwn), bonus: wholeBonus(meant, true) },
      { ranks: filterRanks(whole, (rank) => !isOwn(rank)), bonus: wholeBonus(meant, false) },
      { ranks: narrow(names.airport(needle)), bonus: BONUS.airport },
      { ranks: narrow(typed.wholeInArea(needle)), bonus: BONUS.inArea },
      { ranks: own.ranks.subarray(0, own.prefixCount), bonus: BONUS.ownBeginning },
      { ranks: narrow(typed.beginning(needle)), bonus: BONUS.otherBeginning },
    ]);
    const lists = [
      byPeople(coded),
      byPeople(narrow(codes?.get(form) ?? NONE)),
      scored,
      own.ranks.subarray(own.prefixCount),
    ];
    const found = union(lists);
    if (found.length > 0) return asTyped(found);
    const respelled = narrow(typed.respelled(needle));
    if (respelled.length > 0) return asTyped(respelled);
    if (!WORDS.test(needle)) return asTyped(NONE);
    const similar = names.similar(needle);
    const numbers = union([
      byScore([
        { ranks: narrow(similar.whole), bonus: BONUS.similarWhole },
        { ranks: narrow(similar.beginning), bonus: BONUS.similarBeginning },
      ]),
    ]);
    return { numbers, isSimilar: numbers.length > 0 };
  }

  const byScore = (lists: readonly ScoredRanks[]) => inScoreOrder(weights, lists);

  function byPeople(ranks: Uint32Array): Uint32Array {
    return people === undefined ? ranks : ranks.toSorted((a, b) => (people[b] ?? 0) - (people[a] ?? 0));
  }

  /** Returns the ranks of a needle found in own names, if the index has them ready. */
  function readyRanks(needle: string): Uint32Array {
    return ngrams.isReady(needle) && !codes?.has(needle) ? ngrams.find(needle).ranks : NONE;
  }

  function searchIds(given: readonly number[], { needle, alternateNames }: RankQuery, filter: RankFilter | undefined) {
    const found = given.flatMap((id) => [...ranksOfId(id), ...ranksOfId(doubles.get(id) ?? Number.NaN)]);
    const ranks = Uint32Array.from(new Set(found)).sort();
    const left = filter?.narrow(ranks) ?? ranks;
    if (needle === '') return asTyped(rowsAt(left, order).sort());
    return search(needle, alternateNames, filterTo(left));
  }

  return (query) => {
    const { needle, alternateNames, ids: given, conditions, conditionKey } = query;
    const filter = filterBy(conditions);
    if (given !== undefined) return searchIds(given, query, filter);
    if (needle === '' && filter === undefined) return { numbers: undefined, isSimilar: false };
    const ready = filter === undefined && alternateNames !== true ? readyRanks(needle) : NONE;
    if (ready.length > 0) return asTyped(ready);
    const key = `${alternateNames ?? ''}\n${needle}${conditionKey}`;
    let hits = known.get(key);
    if (hits === undefined) {
      if (needle !== '') hits = search(needle, alternateNames, filter);
      else hits = asTyped(rowsAt(filter?.narrow(filter.ranks) ?? NONE, order).sort());
      known.set(key, hits);
    }
    return hits;
  };
}

function filterByArea(areas: readonly Area[], name: string): ReturnType<AreaFilter> {
  const called = areas.map(({ ids, called }) => ({ ids, known: called(name) })).filter(({ known }) => known.size > 0);
  if (called.length === 0) return undefined;
  const liesThere = (rank: number): boolean => {
    for (const { ids, known } of called) if (known.has(ids[rank] ?? 0)) return true;
    return false;
  };
  return { narrow: (ranks) => filterRanks(ranks, liesThere) };
}
