import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageParameters, pageRequestOf, paginationOf } from './pagination.ts';

describe('pagination', () => {
  for (const [totalItems, page, limit, totalPages, hasNextPage, hasPreviousPage] of [
    [0, 1, 10, 0, false, false],
    [0, 3, 10, 0, false, true],
    [1, 1, 10, 1, false, false],
    [10, 1, 10, 1, false, false],
    [11, 1, 10, 2, true, false],
    [11, 2, 10, 2, false, true],
    [11, 3, 10, 2, false, true],
    [30, 2, 10, 3, true, true],
    [5, 5, 1, 5, false, true],
    [152_970, Number.MAX_SAFE_INTEGER, 1000, 153, false, true],
  ] as const) {
    it(`page ${page} of ${totalItems} items with limit ${limit} reports ${totalPages} pages`, () => {
      assert.deepEqual(paginationOf({ totalItems }, { page, limit }), {
        totalItems,
        currentPage: page,
        totalPages,
        pageSize: limit,
        hasNextPage,
        hasPreviousPage,
      });
    });
  }

  it('a page request without page and limit is for page 1 with 10 items', () => {
    assert.deepEqual(pageRequestOf({}), { page: 1, limit: 10 });
    assert.deepEqual(pageRequestOf({ page: 3 }), { page: 3, limit: 10 });
    assert.deepEqual(pageRequestOf({ limit: 50, page: 2 }), { page: 2, limit: 50 });
  });

  it('the schemas of page and limit state their bounds and defaults', () => {
    const { page, limit } = pageParameters(100);
    assert.deepEqual(boundsOf(page), { minimum: 1, maximum: undefined, default: 1 });
    assert.deepEqual(boundsOf(limit), { minimum: 1, maximum: 100, default: 10 });
  });
});

function boundsOf(schema: object): object {
  const { minimum, maximum, default: value } = schema as Record<string, unknown>;
  return { minimum, maximum, default: value };
}
