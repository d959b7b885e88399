import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareEvidence, type Evidence, type Verdict } from './newcomers.ts';

const ADA: Evidence = { firstName: 'Ada', lastName: 'Rao', directoryId: 'okta' };
const known = { ...ADA, externalId: 'o-1', employeeNumber: 'E-1', dateOfBirth: '1961-02-03' };

const CASES: readonly (readonly [former: Evidence, comes: Evidence, verdict: Verdict])[] = [
  [known, { firstName: 'Bob', lastName: 'Lee', directoryId: 'okta', externalId: 'o-1', employeeNumber: 'E-2' }, 'same'],
  [known, { ...ADA, directoryId: 'entra', externalId: 'e-1', employeeNumber: 'e-1' }, 'same'],
  [known, { firstName: 'Ada', lastName: 'Smith', employeeNumber: 'E-1' }, 'same'],
  [known, { firstName: 'Bob', lastName: 'Lee', employeeNumber: 'E-1' }, 'newcomer'],
  [known, { ...ADA, employeeNumber: 'E-2' }, 'newcomer'],
  [known, { firstName: 'Bob', lastName: 'Lee' }, 'newcomer'],
  [known, { firstName: 'RAO', lastName: 'Adá', dateOfBirth: '1961-02-03' }, 'same'],
  [known, { ...ADA, directoryId: 'entra', externalId: 'e-1' }, 'same'],
  [ADA, { ...ADA, externalId: 'o-1' }, 'same'],
  [{ ...ADA, externalId: 'o-1' }, { ...ADA, externalId: 'o-2' }, 'newcomer'],
  [known, { ...ADA, externalId: 'o-2', dateOfBirth: '1990-01-01' }, 'unclear'],
  [known, { firstName: 'Ada', lastName: 'Smith' }, 'unclear'],
  [{ ...ADA, externalId: 'o-1' }, { firstName: 'Ada', lastName: 'Rao', externalId: 'o-2' }, 'unclear'],
  [{ ...ADA, externalId: 'o-1' }, { ...ADA, lastName: 'Smith', externalId: 'e-1', directoryId: 'entra' }, 'unclear'],
  [ADA, { firstName: 'Ada', lastName: 'Rao' }, 'unclear'],
];

for (const [former, comes, verdict] of CASES) {
  it(`${JSON.stringify(comes)} in the place of ${JSON.stringify(former)} is ${verdict}`, () => {
    assert.equal(compareEvidence(former, comes), verdict);
  });
}
