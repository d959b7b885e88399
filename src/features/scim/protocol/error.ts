import { ApiError, type ErrorCode } from '../../../entities/api-error.ts';
import type { ErrorAnswer } from '../../../http/response/error-responses.ts';

export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** SCIM detail error keyword (RFC 7644, section 3.12). */
type ScimType =
  | 'invalidCursor'
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error with a SCIM detail keyword: a 400, unless another code is given. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, detail: string, code: ErrorCode = 'INVALID_INPUT') {
    super(code, detail);
    this.scimType = scimType;
  }
}

const TYPES: Partial<Record<ErrorCode, ScimType>> = {
  INVALID_INPUT: 'invalidValue',
  MALFORMED_REQUEST: 'invalidSyntax',
  ALREADY_EXISTS: 'uniqueness',
};

/** Returns the body of an error (RFC 7644, section 3.12). */
export function scimErrorBody(status: number, detail: string, scimType?: ScimType): Buffer {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  // A buffer: to a string the framework would add a charset parameter. JSON omits an undefined `scimType`.
  return Buffer.from(JSON.stringify({ schemas, status: String(status), scimType, detail }));
}

/** Converts an error to a SCIM error response. */
export function scimErrorAnswer(error: ApiError, requestId: string): ErrorAnswer<Buffer> {
  const { status, code, message, headers } = error;
  return {
    status,
    headers: {
      'content-type': SCIM_MEDIA_TYPE,
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: scimErrorBody(status, message, error instanceof ScimError ? error.scimType : TYPES[code]),
  };
}
