import { createHash } from 'node:crypto';
import { paginationOf } from '../../api/pagination.ts';
import { type PageRequest, WrongCursorError } from '../../db/sql/select-page.ts';
import { fold } from '../../lib/text-folding.ts';
import type { ListParts } from './geography-parts.ts';
import { LIST_END, openJsonList, SEPARATOR } from './json-list.ts';
import type { Details } from './location-details.ts';
import { locationSearch, type SearchOptions, type SearchQuery } from './location-search.ts';
import type { Degrees } from './nearest.ts';
import { rowsAt } from './number-lists.ts';

/** A query of a list: what to find, and optional fields. A blank search means no search, an absent id no filter. An unknown id finds nothing. */
export type LocationQuery<Filter extends string = string, Detail extends string = string> = SearchQuery<Filter> & {
  include?: readonly Detail[] | undefined;
  /** Only the nearest, by distance. */
  near?: Degrees | undefined;
  /** That of local names. */
  lang?: string | undefined;
};

interface ListOptions<Detail extends string> extends SearchOptions {
  /** Optional fields of a row, as JSON. */
  details: Details<Detail>;
  /** Finds the rows nearest to a position, of these or of all. Absent: locations have no position. */
  nearest?: (from: Degrees, rows: Uint32Array | undefined) => Uint32Array;
}

/**
 * Returns the index of the first item of a page. Nothing is added or removed while the service runs: a cursor is an index.
 *
 * @param mark of the list, with which its cursors begin
 */
function startOf({ page, limit, after }: PageRequest, mark: string): number {
  if (after === undefined) return (page - 1) * limit;
  if (after === 'start') return 0;
  const cursor = Buffer.from(after, 'base64url').toString();
  const index = cursor.slice(mark.length);
  if (!cursor.startsWith(mark) || !/^\d{1,9}$/.test(index)) throw new WrongCursorError();
  return Number(index);
}

const PIECE_ITEMS = 500;

/** A searchable list of countries, states or cities in memory. */
export type LocationList<Filter extends string, Detail extends string> = ReturnType<
  typeof openLocationList<Filter, Detail>
>;
export type FoundLocations = ReturnType<LocationList<string, string>['find']>;

/** Opens a list. Rows are numbered, and without a search returned, in the order of `json`; hits of a search in search order. */
export function openLocationList<Filter extends string, Detail extends string>(
  parts: ListParts<Filter>,
  { details, nearest, ...options }: ListOptions<Detail>,
) {
  const json = openJsonList(parts.json);
  const search = locationSearch(parts, options);
  const mark = createHash('sha256').update(json.head).digest('base64url').slice(0, 6);
  const detailNames = Object.keys(details) as Detail[];
  let ranks: Uint32Array | undefined;

  /** Returns how a search with alternate names found the location of a row by its whole text. */
  function matchOf(row: number, needle: string): string {
    if (ranks === undefined) {
      ranks = new Uint32Array(json.length);
      for (let rank = 0; rank < ranks.length; rank++) ranks[parts.order?.[rank] ?? rank] = rank;
    }
    return search.isNamed(ranks[row] ?? 0, needle) ? '"name"' : '"alternateName"';
  }

  return {
    /** The response with all locations. A shared buffer: read-only. */
    all: json.all,
    idsCalled: search.idsCalled,
    /** Returns the locations that a query finds, in response order. */
    find(query: LocationQuery<Filter, Detail>) {
      const needle = fold(query.search ?? '');
      const { numbers: hits, match } = search.find(query, needle);
      const inRows = (some: Uint32Array) => (needle === '' ? some : rowsAt(some, parts.order));
      const near = query.near && nearest?.(query.near, hits && inRows(hits));
      const totalItems = (near ?? hits)?.length ?? json.length;
      const hasMatch = query.alternateNames === true && needle !== '';
      const included = detailNames.filter((detail) => query.include?.includes(detail));
      /** Whether the query is empty: these are all locations, as serialised in advance. */
      const isWholeList = near === undefined && hits === undefined && included.length === 0;
      const more = (row: number) =>
        [
          ...included.map((name) => `"${name}":${details[name](row, query.lang)}`),
          ...(hasMatch ? [`"match":${match ? `"${match}"` : matchOf(row, needle)}`] : []),
        ].join();

      function write(from: number, to: number, before: Buffer, after: string): Buffer {
        const some = near?.subarray(from, to) ?? (hits && inRows(hits.subarray(from, to)));
        if (some === undefined && included.length === 0) return json.between(from, to, before, after);
        const rows = some ?? new Uint32Array(to - from).map((_, index) => from + index);
        return json.pick(rows, before, after, included.length > 0 || hasMatch ? more : undefined);
      }

      return {
        totalItems,
        isWholeList,
        /** Whether `pieces` yields one piece. */
        isOnePiece: isWholeList || totalItems <= PIECE_ITEMS,
        /** Returns the response with one page of them and the pagination block. */
        page(request: PageRequest): Buffer {
          const from = Math.min(startOf(request, mark), totalItems);
          const to = Math.min(from + request.limit, totalItems);
          const next = to < totalItems ? Buffer.from(`${mark}${to}`).toString('base64url') : null;
          const total = request.after === undefined ? { totalItems } : { totalItems, next };
          return write(from, to, json.head, `],"pagination":${JSON.stringify(paginationOf(total, request))}}`);
        },
        /** Yields the response with all of them, in pieces generated on demand, well under a millisecond each; whole if it is serialised. */
        *pieces(): Generator<Buffer, void> {
          if (isWholeList) return yield json.all;
          let before = json.head;
          for (let from = 0; from === 0 || from < totalItems; from += PIECE_ITEMS) {
            const to = Math.min(from + PIECE_ITEMS, totalItems);
            yield write(from, to, before, to === totalItems ? LIST_END : '');
            before = SEPARATOR;
          }
        },
      };
    },
  };
}
