import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decisionOf, loweredWithout, warningsOf } from '../../../web/src/pages/policy-decision.ts';

type Policy = Parameters<typeof decisionOf>[0];
type Role = Policy['levels'][number]['roleRequired'];

const policy = (autoApprovalLimit: string, ...levels: [Role, string][]): Policy => ({
  id: 'p',
  name: 'Travel',
  autoApprovalLimit,
  levels: levels.map(([roleRequired, minAmount], at) => ({ id: `l${at}`, level: at + 1, roleRequired, minAmount })),
});
const TRAVEL = policy('45000.00', ['MANAGER', '45000.00'], ['CORPORATE_ADMIN', '100000.00']);
const limits =
  (found: Readonly<Partial<Record<Role, string | null>>>, withoutThem: typeof found = found) =>
  (role: Role, without?: string) =>
    (without === undefined ? found : withoutThem)[role];

describe('decisions and warnings of a policy in the console', () => {
  it('the console shows the same decision as the service at the limits of a policy and between its levels', () => {
    const highest = limits({ MANAGER: '60000.00', CORPORATE_ADMIN: '250000.00' });
    const said = (of: Policy, amount: string) => {
      const decided = decisionOf(of, amount, highest);
      return [decided?.decision, decided?.lacking.join()];
    };
    assert.deepEqual(said(TRAVEL, '45000'), ['AUTO_APPROVED', '']);
    assert.deepEqual(said(TRAVEL, '45000.01'), ['APPROVAL_NEEDED', '']);
    assert.deepEqual(said(TRAVEL, '60000.5'), ['APPROVAL_NEEDED', '']);
    assert.deepEqual(said(TRAVEL, '250000.01'), ['NOBODY_CAN_APPROVE', 'CORPORATE_ADMIN']);
    assert.deepEqual(said(policy('5000.00', ['CORPORATE_ADMIN', '100000.00']), '50000'), ['APPROVAL_NEEDED', '']);
    assert.equal(decisionOf(TRAVEL, '99999999999999', highest), undefined);
  });

  it('the console marks a decision as uncertain if the limits of the approvers are unknown', () => {
    const platform = policy('0.00', ['PLATFORM_RM', '1.00']);
    assert.equal(decisionOf(platform, '5', limits({}))?.isCertain, false);
    assert.equal(decisionOf(policy('1.00', ['PLATFORM_RM', '1.00']), '0.50', limits({}))?.isCertain, true);
  });

  it('the console warns of roles that nobody holds and of the amount from which nobody can approve', () => {
    assert.deepEqual(warningsOf(TRAVEL, limits({ MANAGER: '60000.00', CORPORATE_ADMIN: null })), {
      nobodyHolds: ['CORPORATE_ADMIN'],
      from: '60000.01',
    });
    assert.deepEqual(warningsOf(policy('5.00', ['PLATFORM_RM', '9.00']), limits({})), {
      nobodyHolds: [],
      from: undefined,
    });
  });

  it('the console names the policies that approve less without a person who alone holds a role', () => {
    const before = { MANAGER: '60000.00', CORPORATE_ADMIN: '250000.00' };
    const highest = limits(before, { MANAGER: '50000.00', CORPORATE_ADMIN: null });
    const lowered = (roles: Role[]) =>
      loweredWithout([TRAVEL], highest, { id: 'x', roles }).map((one) => [one.before, one.after]);
    assert.deepEqual(lowered(['MANAGER']), []);
    assert.deepEqual(lowered(['CORPORATE_ADMIN']), [['250000.01', '60000.01']]);
    assert.deepEqual(lowered(['EMPLOYEE']), []);
    const wide = limits({ CORPORATE_ADMIN: '250000.00' }, { CORPORATE_ADMIN: null });
    const [found] = loweredWithout([TRAVEL], wide, { id: 'x', roles: ['CORPORATE_ADMIN'] });
    assert.deepEqual([found?.before, found?.after], ['250000.01', '100000.00']);
  });
});
