import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { approvalGap, decideApproval, worksUpTo } from './approval-decision.ts';

const level = (roleRequired: string, minAmount: string) => ({ roleRequired, minAmount });
const rules = (autoApprovalLimit: string, ...levels: ReturnType<typeof level>[]) => ({
  autoApprovalLimit,
  maxBookingLimit: null,
  levels,
});
const TRAVEL = rules('5000.00', level('MANAGER', '5000.00'), level('CORPORATE_ADMIN', '100000.00'));
const GAP = rules('5000.00', level('CORPORATE_ADMIN', '100000.00'));

describe('decideApproval', () => {
  it('approves automatically up to the limit, and where no level begins', () => {
    for (const [policy, amount, decision, steps] of [
      [TRAVEL, '5000.00', 'AUTO_APPROVED', 0],
      [TRAVEL, '5000.01', 'APPROVAL_NEEDED', 1],
      [TRAVEL, '99999.99', 'APPROVAL_NEEDED', 1],
      [TRAVEL, '100000.00', 'APPROVAL_NEEDED', 2],
      [GAP, '99999.99', 'AUTO_APPROVED', 0],
      [GAP, '100000.00', 'APPROVAL_NEEDED', 1],
      [rules('0.00'), '9999999999999.99', 'AUTO_APPROVED', 0],
    ] as const) {
      const decided = decideApproval(policy, amount);
      assert.deepEqual([decided.decision, decided.steps.length], [decision, steps], amount);
    }
  });

  it('puts the largest booking before the automatic limit, and asks for an approver of each level', () => {
    const small = { ...TRAVEL, maxBookingLimit: '4000.00' };
    assert.equal(decideApproval(small, '4000.00').decision, 'AUTO_APPROVED');
    assert.deepEqual(decideApproval(small, '4000.01'), { decision: 'OVER_LIMIT', steps: [] });
    const managersOnly = decideApproval(TRAVEL, '100000.00', ({ roleRequired }) => roleRequired === 'MANAGER');
    assert.deepEqual(managersOnly, { decision: 'NOBODY_CAN_APPROVE', steps: TRAVEL.levels });
  });
});

describe('approvalGap', () => {
  it('is what lies between the limit and the first level', () => {
    assert.equal(approvalGap(TRAVEL), undefined);
    assert.equal(approvalGap(rules('5000.00', level('MANAGER', '5000.01'))), undefined);
    assert.deepEqual(approvalGap(rules('5000.00', level('MANAGER', '5000.02'))), {
      above: '5000.00',
      below: '5000.02',
    });
    assert.deepEqual(approvalGap(GAP), { above: '5000.00', below: '100000.00' });
    assert.deepEqual(approvalGap(rules('5.00', level('MANAGER', '90.00'), level('MANAGER', '5.00'))), undefined);
    assert.deepEqual(approvalGap(rules('0.00')), { above: '0.00', below: null });
  });
});

describe('worksUpTo', () => {
  const upTo = (policy: typeof TRAVEL, limits: Readonly<Record<string, string | null>>) =>
    worksUpTo(policy, ({ roleRequired }) => limits[roleRequired]);

  it('is the lowest of the highest limits, unless a level that is not reached yet ends it', () => {
    assert.equal(upTo(TRAVEL, { MANAGER: '50000.00', CORPORATE_ADMIN: '250000.00' }), '50000.00');
    assert.equal(upTo(TRAVEL, { MANAGER: '500000.00', CORPORATE_ADMIN: '250000.00' }), '250000.00');
    assert.equal(upTo(TRAVEL, { MANAGER: '500000.00', CORPORATE_ADMIN: '70000.00' }), '99999.99');
    assert.equal(upTo(TRAVEL, { MANAGER: '500000.00', CORPORATE_ADMIN: null }), '99999.99');
  });

  it('is never below the automatic limit, counts what no level asks for, and leaves out what is not known', () => {
    assert.equal(upTo(TRAVEL, { MANAGER: null, CORPORATE_ADMIN: null }), '5000.00');
    assert.equal(upTo(TRAVEL, { MANAGER: '1000.00' }), '5000.00');
    assert.equal(upTo(GAP, { CORPORATE_ADMIN: null }), '99999.99');
    assert.equal(upTo(TRAVEL, {}), undefined);
    assert.equal(upTo(rules('5.00'), {}), undefined);
    assert.equal(upTo(rules('0.00', level('MANAGER', '0.01')), { MANAGER: null }), '0.00');
  });

  it('agrees with decideApproval at its bound and above it', () => {
    const limits: Readonly<Record<string, string>> = { MANAGER: '120000.00', CORPORATE_ADMIN: '110000.00' };
    const decisionAt = (amount: string) =>
      decideApproval(TRAVEL, amount, ({ roleRequired }) => Number(limits[roleRequired]) >= Number(amount)).decision;
    assert.equal(upTo(TRAVEL, limits), '110000.00');
    assert.equal(decisionAt('110000.00'), 'APPROVAL_NEEDED');
    assert.equal(decisionAt('110000.01'), 'NOBODY_CAN_APPROVE');
  });
});
