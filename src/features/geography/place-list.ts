import { type PageRequest, paginationOf } from '../../http/pagination.ts';
import { createHitMemo } from './hit-memo.ts';
import { type JsonList, LIST_END } from './json-list.ts';
import type { TextSearch } from './name-search.ts';
import { foldNeedle } from './needle.ts';
import { rowsByKey } from './row-lists.ts';

/** What a list is asked for: a search text, and the ids of what the places lie in. */
export type PlaceQuery<Filter extends string> = { search?: string | undefined } & {
  [Name in Filter]?: number | undefined;
};

/** The places that a query found, in list order. */
export interface FoundPlaces {
  readonly totalItems: number;
  /** The answer with one page of them and the pagination block. */
  page(request: PageRequest): Buffer;
  /** The answer with all of them, made piece by piece as they are asked for, well under a millisecond each; in one piece where the query was empty. */
  pieces(): Generator<Buffer, void>;
}

/** A list of places in memory in its one order, and what finds them. */
export interface PlaceList<Filter extends string> {
  /** The answer with all places. One buffer for everybody: to be read, not written. */
  readonly all: Buffer;
  /** A blank search is no search, an absent id no filter. An unknown id finds nothing. */
  find(query: PlaceQuery<Filter>): FoundPlaces;
}

/** What a list remembers of past searches, at most. */
const MEMO_BYTES = 4 * 1024 * 1024;

const PIECE_ITEMS = 500;
const COMMA = Buffer.from(',');

/** @param filters for each filter the id that it holds of each place, in list order */
export function buildPlaceList<Filter extends string>(
  json: JsonList,
  search: TextSearch,
  filters: Record<Filter, Int32Array>,
): PlaceList<Filter> {
  const none = new Uint32Array(0);
  const memo = createHitMemo(MEMO_BYTES);
  const columns = (Object.entries(filters) as [Filter, Int32Array][]).map(([name, ids]) => ({
    name,
    ids,
    rows: rowsById(ids),
  }));

  /** @returns the numbers of the places, ascending; undefined: all */
  function rowsOf(query: PlaceQuery<Filter>): Uint32Array | undefined {
    const needle = foldNeedle(query.search ?? '', search.longest);
    if (needle === undefined) return none;
    // The shortest of the lists that hold all hits, and whether it holds nothing else.
    let among = needle === '' ? undefined : search.candidates(needle);
    let isExact = needle === '' || search.isExact(needle);
    let key = needle;
    for (const { name, rows } of columns) {
      const id = query[name];
      if (id === undefined) continue;
      const inside = rows.get(id) ?? none;
      isExact &&= among === undefined;
      if (among === undefined || inside.length < among.length) among = inside;
      key += `\n${name}${id}`;
    }
    if (among === undefined || isExact || among.length === 0) return among;
    const candidates = among;
    return memo.get(key, () => check(candidates, needle, query));
  }

  function check(candidates: Uint32Array, needle: string, query: PlaceQuery<Filter>): Uint32Array {
    const conditions = columns.flatMap(({ name, ids }) => {
      const id = query[name];
      return id === undefined ? [] : [{ id, ids }];
    });
    const hits = new Uint32Array(candidates.length);
    let count = 0;
    for (const row of candidates) {
      let holds = true;
      for (const { id, ids } of conditions) holds &&= ids[row] === id;
      if (holds && (needle === '' || search.contains(row, needle))) hits[count++] = row;
    }
    return hits.slice(0, count);
  }

  return {
    all: json.all,
    find(query) {
      const rows = rowsOf(query);
      const totalItems = rows === undefined ? json.length : rows.length;
      return {
        totalItems,
        page(request) {
          const from = Math.min((request.page - 1) * request.limit, totalItems);
          const to = Math.min(from + request.limit, totalItems);
          const end = `],"pagination":${JSON.stringify(paginationOf(totalItems, request))}}`;
          return rows === undefined ? json.range(from, to, json.head, end) : json.pick(rows, from, to, json.head, end);
        },
        *pieces() {
          if (rows === undefined) {
            yield json.all;
            return;
          }
          let before = json.head;
          let from = 0;
          do {
            const to = Math.min(from + PIECE_ITEMS, totalItems);
            yield json.pick(rows, from, to, before, to === totalItems ? LIST_END : '');
            before = COMMA;
            from = to;
          } while (from < totalItems);
        },
      };
    },
  };
}

/** The ascending rows of each id. */
function rowsById(ids: Int32Array): Map<number, Uint32Array> {
  const numbers = new Map<number, number>();
  for (const id of ids) if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
  const lists = rowsByKey(
    Uint32Array.from(ids, (id) => numbers.get(id) ?? 0),
    numbers.size + 1,
  );
  return new Map(Array.from(numbers, ([id, number]) => [id, lists[number] ?? new Uint32Array(0)]));
}
