import { ApiError, type ScimType } from '../../lib/errors.ts';

/** A 400 that SCIM has a word for. */
export function scimFault(scimType: ScimType, detail: string): ApiError {
  return new ApiError('INVALID_INPUT', detail, { scimType });
}
