import { type PageRequest, paginationOf } from '../../http/pagination.ts';
import { fold } from '../../lib/text-folding.ts';
import { type JsonList, LIST_END } from './json-list.ts';
import { createMemo } from './memo.ts';
import type { TextSearch } from './name-search.ts';
import { rowsByKey } from './row-lists.ts';

/** What a list is asked for: a search text, and the ids of what the places lie in. */
export type PlaceQuery<Filter extends string> = { search?: string | undefined } & {
  [Name in Filter]?: number | undefined;
};

/** The places that a query found, in list order. */
export interface FoundPlaces {
  readonly totalItems: number;
  /** Whether nothing was asked for: these are all places of the list. */
  readonly isWholeList: boolean;
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
const HITS_BYTES = 4 * 1024 * 1024;

/** To look for a needle in a text takes as long as to compare so many ids. */
const IDS_FOR_A_TEXT = 16;

const PIECE_ITEMS = 500;
const COMMA = Buffer.from(',');

/** @param filters for each filter the id that it holds of each place, in list order */
export function buildPlaceList<Filter extends string>(
  json: JsonList,
  search: TextSearch,
  filters: Record<Filter, Int32Array>,
): PlaceList<Filter> {
  const none = new Uint32Array(0);
  const hitsMemo = createMemo<Uint32Array>(HITS_BYTES);
  const columns = (Object.entries(filters) as [Filter, Int32Array][]).map(([name, ids]) => ({
    name,
    ids,
    rows: rowsById(ids),
  }));

  /** @returns the numbers of the places, ascending; undefined: all */
  function rowsOf(query: PlaceQuery<Filter>, needle: string): Uint32Array | undefined {
    const named = needle === '' ? undefined : search.candidates(needle);
    if (named?.length === 0) return none;
    const conditions: Condition[] = [];
    let key = needle;
    for (const { name, ids, rows } of columns) {
      const id = query[name];
      if (id === undefined) continue;
      key += `\n${name}${id}`;
      conditions.push({ id, ids, rows: rows.get(id) ?? none });
    }
    const [first, second] = conditions;
    if (first === undefined && (named === undefined || search.isExact(needle))) return named;
    if (named === undefined && second === undefined) return first?.rows;
    return hitsMemo.get(key, () => select(needle, named, conditions));
  }

  function select(needle: string, named: Uint32Array | undefined, conditions: Condition[]): Uint32Array {
    const inside = conditions.map(({ rows }) => rows).reduce(shorter, named ?? conditions[0]?.rows ?? none);
    const isNamed = named !== undefined && search.isExact(needle) && named.length < inside.length * IDS_FOR_A_TEXT;
    let hits = isNamed ? named : inside;
    for (const condition of conditions) if (hits !== condition.rows) hits = withId(hits, condition);
    if (needle !== '' && !isNamed) hits = hits.filter((row) => search.contains(row, needle));
    // In memory of its own size.
    return hits.slice();
  }

  return {
    all: json.all,
    find(query) {
      const needle = fold(query.search ?? '');
      const rows = rowsOf(query, needle);
      const totalItems = rows === undefined ? json.length : rows.length;
      return {
        totalItems,
        isWholeList: rows === undefined,
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

/** A filter's id, what the filter holds of each place, and the places that have that id. */
interface Condition {
  id: number;
  ids: Int32Array;
  rows: Uint32Array;
}

function withId(rows: Uint32Array, { id, ids }: Condition): Uint32Array {
  const hits = new Uint32Array(rows.length);
  let count = 0;
  // By index: `for … of` takes twice as long here.
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    if (ids[row] === id) hits[count++] = row;
  }
  return hits.subarray(0, count);
}

function shorter(one: Uint32Array, other: Uint32Array): Uint32Array {
  return other.length < one.length ? other : one;
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
