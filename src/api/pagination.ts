import { type Static, type TSchema, Type } from 'typebox';
import type { Page, PageRequest } from '../db/sql/select-page.ts';
import { apiErrors, problemOf } from '../entities/api-error.ts';
import { optional, textOrNull, titled } from '../entities/field-schemas.ts';

const DEFAULT_PAGE: PageRequest = { page: 1, limit: 10 };

/**
 * Returns the pagination block of a response (spec.: Common response envelope). A page past the end is valid: it has a previous page and no
 * next one. Without items there are 0 pages. With `after`, there is no number of pages but the cursor of the following page.
 */
export function paginationOf(
  { totalItems, next }: Omit<Page<unknown>, 'items'>,
  { page, limit }: PageRequest,
): Pagination | CursorPagination {
  if (next !== undefined) return { totalItems, pageSize: limit, next };
  const totalPages = Math.ceil(totalItems / limit);
  return {
    totalItems,
    currentPage: page,
    totalPages,
    pageSize: limit,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
}

const PaginationSchema = titled('Pagination', {
  totalItems: Type.Integer({ description: 'Items on all pages', examples: [128] }),
  currentPage: Type.Integer({ examples: [1] }),
  totalPages: Type.Integer({ description: '0 where there are no items', examples: [13] }),
  pageSize: Type.Integer({ description: 'The requested limit', examples: [10] }),
  hasNextPage: Type.Boolean({ examples: [true] }),
  hasPreviousPage: Type.Boolean({ examples: [false] }),
});
/** Schema keyword: the schemas that the document lists instead. */
export const ONE_OF = 'x-one-of';

/** Pagination block of a page by number. */
export type Pagination = Static<typeof PaginationSchema>;

/** Pagination block of a page that was requested with `after`. */
const CursorPaginationSchema = titled('CursorPagination', {
  totalItems: PaginationSchema.properties.totalItems,
  pageSize: PaginationSchema.properties.pageSize,
  next: textOrNull({
    examples: ['WyJ2Nk5xcTh5SCIsImFzaGEgcmFvIl0'],
    description: 'What to send as after for the following page; null at the end',
  }),
});
export type CursorPagination = Static<typeof CursorPaginationSchema>;

/** Schema by which a block of either kind is serialised; the document lists the two. */
export const AnyPaginationSchema = Type.Unsafe<Pagination | CursorPagination>({
  type: 'object',
  properties: { ...PaginationSchema.properties, ...CursorPaginationSchema.properties },
  required: ['totalItems', 'pageSize'],
  [ONE_OF]: [PaginationSchema, CursorPaginationSchema],
});

const after = optional.text({
  maxLength: 4096,
  description:
    'Instead of page: start for the first page, then the next of the answer before. No item that exists meanwhile is ' +
    'missed or repeated, whatever happens to others',
});

/** Returns the schema of the parameters of an always paginated list. @param maximum items per page */
export function pageParameters(maximum: number) {
  return {
    after,
    page: optional.integer({ minimum: 1, default: DEFAULT_PAGE.page, description: 'Page number, from 1' }),
    limit: optional.integer({ minimum: 1, maximum, default: DEFAULT_PAGE.limit, description: 'Items on a page' }),
  } satisfies Record<string, TSchema>;
}

/** Schema keyword: names of the parameters without any of which this one is ignored. */
export const ONLY_WITH = 'x-only-with';

/** Returns the schema of the parameters of a list that is paginated on request. @param maximum items per page */
export function optionalPageParameters(maximum: number) {
  return {
    isPaginationNeeded: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true gives one page and the pagination block, false the full list',
      }),
    ),
    after,
    page: optional.integer({
      [ONLY_WITH]: ['isPaginationNeeded'],
      minimum: 1,
      default: 1,
      description: 'Page number, from 1; only with isPaginationNeeded',
    }),
    limit: optional.integer({
      [ONLY_WITH]: ['isPaginationNeeded', 'after'],
      minimum: 1,
      maximum,
      default: 10,
      description: 'Items on a page; only with isPaginationNeeded or after',
    }),
  } satisfies Record<string, TSchema>;
}

/** Returns the page request of checked parameters, with defaults. @throws ApiError `INVALID_INPUT` for both `page` and `after` */
export function pageRequestOf({ page, limit, after }: Partial<PageRequest>): PageRequest {
  if (page !== undefined && after !== undefined) {
    throw apiErrors.invalidInput([problemOf('after', 'INVALID_VALUE', 'cannot be given together with page')]);
  }
  return { page: page ?? DEFAULT_PAGE.page, limit: limit ?? DEFAULT_PAGE.limit, ...(after !== undefined && { after }) };
}
