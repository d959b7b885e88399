import { type TSchema, Type } from 'typebox';
import type { PageRequest } from '../db/sql/select-page.ts';

export interface Pagination {
  totalItems: number;
  currentPage: number;
  totalPages: number;
  pageSize: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

export const DEFAULT_PAGE: PageRequest = { page: 1, limit: 10 };

/**
 * Returns the pagination block of a response (spec.: Common response envelope). A page past the end is valid: it has a previous page and no
 * next one. Without items there are 0 pages.
 */
export function paginationOf(totalItems: number, { page, limit }: PageRequest): Pagination {
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

export const PaginationSchema = Type.Object(
  {
    totalItems: Type.Integer({ description: 'Items on all pages', examples: [128] }),
    currentPage: Type.Integer({ examples: [1] }),
    totalPages: Type.Integer({ description: '0 where there are no items', examples: [13] }),
    pageSize: Type.Integer({ description: 'The requested limit', examples: [10] }),
    hasNextPage: Type.Boolean({ examples: [true] }),
    hasPreviousPage: Type.Boolean({ examples: [false] }),
  },
  { title: 'Pagination', description: 'Position of this page in the list' },
);

/** Returns the schema of the parameters of an always paginated list. @param maximum items per page */
export function pageParameters(maximum: number) {
  return {
    page: Type.Optional(Type.Integer({ minimum: 1, default: DEFAULT_PAGE.page, description: 'Page number, from 1' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum, default: DEFAULT_PAGE.limit, description: 'Items on a page' }),
    ),
  } satisfies Record<string, TSchema>;
}

/** Schema keyword: name of the boolean parameter without which this one is ignored. */
export const ONLY_WITH = 'x-only-with';

/** Returns the schema of the parameters of a list that is paginated on request. @param maximum items per page */
export function optionalPageParameters(maximum: number) {
  const only = { [ONLY_WITH]: 'isPaginationNeeded' };
  return {
    isPaginationNeeded: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true gives one page and the pagination block, false the full list',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        ...only,
        minimum: 1,
        default: 1,
        description: 'Page number, from 1; only with isPaginationNeeded',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        ...only,
        minimum: 1,
        maximum,
        default: 10,
        description: 'Items on a page; only with isPaginationNeeded',
      }),
    ),
  } satisfies Record<string, TSchema>;
}

/** Returns the page request of checked parameters, with defaults. */
export function pageRequestOf(input: { page?: number; limit?: number }): PageRequest {
  return { page: input.page ?? DEFAULT_PAGE.page, limit: input.limit ?? DEFAULT_PAGE.limit };
}
