import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import { circleAt } from '../../src/api/hierarchy.ts';
import { compileListInput } from '../../src/api/input.ts';
import { inUse, keyReused } from '../../src/api/kept-answers.ts';
import type { Method, Operation } from '../../src/api/operation.ts';
import { pageParameters } from '../../src/api/pagination.ts';
import {
  companyForbidden,
  requireRole,
  requireScope,
  corporateAdmins as roleHolders,
} from '../../src/auth/callers/access.ts';
import { REALM } from '../../src/auth/tokens/token-claims.ts';
import { ApiError, apiErrors, ERROR_STATUS, type ErrorCode } from '../../src/entities/api-error.ts';
import { cursorGone } from '../../src/features/audit-trail/audit-service.ts';
import { ApiErrorSchema, errorAnswer, ProblemSchema } from '../../src/http/response/error-responses.ts';
import { TAGS } from './about.ts';
import { type Components, componentName, exampleOf, type Schema } from './components.ts';

type Described = Operation<never>;

/** What can go wrong with an operation, and the headers that say more. */
interface ErrorKind {
  when: string;
  headers?: readonly string[];
}

const ERRORS: Readonly<Record<number, ErrorKind>> = {
  400: { when: 'A value is missing or invalid, or the request is malformed' },
  401: { when: 'Missing or invalid access token', headers: ['WWW-Authenticate'] },
  403: {
    when:
      'The caller lacks the role, possibly in this company, may not change this field or person, or is an API key ' +
      'without the scope',
  },
  404: { when: 'No such row that the caller can access: foreign and unknown ids look alike' },
  409: {
    when:
      'Conflict with the present state: a value is taken, something is in use, no administrator would remain, or ' +
      'another change is first in line; with Retry-After a request with the same Idempotency-Key is in progress',
    headers: ['Retry-After'],
  },
  410: { when: 'The cursor belongs to another feed, or to a position that the feed has not reached' },
  412: { when: 'The If-Match precondition failed; data is the present state', headers: ['ETag'] },
  413: { when: 'The body is too large: the limit is 64 KiB unless the operation states another' },
  415: { when: 'The body is not JSON' },
  422: { when: 'This Idempotency-Key was sent before with another request' },
  429: { when: 'Too many requests per minute', headers: ['Retry-After'] },
  503: { when: 'The service or one of its dependencies is temporarily unavailable', headers: ['Retry-After'] },
};

/** What any request can meet: one that is too slow or too large in its head, or a fault of the service. */
const ANY_OTHER: ErrorKind = {
  when: 'Any other error, as listed in docs/errors.md',
  headers: ['Allow', 'Retry-After'],
};

/** An error of each code, as operations give it. */
const EXAMPLES: Partial<Record<ErrorCode, () => ApiError>> = {
  INVALID_INPUT: () => thrownBy(() => compileListInput(Type.Object(pageParameters(100)))({ limit: '0' })),
  MALFORMED_REQUEST: () => apiErrors.malformed('The body is not well-formed JSON.'),
  AUTHENTICATION_REQUIRED: () =>
    new ApiError('AUTHENTICATION_REQUIRED', 'This needs an access token: send Authorization: Bearer <token>.', {
      headers: { 'www-authenticate': REALM },
    }),
  ROLE_REQUIRED: () =>
    thrownBy(() =>
      requireRole(roleHolders, {
        userId: '',
        active: true,
        works: true,
        signedInBy: 'platform',
        systemRole: null,
        companyRoles: [],
      }),
    ),
  COMPANY_FORBIDDEN: () => companyForbidden(roleHolders.roles ?? []),
  SCOPE_REQUIRED: () => thrownBy(() => requireScope('users.read', { scopes: [] })),
  NOT_FOUND: () => new ApiError('NOT_FOUND', 'There is no department with this id.'),
  ALREADY_EXISTS: () => {
    const message = 'Another department has this costCode already.';
    return new ApiError('ALREADY_EXISTS', message, {
      problems: [{ field: 'costCode', code: 'ALREADY_EXISTS', message }],
    });
  },
  IN_USE: () => new ApiError('IN_USE', 'This department is in use by 3 users.'),
  CIRCLE: () => circleAt('parentId', ['Sales', 'Field']),
  IDEMPOTENCY_KEY_IN_USE: inUse,
  IDEMPOTENCY_KEY_REUSED: keyReused,
  CURSOR_GONE: cursorGone,
  PAYLOAD_TOO_LARGE: () => apiErrors.payloadTooLarge(64 * 1024),
  UNSUPPORTED_MEDIA_TYPE: () => apiErrors.unsupportedMediaType(),
  TOO_MANY_REQUESTS: () => new ApiError('TOO_MANY_REQUESTS', 'Too many requests: try again in 12 s.'),
  UNAVAILABLE: () => new ApiError('UNAVAILABLE', 'The service cannot reach its database: try again shortly.'),
  INTERNAL_ERROR: () =>
    new ApiError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id when you report it.'),
};

/** The answers of an operation by this method that are errors, by their statuses, as far as they follow from its record. */
export function errorResponses(operation: Described, method: Method, shared: Components): Record<string, object> {
  const codes = errorCodes(operation, method);
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  const described = statuses.map((status) => {
    const kind = ERRORS[status] ?? ANY_OTHER;
    const data = dataOf(operation, status);
    const name = componentName(STATUS_CODES[status] ?? 'Error');
    if (data === undefined)
      return [String(status), shared.response(name, responseOf(kind, examplesOf(status), shared))];
    const examples = status === 412 ? { PRECONDITION_FAILED: changedSince(operation) } : examplesOf(status);
    return [String(status), responseOf(kind, examples, shared, data)];
  });
  const other = responseOf(ANY_OTHER, examplesOf(500), shared);
  return { ...Object.fromEntries(described), default: shared.response('UnexpectedError', other) };
}

function examplesOf(status: number): Record<string, ApiError> {
  const codes = Object.entries(EXAMPLES).filter(([code]) => ERROR_STATUS[code as ErrorCode] === status);
  return Object.fromEntries(codes.map(([code, example]) => [code, example()]));
}

function changedSince(operation: Described): ApiError {
  const noun = TAGS.find(({ name }) => name === operation.tag)?.noun ?? operation.tag;
  const message = `The ${noun} has changed since it was read: look at it as it is now, then repeat with its ETag.`;
  return new ApiError('PRECONDITION_FAILED', message, { data: exampleOf(presentOf(operation) as Schema) as object });
}

/** The codes of the errors that are most likely of each status first: the example is of that. */
function errorCodes({ access, input, writes = false, etag, errors = [] }: Described, method: Method): ErrorCode[] {
  const isPublic = access.name === 'public';
  const codes: ErrorCode[] = ['MALFORMED_REQUEST'];
  if (input !== undefined) codes.unshift('INVALID_INPUT');
  if (method === 'POST') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (!isPublic) codes.push('INVALID_TOKEN', 'TOO_MANY_REQUESTS', 'UNAVAILABLE');
  else if (access.isCounted) codes.push('TOO_MANY_REQUESTS');
  if (!isPublic && (access.roles?.length ?? 0) > 0) codes.push('ROLE_REQUIRED');
  if (method === 'GET' && writes) codes.push('PREFETCH_REFUSED');
  if (!isPublic) codes.push('SCOPE_REQUIRED');
  if (etag === 'If-Match') codes.push('PRECONDITION_FAILED');
  if (method === 'POST' && writes) codes.push('IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED');
  return [...codes, ...errors];
}

function responseOf(
  { when, headers = [] }: ErrorKind,
  errors: Readonly<Record<string, ApiError>>,
  shared: Components,
  data?: Record<string, TSchema>,
) {
  const forms = { 'application/json': ApiErrorSchema, 'application/problem+json': ProblemSchema };
  const content = Object.entries(forms).map(([type, form]) => {
    const schema = shared.schema((data === undefined ? form : withData(form, data)) as Schema);
    const examples = Object.entries(errors).map(([code, error]) => [code, { value: bodyOf(error, type) }]);
    return [type, { schema, examples: Object.fromEntries(examples) }];
  });
  return {
    description: when,
    headers: Object.fromEntries(
      ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...headers].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
    content: Object.fromEntries(content),
  };
}

/** What an error of that status shows besides, under the word by which its form is called. */
function dataOf(operation: Described, status: number): Record<string, TSchema> | undefined {
  if (status === 412) return { changed: presentOf(operation) };
  return status === 400 && operation.refused ? { refused: operation.refused } : undefined;
}

/** The form of an error that shows the present state, or, where the input is to blame and not the request, what is wrong with it. */
function withData(form: typeof ApiErrorSchema | typeof ProblemSchema, { changed, refused }: Record<string, TSchema>) {
  const { title } = form as Schema;
  const word = changed ? 'changed' : 'refused';
  const data = changed ?? refused ?? Type.Object({});
  const name = componentName((data as Schema).title ?? '', word, title === 'Problem' ? title : '');
  return Type.Object({ ...form.properties, data: changed ? data : Type.Optional(data) }, { title: name });
}

function bodyOf(error: ApiError, accept: string): unknown {
  return JSON.parse(errorAnswer(error, '5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e', accept).body);
}

/** What a 412 shows. */
function presentOf({ present, output }: Described): TSchema {
  return present ?? output.view;
}

/** @throws TypeError where nothing is thrown: the example is none */
function thrownBy(action: () => unknown): ApiError {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new TypeError('An example of an error is none');
}
