import { paginationOf } from '../../api/pagination.ts';
import type { PageRequest } from '../../db/sql/select-page.ts';
import { fold } from '../../lib/text-folding.ts';
import { type JsonList, LIST_END } from './json-list.ts';
import { type LocationSearchParts, locationSearch } from './location-search.ts';
import { type Condition, type ListsOfIds, listNumbersOfIds, listsById, rowsAt } from './number-lists.ts';

/**
 * What a list is asked for: a search text and which names it is looked for in, the ids of what the locations lie in (of several a
 * location must have all), their own ids, and what else to tell of each.
 */
export type LocationQuery<Filter extends string = string, Detail extends string = string> = {
  search?: string | undefined;
  alternateNames?: boolean | undefined;
  ids?: readonly number[] | undefined;
  include?: readonly Detail[] | undefined;
} & { [Name in Filter]?: number | readonly number[] | undefined };

/** The locations that a query found, in the order of answers. */
export interface FoundLocations {
  readonly totalItems: number;
  /** Whether nothing was asked for: these are all locations of the list, as it is kept ready. */
  readonly isWholeList: boolean;
  /** The answer with one page of them and the pagination block. */
  page(request: PageRequest): Buffer;
  /** The answer with all of them, made piece by piece as they are asked for, well under a millisecond each; in one piece where the query was empty. */
  pieces(): Generator<Buffer, void>;
}

/** A list of countries, states or cities in memory, and what finds them. */
export interface LocationList<Filter extends string, Detail extends string> {
  /** The answer with all locations. One buffer for everybody: to be read, not written. */
  readonly all: Buffer;
  /** A blank search is no search, an absent id no filter. An unknown id finds nothing. */
  find(query: LocationQuery<Filter, Detail>): FoundLocations;
}

/** What a list is made of. */
export interface LocationListParts<Filter extends string, Detail extends string> extends LocationSearchParts {
  json: JsonList;
  filters: Record<Filter, FilterColumn>;
  /** What can be told besides of a location, as JSON. */
  details: Record<Detail, (row: number) => string>;
}

/** The id that a filter has at each place, and the rows and the places of each id. */
export interface FilterColumn {
  ids: Int32Array<ArrayBuffer>;
  rows: ListsOfIds;
  places: ListsOfIds;
}

/**
 * @param idOfRow what the filter has of each row
 * @param order the rows in search order
 */
export function filterColumn(idOfRow: Int32Array, order: Uint32Array): FilterColumn {
  const ids = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) ids[place] = idOfRow[order[place] ?? 0] ?? 0;
  return { ids, rows: listNumbersOfIds(idOfRow), places: listNumbersOfIds(ids) };
}

const PIECE_ITEMS = 500;
const COMMA = Buffer.from(',');
const NONE = new Uint32Array(0);

/** Rows are numbered, and answered where nothing is searched for, in the order of `json`; hits of a search in that of places. */
export function openLocationList<Filter extends string, Detail extends string>(
  parts: LocationListParts<Filter, Detail>,
): LocationList<Filter, Detail> {
  const { json, details, order } = parts;
  const search = locationSearch(parts);
  const columns = (Object.entries(parts.filters) as [Filter, FilterColumn][]).map(([name, column]) => ({
    name,
    ids: column.ids,
    rows: listsById(column.rows),
    places: listsById(column.places),
  }));
  const detailNames = Object.keys(details) as Detail[];

  /** @returns what `search` does */
  function numbersOf(query: LocationQuery<Filter, Detail>, needle: string): Uint32Array | undefined {
    const conditions: Condition[] = [];
    let conditionKey = '';
    for (const { name, ids, rows, places } of columns) {
      for (const id of [query[name] ?? []].flat()) {
        conditionKey += `\n${name}${id}`;
        conditions.push({ id, ids, rows: rows.get(id) ?? NONE, places: places.get(id) ?? NONE });
      }
    }
    return search({ needle, alternateNames: query.alternateNames, ids: query.ids, conditions, conditionKey });
  }

  return {
    all: json.all,
    find(query) {
      const needle = fold(query.search ?? '');
      const numbers = numbersOf(query, needle);
      const totalItems = numbers === undefined ? json.length : numbers.length;
      const told = detailNames.filter((detail) => query.include?.includes(detail));
      const more = (row: number) => told.map((detail) => `"${detail}":${details[detail](row)}`).join();

      function rowsBetween(from: number, to: number): Uint32Array {
        if (numbers === undefined) return Uint32Array.from({ length: to - from }, (_, index) => from + index);
        const some = numbers.subarray(from, to);
        return needle === '' ? some : rowsAt(some, order);
      }

      function write(from: number, to: number, before: Buffer, after: string): Buffer {
        if (told.length > 0) return json.pickWith(more, rowsBetween(from, to), before, after);
        if (numbers === undefined) return json.range(from, to, before, after);
        return json.pick(rowsBetween(from, to), before, after);
      }

      return {
        totalItems,
        isWholeList: numbers === undefined && told.length === 0,
        page(request) {
          const from = Math.min((request.page - 1) * request.limit, totalItems);
          const to = Math.min(from + request.limit, totalItems);
          return write(from, to, json.head, `],"pagination":${JSON.stringify(paginationOf(totalItems, request))}}`);
        },
        *pieces() {
          if (numbers === undefined && told.length === 0) {
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
