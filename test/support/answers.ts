import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import type { Pagination } from '../../src/api/pagination.ts';
import type { ErrorCode, FieldProblem } from '../../src/entities/api-error.ts';

/** The body of an error. */
export interface ErrorBody {
  success: false;
  message: string;
  code: ErrorCode;
  errors?: FieldProblem[];
  data?: unknown;
  requestId: string;
}

/** The payload of a successful answer. */
export function dataOf<Data>(response: LightMyRequestResponse): Data {
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ data: Data }>().data;
}

/** The items and the page block of a successful answer of a list. */
export function pageOf<Item>(response: LightMyRequestResponse): { items: Item[]; pagination: Pagination } {
  assert.equal(response.statusCode, 200, response.body);
  const { data, pagination } = response.json<{ data: Item[]; pagination: Pagination }>();
  return { items: data, pagination };
}

/** Asserts that the answer is this error, and that just these fields are to blame. */
export function assertRefused(
  response: LightMyRequestResponse,
  status: number,
  code: ErrorCode,
  fields: readonly string[] = [],
): ErrorBody {
  const error = response.json<ErrorBody>();
  assert.deepEqual([response.statusCode, error.code], [status, code], response.body);
  assert.deepEqual(
    (error.errors ?? []).map(({ field }) => field),
    fields,
    response.body,
  );
  return error;
}

/** Asserts that the values of just these fields are refused. */
export function assertInvalid(response: LightMyRequestResponse, ...fields: string[]): ErrorBody {
  return assertRefused(response, 400, 'INVALID_INPUT', fields);
}
