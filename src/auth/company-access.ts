import { ApiError } from '../lib/errors.ts';
import { type Caller, hasCorporateAccessTo } from './roles.ts';

/**
 * Refuses a caller without CorporateAccess to this very company. A company that is foreign, deactivated or does not
 * exist gets the same answer, from the caller's roles alone: nothing tells them apart.
 */
export function checkCompanyAccess(caller: Caller, companyId: string): void {
  if (!hasCorporateAccessTo(caller, companyId)) {
    throw new ApiError('COMPANY_FORBIDDEN', 'This needs the role Corporate Admin or Manager in the company asked for.');
  }
}
