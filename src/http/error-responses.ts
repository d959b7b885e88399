const WHEN = {
  400: 'A value is missing or invalid, or the request is malformed',
  401: 'No access token, or one that is not valid',
  403: 'The caller has not the role, or not in this company',
  412: 'If-Match no longer holds',
} as const;

const content = {
  'application/json': { schema: { $ref: 'Error#' } },
  'application/problem+json': { schema: { $ref: 'Error#' } },
};

/** The error answers of a route, for its response schema; those that any request can meet are under `default`. */
export function errorResponses(...statuses: (keyof typeof WHEN)[]) {
  return {
    ...Object.fromEntries(statuses.map((status) => [status, { description: WHEN[status], content }])),
    default: { description: 'Any other error: docs/errors.md lists them', content },
  };
}
