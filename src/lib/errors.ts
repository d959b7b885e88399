/** What is wrong with one field of a request. */
export interface FieldProblem {
  /** The name of the field or parameter, as the caller wrote it. */
  field: string;
  code: FieldProblemCode;
  /** A sentence for people: what was wrong and what is expected. */
  message: string;
}

export type FieldProblemCode =
  | 'REQUIRED'
  | 'DUPLICATE'
  | 'INVALID_TYPE'
  | 'INVALID_VALUE'
  | 'INVALID_FORMAT'
  | 'OUT_OF_RANGE'
  | 'TOO_SHORT'
  | 'TOO_LONG';

/** The stable codes of error answers, each with the status it comes with. Documented in docs/errors.md. */
export const ERROR_STATUS = {
  MALFORMED_REQUEST: 400,
  INVALID_INPUT: 400,
  AUTHENTICATION_REQUIRED: 401,
  INVALID_TOKEN: 401,
  ROLE_REQUIRED: 403,
  COMPANY_FORBIDDEN: 403,
  PREFETCH_REFUSED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  DISK_FULL: 503,
  OVERLOADED: 503,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** An error that the caller of the API is told about, word for word. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly problems: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;
  /** What the caller needs to go on, as the operation would have answered it. */
  readonly data: object | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      problems?: readonly FieldProblem[];
      headers?: Readonly<Record<string, string>>;
      data?: object;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.problems = details.problems ?? [];
    this.headers = details.headers ?? {};
    this.data = details.data;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The factories of the errors that more than one place raises. */
export const apiErrors = {
  malformed: (message: string) => new ApiError('MALFORMED_REQUEST', message),
  invalidInput: (problems: readonly FieldProblem[]) =>
    new ApiError('INVALID_INPUT', problems.map((problem) => problem.message).join(' '), { problems }),
  unsupportedMediaType: () =>
    new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must be JSON, sent as Content-Type: application/json in UTF-8, not compressed.',
    ),
};

/**
 * An error for the person at the command line: its message says what was wrong, where, and what to do,
 * and is printed without a stack trace.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}
