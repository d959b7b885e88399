import { paiseOf } from '../amounts.ts';
import type { Level, Policy } from '../api/types.ts';

/** Who approves an amount: nobody has to, these levels one after the other, or no level is there for it. */
export type Approval = { by: 'nobody needed' } | { by: 'levels'; levels: Level[] } | { by: 'no level' };

/**
 * Who would have to approve an amount: each level from its `minAmount` on. Below `autoApprovalLimit` nobody has to, and at
 * the limit itself nobody where no level begins there.
 *
 * @param amount decimal text
 */
export function approvalOf({ autoApprovalLimit, levels }: Policy, amount: string): Approval {
  const paise = paiseOf(amount) ?? 0n;
  const limit = paiseOf(autoApprovalLimit) ?? 0n;
  if (paise < limit) return { by: 'nobody needed' };
  const needed = levels.filter(({ minAmount }) => (paiseOf(minAmount) ?? 0n) <= paise);
  if (needed.length > 0) return { by: 'levels', levels: needed };
  return paise === limit ? { by: 'nobody needed' } : { by: 'no level' };
}
