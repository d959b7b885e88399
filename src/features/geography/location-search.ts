import { LRUCache } from 'lru-cache';
import { looseForm } from './alternate-names/loose-form.ts';
import type { NameSearch } from './alternate-names/search.ts';
import { typedNameSearch } from './alternate-names/typed-names.ts';
import type { NgramIndex } from './ngram-index/search.ts';
import {
  type Condition,
  filterBy,
  filterTo,
  type PlaceFilter,
  placeFinder,
  placesThat,
  rowsAt,
  type SearchMemory,
  unionOf,
} from './number-lists.ts';

/** Search data of locations, all by place: the index in search order. */
export interface LocationSearchParts {
  /** The row at each place: its number in the response order without a search. */
  order: Uint32Array;
  /** Of their own names. */
  ngrams: NgramIndex;
  /** Of all their names, as people type them. */
  names: NameSearch;
  /** The places of a whole folded code, ascending. */
  codes: ReadonlyMap<string, Uint32Array>;
  /** The id at each place. */
  ids: Int32Array;
  /** Holds the lists of one search. */
  memory: SearchMemory;
  /** Kinds of area that may follow a name to distinguish locations. */
  areas: readonly Area[];
}

/** A kind of location that contains others: its id at each of their places, and the ids of those with a folded name or code. */
export interface Area {
  ids: Int32Array;
  called(name: string): ReadonlySet<number>;
}

export interface PlaceQuery {
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

/** Maximum cache size of past searches, per list. */
const MAX_HITS_BYTES = 4 * 1024 * 1024;
/** Approximate size of an entry besides its key and its hits. */
const ENTRY_BYTES = 200;

/**
 * Returns the function that finds locations in response order. A whole code comes first, then names that begin with the needle, then those
 * that contain it. With alternate names: a whole code, a name equal to the needle, own names that begin with it, alternate names that do,
 * own names that contain it; if there is none of these, other spellings. Each part ascends.
 *
 * @returns places if there is a needle; rows, ascending, if there is none (undefined: all)
 */
export function locationSearch({
  order,
  ngrams,
  names,
  codes,
  ids,
  areas,
  memory,
}: LocationSearchParts): (query: PlaceQuery) => Uint32Array | undefined {
  const known = new LRUCache<string, Uint32Array>({
    maxSize: MAX_HITS_BYTES,
    // A search with more hits would evict many others.
    maxEntrySize: MAX_HITS_BYTES / 16,
    sizeCalculation: (hits, key) => ENTRY_BYTES + 2 * key.length + hits.byteLength,
  });
  const placeOfId = placeFinder(ids);
  const union = unionOf(ids.length, memory.take);
  const typed = typedNameSearch(names, (name) => filterByArea(areas, name));

  function search(needle: string, alternateNames: boolean | undefined, filter: PlaceFilter | undefined): Uint32Array {
    const narrow = (places: Uint32Array) =>
      filter === undefined || places.length === 0 ? places : filter.narrow(places);
    const coded = narrow(codes.get(needle) ?? NONE);
    const own = ngrams.find(needle, filter);
    const isFound = own.places.length > 0 || coded.length > 0;
    if (alternateNames === false || (alternateNames === undefined && isFound)) return union([coded, own.places]);
    const lists = [
      coded,
      narrow(codes.get(looseForm(needle)) ?? NONE),
      narrow(typed.whole(needle)),
      own.places.subarray(0, own.prefixCount),
      narrow(typed.beginning(needle)),
      own.places.subarray(own.prefixCount),
    ];
    const found = union(lists);
    return found.length > 0 ? found : narrow(typed.respelled(needle));
  }

  /** Returns the places of a needle found in own names, if the index has them ready. */
  function readyPlaces(needle: string): Uint32Array {
    return ngrams.isReady(needle) && !codes.has(needle) ? ngrams.find(needle).places : NONE;
  }

  return ({ needle, alternateNames, ids, conditions, conditionKey }) => {
    memory.clear();
    const filter = filterBy(conditions, memory.take);
    if (ids !== undefined) {
      const places = Uint32Array.from(new Set(ids.flatMap((id) => placeOfId(id) ?? []))).sort();
      const left = filter?.narrow(places) ?? places;
      return needle === '' ? rowsAt(left, order).sort() : search(needle, alternateNames, filterTo(left)).slice();
    }
    if (needle === '' && conditions.length < 2) return conditions[0]?.rows;
    const ready = filter === undefined && alternateNames !== true ? readyPlaces(needle) : NONE;
    if (ready.length > 0) return ready;
    const key = `${alternateNames ?? ''}\n${needle}${conditionKey}`;
    let hits = known.get(key);
    if (hits === undefined) {
      // Copied, as the next search reuses the memory.
      if (needle !== '') hits = search(needle, alternateNames, filter).slice();
      else hits = rowsAt(filter?.narrow(filter.places) ?? NONE, order).sort();
      known.set(key, hits);
    }
    return hits;
  };
}

function filterByArea(areas: readonly Area[], name: string): Pick<PlaceFilter, 'narrow'> | undefined {
  const called = areas.map(({ ids, called }) => ({ ids, known: called(name) })).filter(({ known }) => known.size > 0);
  if (called.length === 0) return undefined;
  const liesThere = (place: number): boolean => {
    for (const { ids, known } of called) if (known.has(ids[place] ?? 0)) return true;
    return false;
  };
  return { narrow: (places) => placesThat(places, liesThere) };
}

const NONE = new Uint32Array(0);
