import type { ApiError, ErrorCode, ScimType } from '../lib/errors.ts';
import type { ErrorAnswer } from './response/error-responses.ts';

/** Where SCIM 2.0 is spoken (RFC 7644): with a media type and a form of errors of its own. */
export const SCIM_PATH = '/scim/v2';
export const SCIM_MEDIA_TYPE = 'application/scim+json; charset=utf-8';

const SCIM_URL = /^(?:https?:\/\/[^/?#]*)?\/scim\/v2(?:[/?#]|$)/i;

/** Whether a request is for SCIM, by its target. */
export function isForScim(url: string): boolean {
  return SCIM_URL.test(url);
}

const TYPES: Partial<Record<ErrorCode, ScimType>> = {
  INVALID_INPUT: 'invalidValue',
  MALFORMED_REQUEST: 'invalidSyntax',
  ALREADY_EXISTS: 'uniqueness',
};

/** Writes an error in the form of RFC 7644, section 3.12. */
export function scimErrorAnswer(
  { status, code, message, headers, scimType }: ApiError,
  requestId: string,
): ErrorAnswer {
  return {
    status,
    headers: {
      'content-type': SCIM_MEDIA_TYPE,
      'cache-control': 'no-store',
      'x-request-id': requestId,
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      // JSON has no place for what is undefined.
      scimType: scimType ?? TYPES[code],
      detail: message,
    }),
  };
}
