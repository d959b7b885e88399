import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { isDatabaseUnavailable } from '../../db/database-errors.ts';
import { WrongCursorError } from '../../db/sql/select-page.ts';
import {
  ApiError,
  apiErrors,
  ERROR_STATUS,
  type ErrorCode,
  FIELD_PROBLEM_CODES,
  tryAgain,
} from '../../entities/api-error.ts';
import { DiskLowError } from '../../lib/errors.ts';

/** The page that explains each code at the anchor of its name. A relative reference with its full path (RFC 9457, section 3.1.1). */
const EXPLAINED = '/docs/errors#';

const message = Type.String({
  description: 'Human-readable description of the error',
  examples: ['limit must be a whole number from 1 to 100.'],
});
const details = {
  code: Type.String({
    title: 'ErrorCode',
    description: 'Stable, machine-readable code',
    enum: Object.keys(ERROR_STATUS),
    examples: ['INVALID_INPUT'],
  }),
  errors: Type.Optional(
    Type.Array(
      Type.Object(
        {
          field: Type.String({ examples: ['limit'] }),
          code: Type.String({ title: 'FieldErrorCode', enum: [...FIELD_PROBLEM_CODES], examples: ['OUT_OF_RANGE'] }),
          message: Type.String({ examples: ['limit must be a whole number from 1 to 100.'] }),
        },
        { title: 'FieldError' },
      ),
      { description: 'Only for errors of single fields' },
    ),
  ),
  requestId: Type.String({ description: 'Id of the request in the log; also in the header X-Request-Id' }),
};

export const ApiErrorSchema = Type.Object(
  { success: Type.Literal(false), message, ...details },
  { title: 'ApiError', description: 'Body of every error response' },
);

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'URL of the documentation of the code', examples: [`${EXPLAINED}INVALID_INPUT`] }),
    title: Type.String({ description: 'Reason phrase of the status', examples: ['Bad Request'] }),
    status: Type.Integer({ examples: [400] }),
    detail: message,
    ...ApiErrorSchema.properties,
  },
  {
    title: 'Problem',
    description: 'ApiError with the members of RFC 9457, for clients whose Accept names problem details',
  },
);

/** An error as an HTTP response. */
export interface ErrorAnswer<Body = string> {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

/** Matches an `Accept` that names the media type with a weight above 0, which would exclude it (RFC 9110, section 12.4.2). */
const PROBLEM_JSON = /(?:^|,)\s*application\/problem\+json\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|[,;])))/i;

/** Formats an error in the service's error format, or as RFC 9457 problem details if `Accept` names `application/problem+json`. */
export function errorAnswer(error: ApiError, requestId: string, accept: string | undefined): ErrorAnswer {
  const { status, code, message } = error;
  const asProblem = accept !== undefined && PROBLEM_JSON.test(accept);
  const errors = error.problems.length > 0 ? error.problems : undefined;
  // JSON omits undefined members.
  const own = { success: false, message, code, errors, data: error.data, requestId };
  const body = asProblem
    ? { type: `${EXPLAINED}${code}`, title: STATUS_CODES[status] ?? 'Error', status, detail: message, ...own }
    : own;
  return {
    status,
    headers: {
      'content-type': asProblem ? 'application/problem+json' : 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept',
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      ...error.headers,
    },
    body: JSON.stringify(body),
  };
}

/** Errors of the framework, by its code. */
const FRAMEWORK_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['MALFORMED_REQUEST', 'The path of the URL is not well-formed.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', apiErrors.unsupportedMediaType().message],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['MALFORMED_REQUEST', 'The body did not arrive whole.'],
};

/**
 * Returns the error that the caller sees: an ApiError as it is, any other without details.
 *
 * @param bodyLimit maximum bytes of the request's body
 */
export function toApiError(error: unknown, bodyLimit?: number): ApiError {
  if (error instanceof ApiError) return error;
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiErrors.payloadTooLarge(bodyLimit, error);
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (known) return new ApiError(known[0], known[1], { cause: error });
  // Before the database's errors: a client that disconnects in the middle of its body is an ECONNRESET with a status.
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new ApiError('MALFORMED_REQUEST', 'The request is not well-formed.', { cause: error });
  }
  if (error instanceof WrongCursorError) {
    const message = 'after must be start, or the next of an earlier answer of this list in the same order, as it was.';
    return apiErrors.invalidInput([{ field: 'after', code: 'INVALID_FORMAT', message }]);
  }
  if (error instanceof DiskLowError) {
    const message = 'The service has no disk space left to write to, and goes on reading: try again later.';
    return tryAgain('DISK_FULL', message, 30, error);
  }
  if (isDatabaseUnavailable(error)) {
    return tryAgain('UNAVAILABLE', 'The service cannot reach its database: try again shortly.', 2, error);
  }
  return new ApiError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id when you report it.', {
    cause: error,
  });
}
