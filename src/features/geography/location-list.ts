import { paginationOf } from '../../api/pagination.ts';
import { type PageRequest, WrongCursorError } from '../../db/sql/select-page.ts';
import { fold } from '../../lib/text-folding.ts';
import { type JsonList, LIST_END } from './json-list.ts';
import { type LocationSearchParts, locationSearch, type RankHits } from './location-search.ts';
import type { Degrees } from './nearest.ts';
import { type Condition, indexById, rowsAt } from './number-lists.ts';

/**
 * A query of a list: search text and which names to search, ids of areas (a location lies in any of several of a kind), own ids, and
 * optional fields.
 */
export type LocationQuery<Filter extends string = string, Detail extends string = string> = {
  search?: string | undefined;
  alternateNames?: boolean | undefined;
  ids?: readonly number[] | undefined;
  include?: readonly Detail[] | undefined;
  /** Only the nearest, by distance. */
  near?: Degrees | undefined;
} & { [Name in Filter]?: number | readonly number[] | undefined };

/** The locations that a query found, in response order. */
export interface FoundLocations {
  readonly totalItems: number;
  /** Whether the query was empty: these are all locations, as serialised in advance. */
  readonly isWholeList: boolean;
  /** Whether `pieces` yields one piece. */
  readonly isOnePiece: boolean;
  /** Returns the response with one page of them and the pagination block. */
  page(request: PageRequest): Buffer;
  /**
   * Yields the response with all of them, in pieces generated on demand, well under a millisecond each; in one piece if the query was
   * empty.
   */
  pieces(): Generator<Buffer, void>;
}

/** A searchable list of countries, states or cities in memory. */
export interface LocationList<Filter extends string, Detail extends string> {
  /** The response with all locations. A shared buffer: read-only. */
  readonly all: Buffer;
  /** A blank search means no search, an absent id no filter. An unknown id finds nothing. */
  find(query: LocationQuery<Filter, Detail>): FoundLocations;
}

/** The parts of a list. */
export interface LocationListParts<Filter extends string, Detail extends string> extends LocationSearchParts {
  json: JsonList;
  /** The id of each filter at each rank. */
  filters: Record<Filter, Int32Array>;
  /** Optional fields of a row, as JSON. */
  details: Record<Exclude<Detail, 'match'>, (row: number) => string>;
  /** Finds the rows nearest to a position, of these or of all. Absent: locations have no position. */
  nearest?: (from: Degrees, rows: Uint32Array | undefined) => Uint32Array;
}

/** Returns the index of the first item of a page. Nothing is added or removed while the service runs: a cursor is an index. */
function startOf({ page, limit, after }: PageRequest): number {
  if (after === undefined) return (page - 1) * limit;
  const index = after === 'start' ? '0' : Buffer.from(after, 'base64url').toString();
  if (!/^\d{1,9}$/.test(index)) throw new WrongCursorError();
  return Number(index);
}

const PIECE_ITEMS = 500;
const COMMA = Buffer.from(',');

/** Opens a list. Rows are numbered, and without a search returned, in the order of `json`; hits of a search in search order. */
export function openLocationList<Filter extends string, Detail extends string>(
  parts: LocationListParts<Filter, Detail>,
): LocationList<Filter, Detail> {
  const { json, details, order, nearest } = parts;
  const search = locationSearch(parts);
  const columns = (Object.entries(parts.filters) as [Filter, Int32Array][]).map(([name, ids]) => ({
    name,
    ids,
    ranksOf: indexById(ids),
  }));
  const detailNames = [...Object.keys(details), 'match'] as Detail[];

  function hitsOf(query: LocationQuery<Filter, Detail>, needle: string): RankHits {
    const conditions: Condition[] = [];
    let conditionKey = '';
    for (const { name, ids, ranksOf } of columns) {
      const required = [query[name] ?? []].flat();
      if (query[name] === undefined) continue;
      const [only, another] = required;
      const ranks =
        only !== undefined && another === undefined
          ? ranksOf(only)
          : Uint32Array.from(required.flatMap((id) => [...ranksOf(id)])).sort();
      conditionKey += `\n${name}${required}`;
      conditions.push({ required: new Set(required), ids, ranks });
    }
    return search({ needle, alternateNames: query.alternateNames, ids: query.ids, conditions, conditionKey });
  }

  return {
    all: json.all,
    find(query) {
      const needle = fold(query.search ?? '');
      const { numbers: hits, isSimilar } = hitsOf(query, needle);
      const near = query.near && nearest;
      const inRows = () => (hits === undefined || needle === '' ? hits : rowsAt(hits, order));
      const numbers = query.near && near ? near(query.near, inRows()) : hits;
      const match = needle === '' ? 'null' : isSimilar ? '"similar"' : '"text"';
      const totalItems = numbers === undefined ? json.length : numbers.length;
      const included = detailNames.filter((detail) => query.include?.includes(detail));
      const detailOf = (detail: Detail, row: number) =>
        detail === 'match' ? match : details[detail as Exclude<Detail, 'match'>](row);
      const isWholeList = numbers === undefined && included.length === 0;
      const more = (row: number) => included.map((detail) => `"${detail}":${detailOf(detail, row)}`).join();

      function rowsBetween(from: number, to: number): Uint32Array {
        if (numbers === undefined) return new Uint32Array(to - from).map((_, index) => from + index);
        const some = numbers.subarray(from, to);
        return needle === '' || near ? some : rowsAt(some, order);
      }

      function write(from: number, to: number, before: Buffer, after: string): Buffer {
        const rows = rowsBetween(from, to);
        return included.length > 0 ? json.pickWith(more, rows, before, after) : json.pick(rows, before, after);
      }

      return {
        totalItems,
        isWholeList,
        isOnePiece: isWholeList || totalItems <= PIECE_ITEMS,
        page(request) {
          const from = Math.min(startOf(request), totalItems);
          const to = Math.min(from + request.limit, totalItems);
          const next = to < totalItems ? Buffer.from(String(to)).toString('base64url') : null;
          const total = request.after === undefined ? { totalItems } : { totalItems, next };
          return write(from, to, json.head, `],"pagination":${JSON.stringify(paginationOf(total, request))}}`);
        },
        *pieces() {
          if (isWholeList) {
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
