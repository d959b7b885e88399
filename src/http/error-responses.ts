import { ApiError, apiErrors, type FieldProblem } from '../lib/errors.ts';
import { errorAnswer } from './error-answers.ts';

const OUT_OF_RANGE: FieldProblem = {
  field: 'limit',
  code: 'OUT_OF_RANGE',
  message: 'limit must be a whole number from 1 to 100.',
};

/** When each status is answered, and an example of an error that it comes with. */
const ERRORS = {
  400: ['A value is missing or invalid, or the request is malformed', apiErrors.invalidInput([OUT_OF_RANGE])],
  401: [
    'No access token, or one that is not valid',
    new ApiError('AUTHENTICATION_REQUIRED', 'This needs an access token: send Authorization: Bearer <token>.'),
  ],
  403: [
    'The caller has not the role, or not in this company',
    new ApiError('ROLE_REQUIRED', 'This needs the role Corporate Admin or Manager.'),
  ],
  412: [
    'If-Match no longer holds',
    new ApiError(
      'PRECONDITION_FAILED',
      'The profile has changed since it was read: look at it as it is now, then repeat with its ETag.',
    ),
  ],
  default: [
    'Any other error: docs/errors.md lists them',
    new ApiError('UNAVAILABLE', 'The service cannot reach its database: try again shortly.'),
  ],
} as const satisfies Record<string, readonly [description: string, example: ApiError]>;

/** The error answers of a route, for its response schema; those that any request can meet are under `default`. */
export function errorResponses(...statuses: Exclude<keyof typeof ERRORS, 'default'>[]) {
  return Object.fromEntries(
    [...statuses, 'default' as const].map((status) => {
      const [description, error] = ERRORS[status];
      const content = {
        'application/json': { schema: { $ref: 'Error#' }, example: exampleOf(error, '*/*') },
        'application/problem+json': {
          schema: { $ref: 'Problem#' },
          example: exampleOf(error, 'application/problem+json'),
        },
      };
      return [status, { description, content }];
    }),
  );
}

function exampleOf(error: ApiError, accept: string): unknown {
  return JSON.parse(errorAnswer(error, '5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e', accept).body);
}
