import { type PageRequest, paginationOf } from '../../http/pagination.ts';
import { fold } from '../../lib/text-folding.ts';
import { createHitMemo } from './hit-memo.ts';
import { type JsonList, LIST_END } from './json-list.ts';
import type { TextSearch } from './name-search.ts';
import { rowsByKey } from './row-lists.ts';

/** What a list can be asked for: a search text, and the id of what the places lie in. */
export type PlaceQuery<Filter extends string> = { search?: string | undefined } & {
  [Name in Filter]?: number | undefined;
};

/** The places that a query found, in list order. */
export interface FoundPlaces {
  readonly totalItems: number;
  /** The answer with one page of them and the pagination block. */
  page(request: PageRequest): Buffer;
  /** The answer with all of them, in pieces that take well under a millisecond each; a single one where nothing was asked for. */
  pieces(): Generator<Buffer, void>;
}

/** A list of places in memory, in its one order, with what finds them. */
export interface PlaceList<Filter extends string> {
  /** The answer with all places: one buffer for everybody, to be read, not written. */
  readonly all: Buffer;
  /** A blank search is none; so is an absent id. An unknown id finds nothing. */
  find(query: PlaceQuery<Filter>): FoundPlaces;
}

const MEMO_BYTES = 4 * 1024 * 1024;
const ITEMS_OF_A_PIECE = 500;
const COMMA = Buffer.from(',');

/**
 * @param filters for each filter the id that every place, in list order, is filed under
 */
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

  /** @returns ascending rows; undefined: all of them */
  function rowsOf(query: PlaceQuery<Filter>): Uint32Array | undefined {
    const needle = query.search === undefined ? '' : fold(query.search);
    let fewest = needle === '' ? undefined : search.candidates(needle);
    let isExact = needle === '' || search.isExact(needle);
    let key = needle;
    for (const { name, rows } of columns) {
      const id = query[name];
      if (id === undefined) continue;
      const its = rows.get(id) ?? none;
      if (fewest !== undefined) isExact = false;
      if (fewest === undefined || its.length < fewest.length) fewest = its;
      key += `\n${name}${id}`;
    }
    const among = fewest;
    return isExact || among === undefined || among.length === 0
      ? among
      : memo.get(key, () => filter(among, needle, query));
  }

  function filter(among: Uint32Array, needle: string, query: PlaceQuery<Filter>): Uint32Array {
    const conditions = columns.flatMap(({ name, ids }) => {
      const id = query[name];
      return id === undefined ? [] : [{ id, ids }];
    });
    const hits = new Uint32Array(among.length);
    let count = 0;
    for (const row of among) {
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
          const tail = `],"pagination":${JSON.stringify(paginationOf(totalItems, request))}}`;
          return rows === undefined
            ? json.range(from, to, json.head, tail)
            : json.pick(rows, from, to, json.head, tail);
        },
        *pieces() {
          if (rows === undefined) {
            yield json.all;
            return;
          }
          let before = json.head;
          for (let from = 0; from < totalItems || from === 0; from += ITEMS_OF_A_PIECE) {
            const to = Math.min(from + ITEMS_OF_A_PIECE, totalItems);
            yield json.pick(rows, from, to, before, to === totalItems ? LIST_END : '');
            before = COMMA;
          }
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
