import { STATUS_CODES } from 'node:http';
import { REALM } from '../auth/access-token.ts';
import { errorAnswer } from '../http/error-answers.ts';
import { ApiError, apiErrors, ERROR_STATUS, type ErrorCode, type FieldProblem } from '../lib/errors.ts';
import type { Method, Operation } from '../operations/operation.ts';

const OUT_OF_RANGE: FieldProblem = {
  field: 'limit',
  code: 'OUT_OF_RANGE',
  message: 'limit must be a whole number from 1 to 100.',
};

/** When each status is answered, an example of an error that it comes with, and the headers that say more. */
const ERRORS: Readonly<Record<number, { when: string; example: ApiError; headers?: readonly string[] }>> = {
  400: {
    when: 'A value is missing or invalid, or the request is malformed',
    example: apiErrors.invalidInput([OUT_OF_RANGE]),
  },
  401: {
    when: 'No access token, or one that is not valid',
    example: new ApiError(
      'AUTHENTICATION_REQUIRED',
      'This needs an access token: send Authorization: Bearer <token>.',
      { headers: { 'www-authenticate': REALM } },
    ),
    headers: ['WWW-Authenticate'],
  },
  403: {
    when: 'The caller has not the role, or not in this company, or may not change this field or person',
    example: new ApiError('ROLE_REQUIRED', 'This needs the role Corporate Admin or Manager.'),
  },
  404: {
    when: 'There is nothing of this id within reach of the caller, foreign and unknown alike',
    example: new ApiError('NOT_FOUND', 'There is no department with this id.'),
  },
  409: {
    when: 'What is there does not allow it: a value is taken, something is in use, or nobody would be left to administer',
    example: new ApiError('ALREADY_EXISTS', 'Another user has this email already.', {
      problems: [{ field: 'email', code: 'ALREADY_EXISTS', message: 'Another user has this email already.' }],
    }),
  },
  410: {
    when: 'The cursor is of another feed, or of a position that the feed has not reached',
    example: apiErrors.cursorGone(),
  },
  412: {
    when: 'If-Match no longer holds: data is the present state',
    example: new ApiError(
      'PRECONDITION_FAILED',
      'The profile has changed since it was read: look at it as it is now, then repeat with its ETag.',
    ),
    headers: ['ETag'],
  },
  413: {
    when: 'The body is too large',
    example: apiErrors.payloadTooLarge(64 * 1024),
  },
  415: { when: 'The body is not JSON', example: apiErrors.unsupportedMediaType() },
  429: {
    when: 'Too many requests in a minute',
    example: new ApiError('TOO_MANY_REQUESTS', 'Too many requests: try again in 12 s.'),
    headers: ['Retry-After'],
  },
  503: {
    when: 'The service, or what it needs, cannot do it at the moment',
    example: new ApiError('UNAVAILABLE', 'The service cannot reach its database: try again shortly.'),
    headers: ['Retry-After'],
  },
};

/** What any request can meet: a request that is too slow or too large in its head, or a fault of the service. */
const ANY_OTHER = {
  when: 'Any other error: docs/errors.md lists them',
  example: new ApiError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id when you report it.'),
};

export const ANY_OTHER_ERROR = 'AnyOtherError';

/** The errors that an operation can give by this method, as far as they follow from its record. */
export function errorStatuses(operation: Operation<never>, method: Method): number[] {
  const { access, input, writes = false, etag, errors = [] } = operation;
  const isPublic = access.name === 'public';
  const codes: ErrorCode[] = [...errors];
  if (input !== undefined) codes.push('INVALID_INPUT');
  if (method === 'POST') codes.push('MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  else if (writes) codes.push('PREFETCH_REFUSED');
  if (!isPublic) codes.push('INVALID_TOKEN', 'TOO_MANY_REQUESTS', 'UNAVAILABLE');
  else if (access.isCounted) codes.push('TOO_MANY_REQUESTS');
  if (!isPublic && access.roles) codes.push('ROLE_REQUIRED');
  if (etag === 'If-Match') codes.push('PRECONDITION_FAILED');
  return [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
}

/** The name of a status among the responses of the document: `BadRequest`. */
export function errorName(status: number): string {
  return (STATUS_CODES[status] ?? 'Error').replaceAll(/[^A-Za-z]/g, '');
}

/** The responses of the document that its operations refer to. */
export function errorResponses() {
  const named = Object.entries(ERRORS).map(([status, error]) => [errorName(Number(status)), responseOf(error)]);
  return { ...Object.fromEntries(named), [ANY_OTHER_ERROR]: responseOf(ANY_OTHER) };
}

function responseOf({ when, example, headers = [] }: (typeof ERRORS)[number]) {
  const refer = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
  return {
    description: when,
    headers: Object.fromEntries(
      ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: {
      'application/json': { schema: refer('Error'), example: bodyOf(example, '*/*') },
      'application/problem+json': { schema: refer('Problem'), example: bodyOf(example, 'application/problem+json') },
    },
  };
}

function bodyOf(error: ApiError, accept: string): unknown {
  return JSON.parse(errorAnswer(error, '5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e', accept).body);
}
