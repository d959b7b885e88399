import { ApiError, apiErrors, type ErrorCode } from '../lib/errors.ts';
import { errorAnswer } from './error-answers.ts';

const REQUEST_ID = '5f0c6a0e-6f2c-4a6e-8f3c-0a4a3d0f9b7e';

const EXAMPLES: readonly ApiError[] = [
  apiErrors.malformed('The body is not valid JSON.'),
  apiErrors.invalidInput([
    { field: 'limit', code: 'OUT_OF_RANGE', message: 'limit must be a whole number from 1 to 100.' },
  ]),
  new ApiError('AUTHENTICATION_REQUIRED', 'This needs an access token: send Authorization: Bearer <token>.'),
  new ApiError('INVALID_TOKEN', 'The access token has expired.'),
  new ApiError('ROLE_REQUIRED', 'This needs the role Super Admin or Platform RM.'),
  new ApiError('COMPANY_FORBIDDEN', 'This needs the role Corporate Admin or Manager in the company asked for.'),
  new ApiError('PREFETCH_REFUSED', 'This request changes the profile: it is not answered ahead of time.'),
  new ApiError('PRECONDITION_FAILED', 'The profile has been changed since it was read.'),
];
