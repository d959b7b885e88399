/** Stable codes of error responses, each with its HTTP status. Documented in docs/errors.md. */
export const ERROR_STATUS = {
  MALFORMED_REQUEST: 400,
  INVALID_INPUT: 400,
  AUTHENTICATION_REQUIRED: 401,
  INVALID_TOKEN: 401,
  ROLE_REQUIRED: 403,
  COMPANY_FORBIDDEN: 403,
  SCOPE_REQUIRED: 403,
  FIELD_FORBIDDEN: 403,
  PROTECTED_USER: 403,
  OWN_LIMIT: 403,
  KEY_SUSPENDED: 403,
  PREFETCH_REFUSED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ALREADY_EXISTS: 409,
  IN_USE: 409,
  CIRCLE: 409,
  PERIOD_CLOSED: 409,
  AMBIGUOUS: 409,
  LAST_ADMIN: 409,
  LIMIT_REACHED: 409,
  MANAGED_BY_DIRECTORY: 409,
  NOT_FIRST_IN_LINE: 409,
  OUTDATED: 409,
  ERASED: 409,
  NOT_CONFIGURED: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  CURSOR_GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  DISK_FULL: 503,
  OVERLOADED: 503,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** An error whose message is sent to the API client verbatim. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly problems: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  /** Data that the client needs to continue, in the form of the operation's normal response. */
  readonly data: object | undefined;
  /** A word for the log; may disclose more than the response. */
  readonly reason: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      problems?: readonly FieldProblem[];
      headers?: Readonly<Record<string, string>>;
      data?: object;
      reason?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.problems = details.problems ?? [];
    this.headers = details.headers ?? {};
    this.data = details.data;
    this.reason = details.reason;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Returns an error after which the request may be sent again. @param seconds to wait */
export function tryAgain(code: ErrorCode, message: string, seconds: number, cause?: unknown): ApiError {
  return new ApiError(code, message, { headers: { 'retry-after': String(seconds) }, cause });
}

/** Factories of errors raised in several places. */
export const apiErrors = {
  malformed: (message: string) => new ApiError('MALFORMED_REQUEST', message),
  /** Reports the first hundred problems only: a response must not be a multiple of the request. */
  invalidInput(all: readonly FieldProblem[]) {
    const problems = all.slice(0, MAX_PROBLEMS);
    return new ApiError('INVALID_INPUT', problems.map((problem) => problem.message).join(' '), { problems });
  },
  /** @param limit in bytes */
  payloadTooLarge: (limit: number | undefined, cause?: unknown) =>
    new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit ? `${limit / 1024} KiB` : 'it may be'}.`, {
      cause,
    }),
  unsupportedMediaType: () =>
    new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON, sent as Content-Type: application/json in UTF-8, not compressed.',
    ),
};

/** A problem with one field of a request. */
export interface FieldProblem {
  /** Name of the field or parameter, as the client wrote it. */
  field: string;
  code: FieldProblemCode;
  /** A sentence for people: the problem and what is expected. */
  message: string;
}

export const FIELD_PROBLEM_CODES = [
  'REQUIRED',
  'DUPLICATE',
  'INVALID_TYPE',
  'INVALID_VALUE',
  'INVALID_FORMAT',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'UNKNOWN_FIELD',
  'UNKNOWN_PARAMETER',
  'FIELD_FORBIDDEN',
  'ALREADY_EXISTS',
  'CIRCLE',
] as const;
export type FieldProblemCode = (typeof FIELD_PROBLEM_CODES)[number];

/** Returns a problem with the name of the field as the beginning of its message. @param predicate the rest of the sentence */
export function problemOf(field: string, code: FieldProblemCode, predicate: string): FieldProblem {
  return { field, code, message: `${field} ${predicate}${predicate.endsWith('?') ? '' : '.'}` };
}

/** Maximum number of problems in a response. */
export const MAX_PROBLEMS = 100;
