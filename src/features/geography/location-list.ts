import { LRUCache } from 'lru-cache';
import { paginationOf } from '../../api/pagination.ts';
import type { PageRequest } from '../../db/sql/select-page.ts';
import { fold } from '../../lib/text-folding.ts';
import { type JsonList, LIST_END } from './json-list.ts';
import { FIRST, NOWHERE, type TextSearch } from './ngram-index/search.ts';
import { type Condition, narrow, rowFinder, shorter } from './row-conditions.ts';
import { listRowsOfIds, type RowsOfIds, rowsById } from './row-lists.ts';

/**
 * What a list is asked for: a search text, the ids of what the places lie in (of several a place must have all), their own ids,
 * and what else to tell of each.
 */
export type PlaceQuery<Filter extends string = string, Detail extends string = string> = {
  search?: string | undefined;
  ids?: readonly number[] | undefined;
  include?: readonly Detail[] | undefined;
} & { [Name in Filter]?: number | readonly number[] | undefined };

/** The places that a query found, in the order of answers. */
export interface FoundPlaces {
  readonly totalItems: number;
  /** Whether nothing was asked for: these are all places of the list, as it is kept ready. */
  readonly isWholeList: boolean;
  /** The answer with one page of them and the pagination block. */
  page(request: PageRequest): Buffer;
  /** The answer with all of them, made piece by piece as they are asked for, well under a millisecond each; in one piece where the query was empty. */
  pieces(): Generator<Buffer, void>;
}

/** A list of places in memory, and what finds them. */
export interface PlaceList<Filter extends string, Detail extends string> {
  /** The answer with all places. One buffer for everybody: to be read, not written. */
  readonly all: Buffer;
  /** A blank search is no search, an absent id no filter. An unknown id finds nothing. */
  find(query: PlaceQuery<Filter, Detail>): FoundPlaces;
}

/** What a list is made of. */
export interface PlaceListParts<Filter extends string, Detail extends string> {
  json: JsonList;
  search: TextSearch;
  /** The id of each place. */
  ids: Int32Array;
  filters: Record<Filter, FilterColumn>;
  /** What can be told besides of a place, as JSON. */
  details: Record<Detail, (row: number) => string>;
}

/** What a filter holds of each place, and the places of each id, as answers have them without a search and with one. */
export interface FilterColumn {
  ids: Int32Array<ArrayBuffer>;
  rows: RowsOfIds;
  searched: RowsOfIds;
}

/** @param order that of a search */
export function filterColumn(ids: Int32Array<ArrayBuffer>, order: Uint32Array): FilterColumn {
  return { ids, rows: listRowsOfIds(ids, ids.keys()), searched: listRowsOfIds(ids, order) };
}

/** What a list remembers of past searches, at most. */
const HITS_BYTES = 4 * 1024 * 1024;
/** What an entry takes beside its key's letters and its hits, roughly. */
const ENTRY_BYTES = 200;

/** To look for a needle in a text takes as long as to compare so many ids. */
const IDS_FOR_A_TEXT = 16;

const PIECE_ITEMS = 500;
const COMMA = Buffer.from(',');
const NONE = new Uint32Array(0);

/** Places are numbered, and answered where nothing is searched for, in the order of `json`; hits of a search in that of `search`. */
export function openPlaceList<Filter extends string, Detail extends string>(
  parts: PlaceListParts<Filter, Detail>,
): PlaceList<Filter, Detail> {
  const { json, search, ids, details } = parts;
  const known = new LRUCache<string, Uint32Array>({
    maxSize: HITS_BYTES,
    // A search with more hits than that would push out many others.
    maxEntrySize: HITS_BYTES / 16,
    sizeCalculation: (hits, key) => ENTRY_BYTES + 2 * key.length + hits.byteLength,
  });
  const columns = (Object.entries(parts.filters) as [Filter, FilterColumn][]).map(([name, column]) => ({
    name,
    ids: column.ids,
    rows: rowsById(column.rows),
    searched: rowsById(column.searched),
  }));
  const rowOfId = rowFinder(ids);

  /** @returns the numbers of the places as answers have them; undefined: all */
  function rowsOf(query: PlaceQuery<Filter, Detail>, needle: string): Uint32Array | undefined {
    const ready = needle === '' ? undefined : search.exact(needle);
    if (ready?.length === 0) return NONE;
    const conditions: Condition[] = [];
    let key = needle;
    for (const { name, ids, rows, searched } of columns) {
      for (const id of [query[name] ?? []].flat()) {
        key += `\n${name}${id}`;
        conditions.push({ id, ids, rows: (needle === '' ? rows : searched).get(id) ?? NONE });
      }
    }
    if (query.ids !== undefined) return put(needle, narrow(rowsWithIds(query.ids, needle), conditions));
    const [first, second] = conditions;
    if (first === undefined && (needle === '' || ready !== undefined)) return ready;
    if (needle === '' && second === undefined) return first?.rows;
    let hits = known.get(key);
    if (hits === undefined) {
      // In memory of its own size.
      hits = select(needle, ready, conditions).slice();
      known.set(key, hits);
    }
    return hits;
  }

  function select(needle: string, ready: Uint32Array | undefined, conditions: Condition[]): Uint32Array {
    const [first] = conditions;
    if (needle === '') return narrow(first?.rows ?? NONE, conditions);
    const inside = conditions.map(({ rows }) => rows).reduce(shorter, ready ?? first?.rows ?? search.order);
    if (ready !== undefined && ready.length < inside.length * IDS_FOR_A_TEXT) return narrow(ready, conditions);
    const named = ready === undefined ? search.candidates(needle) : inside;
    return put(needle, narrow(shorter(inside, named), conditions));
  }

  /** Leaves those of the rows that the needle stands in, the foremost first. */
  function put(needle: string, rows: Uint32Array): Uint32Array {
    if (needle === '') return rows;
    const places = new Int8Array(rows.length);
    const counts: number[] = [];
    for (let index = 0; index < rows.length; index++) {
      const place = search.placeIn(rows[index] ?? 0, needle);
      places[index] = place;
      if (place !== NOWHERE) counts[place] = (counts[place] ?? 0) + 1;
    }
    const ends: number[] = [];
    let end = 0;
    for (let place = FIRST; place < counts.length; place++) {
      ends.push(end);
      end += counts[place] ?? 0;
    }
    const hits = new Uint32Array(end);
    for (let index = 0; index < rows.length; index++) {
      const place = places[index] ?? NOWHERE;
      if (place === NOWHERE) continue;
      const at = ends[place] ?? 0;
      hits[at] = rows[index] ?? 0;
      ends[place] = at + 1;
    }
    return hits;
  }

  function rowsWithIds(wanted: readonly number[], needle: string): Uint32Array {
    const rows = new Set(wanted.flatMap((id) => rowOfId(id) ?? []));
    if (needle === '') return Uint32Array.from(rows).sort();
    return Uint32Array.from(rows).sort((one, other) => search.compare(one, other));
  }

  return {
    all: json.all,
    find(query) {
      const needle = fold(query.search ?? '');
      const rows = rowsOf(query, needle);
      const totalItems = rows === undefined ? json.length : rows.length;
      const include = new Set(query.include);
      const told = (Object.keys(details) as Detail[]).filter((detail) => include.has(detail));
      const more = (row: number) => told.map((detail) => `"${detail}":${details[detail](row)}`).join();

      function write(from: number, to: number, before: Buffer, after: string): Buffer {
        if (told.length > 0) return json.pickWith(more, rowsBetween(rows, from, to), before, after);
        return rows === undefined ? json.range(from, to, before, after) : json.pick(rows, from, to, before, after);
      }

      return {
        totalItems,
        isWholeList: rows === undefined && told.length === 0,
        page(request) {
          const from = Math.min((request.page - 1) * request.limit, totalItems);
          const to = Math.min(from + request.limit, totalItems);
          return write(from, to, json.head, `],"pagination":${JSON.stringify(paginationOf(totalItems, request))}}`);
        },
        *pieces() {
          if (rows === undefined && told.length === 0) {
            yield json.all;
            return;
          }
          let before = json.head;
          let from = 0;
          do {
            const to = Math.min(from + PIECE_ITEMS, totalItems);
            yield write(from, to, before, to === totalItems ? LIST_END : '');
            before = COMMA;
            from = to;
          } while (from < totalItems);
        },
      };
    },
  };
}

function* rowsBetween(rows: Uint32Array | undefined, from: number, to: number): Generator<number, void> {
  for (let index = from; index < to; index++) yield rows === undefined ? index : (rows[index] ?? 0);
}
