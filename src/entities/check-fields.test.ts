import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { band } from './band.ts';
import { checkNewRow, checkPatch } from './check-fields.ts';
import { department } from './department.ts';
import { companyRole } from './held-role.ts';
import { user } from './user.ts';
import { money } from './values.ts';

const COMPANY = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';

describe('the fields of a patch', () => {
  it('are those that are given, each in the form in which it is kept', () => {
    const given = { name: ' Sales ', budget: '7', costCode: 'CC-1', companyId: COMPANY };
    assert.deepEqual(checkPatch(department, ['name', 'budget'], given), {
      values: { name: 'Sales', budget: '7.00' },
      problems: [],
    });
    assert.deepEqual(checkPatch(department, ['name'], {}), { values: {}, problems: [] });
  });

  it('have all their problems told at once', () => {
    const { problems } = checkPatch(department, ['name', 'budget', 'costCode'], {
      name: null,
      budget: '7,5',
      costCode: '',
    });
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

  it('can be null where a row may have no value, which an empty text stands for', () => {
    const names = ['addressLine2', 'gender'] as const;
    assert.deepEqual(checkPatch(user, names, { addressLine2: null }).values, { addressLine2: null });
    assert.deepEqual(checkPatch(user, names, { addressLine2: ' ' }).values, { addressLine2: null });
    assert.deepEqual(checkPatch(band, ['maxBookingLimit'], { maxBookingLimit: null }).values, {
      maxBookingLimit: null,
    });
    const messages = checkPatch(user, names, { addressLine2: 7, gender: null }).problems.map(({ message }) => message);
    assert.deepEqual(messages, ['addressLine2 must be a text or null.', 'gender must be a text.']);
  });
});

describe('the fields of a new row', () => {
  it('have their defaults where they are not given', () => {
    const names = ['companyId', 'name', 'code', 'autoApprovalLimit', 'maxBookingLimit'] as const;
    const { values, problems } = checkNewRow(band, names, { companyId: COMPANY, name: 'Senior', code: 'B1' });
    assert.deepEqual(problems, []);
    assert.deepEqual(values, {
      ...{ companyId: COMPANY, name: 'Senior', code: 'B1' },
      ...{ autoApprovalLimit: '0.00', maxBookingLimit: null },
    });
    assert.deepEqual(checkNewRow(companyRole, ['id'], {}).values, { id: null });
  });

  it('are missed where there is no default', () => {
    assert.deepEqual(checkNewRow(department, ['name', 'costCode', 'budget'], { name: 'Sales' }).problems, [
      { field: 'costCode', code: 'REQUIRED', message: 'costCode is required.' },
    ]);
  });
});
