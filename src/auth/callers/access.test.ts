import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../entities/api-error.ts';
import { corporateStaff, requireCompany } from './access.ts';
import type { Caller, HeldCompanyRole } from './roles.ts';

const [OPEN, CLOSED, OTHER] = ['open', 'closed', 'other'];

function refusal(companyId: string, role: HeldCompanyRole['role']): ApiError {
  const companyRoles = [
    { id: '1', companyId: OPEN, role: 'MANAGER', companyActive: true },
    { id: '2', companyId: CLOSED, role, companyActive: false },
  ] as const;
  const caller: Caller = {
    userId: 'one',
    active: true,
    works: true,
    signedInBy: 'platform',
    systemRole: null,
    companyRoles,
  };
  try {
    requireCompany(corporateStaff, caller, [OPEN], companyId);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  return assert.fail('nothing was refused');
}

test('a manager of a closed company gets the error of a foreign company, and the log the reason', () => {
  const [closed, foreign] = [refusal(CLOSED, 'MANAGER'), refusal(OTHER, 'MANAGER')];
  assert.deepEqual([closed.code, closed.message], [foreign.code, foreign.message]);
  assert.deepEqual([closed.reason, foreign.reason], ['company closed', undefined]);
});

test('an employee of a closed company gets the error of a foreign company, and the log no reason', () => {
  assert.equal(refusal(CLOSED, 'EMPLOYEE').reason, undefined);
});
