import { STATUS_CODES } from 'node:http';
import { type TSchema, Type } from 'typebox';
import { parseBody } from '../../src/api/body.ts';
import { circleAt } from '../../src/api/hierarchy.ts';
import { compileListInput, LIST_OF } from '../../src/api/input.ts';
import type { Method, Operation } from '../../src/api/operation.ts';
import { requireRole, requireScope } from '../../src/auth/callers/access.ts';
import { REALM } from '../../src/auth/tokens/access-token.ts';
import { ApiError, apiErrors, ERROR_STATUS, type ErrorCode } from '../../src/entities/api-error.ts';
import { readEvaluation } from '../../src/features/approval-policies/evaluate.ts';
import { cursorGone } from '../../src/features/audit-trail/audit-service.ts';
import { ApiErrorSchema, errorAnswer, ProblemSchema } from '../../src/http/response/error-responses.ts';
import { TAGS } from './about.ts';
import { type Components, componentName, exampleOf, type Schema } from './components.ts';

type Described = Operation<never>;

/** What can go wrong with an operation, and how that is told. */
interface ErrorKind {
  when: string;
  /** An error that this operation can give, of one of the codes of the status that it has. */
  example(operation: Described, codes: readonly ErrorCode[]): ApiError;
  /** What tells the answer from those of other operations, where there are several of the status. */
  names?(operation: Described, example: ApiError): readonly string[];
  /** The headers that say more. */
  headers?: readonly string[];
}

const ERRORS: Readonly<Record<number, ErrorKind>> = {
  400: {
    when: 'A value is missing or invalid, or the request is malformed',
    example: badInput,
    names: ({ tag, operationId }, { problems: [problem] }) =>
      problem ? [problem.field, `${problem.field} ${tag}`, operationId] : [],
  },
  401: {
    when: 'Missing or invalid access token',
    example: () =>
      new ApiError('AUTHENTICATION_REQUIRED', 'This needs an access token: send Authorization: Bearer <token>.', {
        headers: { 'www-authenticate': REALM },
      }),
    headers: ['WWW-Authenticate'],
  },
  403: {
    when:
      'The caller lacks the role, possibly in this company, may not change this field or person, or is an API key ' +
      'without the scope',
    example: forbidden,
    names: ({ access, scope, operationId }, { code }) => [
      code === 'ROLE_REQUIRED'
        ? `to ${access.name}`
        : code === 'SCOPE_REQUIRED'
          ? `to key ${scope ?? ''}`
          : operationId,
    ],
  },
  404: {
    when: 'No such row that the caller can access: foreign and unknown ids look alike',
    example: ({ tag }) => new ApiError('NOT_FOUND', `There is no ${nounOf(tag)} with this id.`),
    names: ({ tag }) => [nounOf(tag)],
  },
  409: {
    when:
      'Conflict with the present state: a value is taken, something is in use, no administrator would remain, or ' +
      'another change is first in line',
    example: ({ tag }, [code]) => conflict(tag, code),
    names: ({ tag }, { code }) => [`${nounOf(tag)} ${code.toLowerCase()}`],
  },
  410: {
    when: 'The cursor belongs to another feed, or to a position that the feed has not reached',
    example: () => cursorGone(),
  },
  412: {
    when: 'The If-Match precondition failed; data is the present state',
    example: (operation) =>
      new ApiError(
        'PRECONDITION_FAILED',
        `The ${nounOf(operation.tag)} has changed since it was read: look at it as it is now, then repeat with its ETag.`,
        { data: exampleOf(presentOf(operation) as Schema) as object },
      ),
    names: ({ tag }) => [nounOf(tag)],
    headers: ['ETag'],
  },
  413: {
    when: 'The body is too large: the limit is 64 KiB unless the operation states another',
    example: () => apiErrors.payloadTooLarge(64 * 1024),
  },
  415: { when: 'The body is not JSON', example: () => apiErrors.unsupportedMediaType() },
  429: {
    when: 'Too many requests per minute',
    example: () => new ApiError('TOO_MANY_REQUESTS', 'Too many requests: try again in 12 s.'),
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  503: {
    when: 'The service or one of its dependencies is temporarily unavailable',
    example: () => new ApiError('UNAVAILABLE', 'The service cannot reach its database: try again shortly.'),
    headers: ['Retry-After'],
  },
};

/** What any request can meet: one that is too slow or too large in its head, or a fault of the service. */
const ANY_OTHER: ErrorKind = {
  when: 'Any other error, as listed in docs/errors.md',
  example: () =>
    new ApiError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id when you report it.'),
  headers: ['Allow', 'Retry-After'],
};

/** The answers of an operation by this method that are errors, by their statuses, as far as they follow from its record. */
export function errorResponses(operation: Described, method: Method, shared: Components): Record<string, object> {
  const codes = errorCodes(operation, method);
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b);
  const told = statuses.map((status) => {
    const kind = ERRORS[status] ?? ANY_OTHER;
    const example = kind.example(
      operation,
      codes.filter((code) => ERROR_STATUS[code] === status),
    );
    const base = (STATUS_CODES[status] ?? 'Error').replaceAll(/[^A-Za-z]/g, '');
    const [first = '', ...others] = kind.names?.(operation, example) ?? [];
    const names = [first, ...others].map((name) => base + componentName(name));
    return [
      String(status),
      shared.response(names, responseOf(kind, example, shared, dataOf(operation, status))),
    ] as const;
  });
  const other = responseOf(ANY_OTHER, ANY_OTHER.example(operation, []), shared);
  return { ...Object.fromEntries(told), default: shared.response(['AnyOtherError'], other) };
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
  return [...codes, ...errors];
}

function responseOf(
  { when, headers = [] }: ErrorKind,
  example: ApiError,
  shared: Components,
  data?: Record<string, TSchema>,
) {
  const forms = { 'application/json': ApiErrorSchema, 'application/problem+json': ProblemSchema };
  const content = Object.entries(forms).map(([type, form]) => {
    const schema = shared.schema((data === undefined ? form : withData(form, data)) as Schema);
    return [type, { schema, example: bodyOf(example, type) }];
  });
  return {
    description: when,
    headers: Object.fromEntries(
      ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
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

/** What the operation itself says of a value that is not good, beside others that are. */
function badInput({ id, input, parse }: Described): ApiError {
  // Its input is read once the role is known.
  if (id === 'approvalPolicies.evaluate') return thrownBy(() => readEvaluation({}, KEY));
  if (input === undefined) return apiErrors.malformed('The body is not well-formed JSON.');
  const properties = input.properties as Readonly<Record<string, Schema>>;
  const required = (input.required ?? []) as readonly string[];
  const isPaged = Object.hasOwn(properties, 'limit');
  const broken = isPaged ? 'limit' : (required[0] ?? Object.keys(properties)[0] ?? '');
  const good = required.map((name) => [name, exampleOf(properties[name] ?? {})]);
  const asked = 'isPaginationNeeded' in properties ? { isPaginationNeeded: true } : {};
  const bad = isPaged ? 0 : LIST_OF in (properties[broken] ?? {}) ? '?' : '';
  // The handler reads the input.
  if (parse === parseBody)
    return apiErrors.invalidInput([{ field: broken, code: 'REQUIRED', message: `${broken} is required.` }]);
  const check = parse ?? compileListInput(input);
  return thrownBy(() => check({ ...Object.fromEntries(good), ...asked, [broken]: bad }));
}

const KEY = { keyId: '', companyId: null, createdBy: null, confirmedBy: null, isSuspended: false, scopes: [] };

function forbidden({ access, scope }: Described, codes: readonly ErrorCode[]): ApiError {
  if (codes[0] === 'PREFETCH_REFUSED') {
    return new ApiError('PREFETCH_REFUSED', 'This request changes the profile: it must not be prefetched.');
  }
  if ((codes[0] === 'ROLE_REQUIRED' || scope === 'any') && access.name !== 'public') {
    return thrownBy(() =>
      requireRole(access, { userId: '', active: true, works: true, systemRole: null, companyRoles: [] }),
    );
  }
  return thrownBy(() => requireScope(scope, { scopes: [] }));
}

function conflict(tag: string, code: ErrorCode = 'ALREADY_EXISTS'): ApiError {
  const { noun, unique = 'id' } = TAGS.find(({ name }) => name === tag) ?? { noun: tag };
  switch (code) {
    case 'IN_USE':
      return new ApiError(code, `This ${noun} is in use: 3 people refer to it.`);
    case 'LAST_ADMIN':
      return new ApiError(
        code,
        'This is the last active Corporate Admin of the company: give somebody else the role first.',
      );
    case 'CIRCLE':
      return circleAt(tag === 'Departments' ? 'parentId' : 'employment.managerId');
    case 'LIMIT_REACHED':
      return new ApiError(code, `There are 20 ${noun}s already: delete one first.`);
    case 'NOT_FIRST_IN_LINE': {
      const message = 'changeId must be that of the change first in line: at the moment it is change 4712.';
      return new ApiError(code, message, { problems: [{ field: 'changeId', code: 'INVALID_VALUE', message }] });
    }
    default: {
      const message = `Another ${noun} has this ${unique} already.`;
      return new ApiError('ALREADY_EXISTS', message, {
        problems: [{ field: unique, code: 'ALREADY_EXISTS', message }],
      });
    }
  }
}

/** What a 412 shows. */
function presentOf({ present, output }: Described): TSchema {
  return present ?? output.view;
}

function nounOf(tag: string): string {
  return TAGS.find(({ name }) => name === tag)?.noun ?? tag;
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
