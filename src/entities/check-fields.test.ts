import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { band } from './band.ts';
import { type Checked, checkNewRow, checkPatch } from './check-fields.ts';
import { department } from './department.ts';
import { companyRole } from './held-role.ts';
import { user } from './user.ts';
import { money } from './values.ts';

const COMPANY = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';

const checkedValue = <Value>(checked: Checked<Value>) => (checked.ok ? checked.value : undefined);
const problemsOf = (checked: Checked<unknown>) => (checked.ok ? [] : checked.problems);

describe('the fields of a patch', () => {
  it('the patch check returns only the given fields, in the form in which they are stored', () => {
    const given = { name: ' Sales ', budget: '7', costCode: 'CC-1', companyId: COMPANY };
    assert.deepEqual(checkPatch(department, ['name', 'budget'], given), {
      ok: true,
      value: { name: 'Sales', budget: '7.00' },
    });
    assert.deepEqual(checkPatch(department, ['name'], {}), { ok: true, value: {} });
  });

  it('the patch check returns the problems of all fields at once', () => {
    const problems = problemsOf(
      checkPatch(department, ['name', 'budget', 'costCode'], {
        name: null,
        budget: '7,5',
        costCode: '',
      }),
    );
    assert.deepEqual(problems, [
      { field: 'name', code: 'INVALID_TYPE', message: 'name must be a text.' },
      { field: 'budget', code: 'INVALID_FORMAT', message: `budget must be ${money.rule}.` },
      {
        field: 'costCode',
        code: 'TOO_SHORT',
        message: 'costCode must be 1 to 50 characters without control characters.',
      },
    ]);
  });

  it('the patch check accepts null or an empty text for a field that may have no value', () => {
    const names = ['addressLine2', 'firstName'] as const;
    assert.deepEqual(checkedValue(checkPatch(user, names, { addressLine2: null })), { addressLine2: null });
    assert.deepEqual(checkedValue(checkPatch(user, names, { addressLine2: ' ' })), { addressLine2: null });
    assert.deepEqual(checkedValue(checkPatch(band, ['maxBookingLimit'], { maxBookingLimit: null })), {
      maxBookingLimit: null,
    });
    const messages = problemsOf(checkPatch(user, names, { addressLine2: 7, firstName: null })).map(
      ({ message }) => message,
    );
    assert.deepEqual(messages, ['addressLine2 must be a text or null.', 'firstName must be a text.']);
  });
});

describe('the fields of a new row', () => {
  it('the check of a new row fills in the defaults of fields that are not given', () => {
    const names = ['companyId', 'name', 'code', 'autoApprovalLimit', 'maxBookingLimit'] as const;
    const given = { companyId: COMPANY, name: 'Senior', code: 'B1' };
    const defaults = { autoApprovalLimit: '0.00', maxBookingLimit: null };
    assert.deepEqual(checkedValue(checkNewRow(band, names, given)), { ...given, ...defaults });
    assert.deepEqual(checkedValue(checkNewRow(companyRole, ['id'], {})), { id: null });
  });

  it('the check of a new row returns REQUIRED for an absent field without a default', () => {
    assert.deepEqual(problemsOf(checkNewRow(department, ['name', 'costCode', 'budget'], { name: 'Sales' })), [
      { field: 'costCode', code: 'REQUIRED', message: 'costCode is required.' },
    ]);
  });
});
