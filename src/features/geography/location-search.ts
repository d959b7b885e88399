import { LRUCache } from 'lru-cache';
import { looseForm } from './alternate-names/loose-form.ts';
import type { NameSearch } from './alternate-names/search.ts';
import { typedNameSearch } from './alternate-names/typed-names.ts';
import type { NgramIndex } from './ngram-index/search.ts';
import { type Condition, filterBy, filterTo, type RowFilter, rowFinder, rowsThat, union } from './row-lists.ts';

/** What locations are searched by. */
export interface LocationSearchParts {
  /** By their own names. */
  ngrams: NgramIndex;
  /** By all their names, as people type them. */
  names: NameSearch;
  /** The rows of a whole folded code, in search order. */
  codes: ReadonlyMap<string, Uint32Array>;
  /** The id of each row. */
  ids: Int32Array;
  /** What a row lies in, and is told apart by. */
  areas: readonly Area[];
}

/** A kind of location that others lie in: the id that each of these has of it, and those that are called by a folded name or code. */
export interface Area {
  ids: Int32Array;
  called(name: string): ReadonlySet<number>;
}

export interface RowQuery {
  /** Folded; empty: no search. */
  needle: string;
  /** Whether other names count as well; undefined: where no own name has the needle. */
  alternateNames: boolean | undefined;
  /** Only rows with these ids. */
  ids: readonly number[] | undefined;
  conditions: readonly Condition[];
  /** Tells conditions apart from all others. */
  conditionKey: string;
}

/** What a list remembers of past searches, at most. */
const MAX_HITS_BYTES = 4 * 1024 * 1024;
/** What an entry takes beside its key's letters and its hits, roughly. */
const ENTRY_BYTES = 200;

/**
 * Makes the function that finds rows in the order of answers. A whole code comes first, then the names that begin with the needle,
 * then those that hold it. With other names it is: a whole code, a name that is the needle, own names that begin with it, other names
 * that do, own names that hold it; and where that is nothing, other spellings. Each part is in search order.
 *
 * @returns the rows; undefined: all
 */
export function locationSearch({
  ngrams,
  names,
  codes,
  ids,
  areas,
}: LocationSearchParts): (query: RowQuery) => Uint32Array | undefined {
  const known = new LRUCache<string, Uint32Array>({
    maxSize: MAX_HITS_BYTES,
    // A search with more hits than that would push out many others.
    maxEntrySize: MAX_HITS_BYTES / 16,
    sizeCalculation: (hits, key) => ENTRY_BYTES + 2 * key.length + hits.byteLength,
  });
  const rowOfId = rowFinder(ids);
  const typed = typedNameSearch(names, (name) => filterByArea(areas, name), ngrams.compare);

  function search(needle: string, alternateNames: boolean | undefined, filter: RowFilter | undefined): Uint32Array {
    const narrow = (rows: Uint32Array) => (filter === undefined || rows.length === 0 ? rows : filter.narrow(rows));
    const coded = narrow(codes.get(needle) ?? NONE);
    const own = ngrams.find(needle, filter);
    const isFound = own.rows.length > 0 || coded.length > 0;
    if (alternateNames === false || (alternateNames === undefined && isFound))
      return union([coded, own.rows], ids.length);
    const lists = [
      coded,
      narrow(codes.get(looseForm(needle)) ?? NONE),
      narrow(typed.whole(needle)),
      own.rows.subarray(0, own.prefixCount),
      narrow(typed.beginning(needle)),
      own.rows.subarray(own.prefixCount),
    ];
    const found = union(lists, ids.length);
    return found.length > 0 ? found : narrow(typed.respelled(needle));
  }

  /** Returns the rows of a needle that has hits by own names alone, where the index has them ready. */
  function readyRows(needle: string): Uint32Array {
    return ngrams.isReady(needle) && !codes.has(needle) ? ngrams.find(needle).rows : NONE;
  }

  function rowsWithIds(wanted: readonly number[], isSearch: boolean): Uint32Array {
    const rows = Uint32Array.from(new Set(wanted.flatMap((id) => rowOfId(id) ?? [])));
    return isSearch ? rows.sort(ngrams.compare) : rows.sort();
  }

  return ({ needle, alternateNames, ids, conditions, conditionKey }) => {
    if (ids !== undefined) {
      const rows = rowsWithIds(ids, needle !== '');
      const left = filterBy(conditions)?.narrow(rows) ?? rows;
      return needle === '' ? left : search(needle, alternateNames, filterTo(left));
    }
    const filter = filterBy(conditions);
    if (needle === '' && (filter === undefined || conditions.length === 1)) return filter?.rows;
    const ready = filter === undefined && alternateNames !== true ? readyRows(needle) : NONE;
    if (ready.length > 0) return ready;
    const key = `${alternateNames ?? ''}\n${needle}${conditionKey}`;
    let hits = known.get(key);
    if (hits === undefined) {
      const found = needle === '' ? filter?.narrow(filter.rows) : search(needle, alternateNames, filter);
      // In memory of its own size.
      hits = (found ?? NONE).slice();
      known.set(key, hits);
    }
    return hits;
  };
}

function filterByArea(areas: readonly Area[], name: string): Pick<RowFilter, 'narrow'> | undefined {
  const called = areas.map(({ ids, called }) => ({ ids, known: called(name) })).filter(({ known }) => known.size > 0);
  if (called.length === 0) return undefined;
  const liesThere = (row: number): boolean => {
    for (const { ids, known } of called) if (known.has(ids[row] ?? 0)) return true;
    return false;
  };
  return { narrow: (rows) => rowsThat(rows, liesThere) };
}

const NONE = new Uint32Array(0);
