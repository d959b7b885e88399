import { cents, type DecimalString } from './money.ts';

/** The part of a policy level that the decision depends on. */
export interface AmountLevel {
  minAmount: DecimalString;
}

/** Input of a decision: the limits of the policy and of the booker, and the levels in ascending order. */
export interface ApprovalRules<Level extends AmountLevel> {
  autoApprovalLimit: DecimalString;
  /** Null: no limit. */
  maxBookingLimit: DecimalString | null;
  levels: readonly Level[];
}

export type ApprovalDecision = 'AUTO_APPROVED' | 'APPROVAL_NEEDED' | 'OVER_LIMIT' | 'NOBODY_CAN_APPROVE';

/**
 * Decides on a booking of an amount; the service and the console share this rule.
 *
 * @param hasApprover whether somebody can approve this amount at a level; absent: each level is assumed to have one
 * @returns the decision, and the levels that have to approve
 */
export function decideApproval<Level extends AmountLevel>(
  { autoApprovalLimit, maxBookingLimit, levels }: ApprovalRules<Level>,
  amount: DecimalString,
  hasApprover: (level: Level) => boolean = () => true,
): { decision: ApprovalDecision; steps: Level[] } {
  const asked = cents(amount);
  if (maxBookingLimit !== null && asked > cents(maxBookingLimit)) return { decision: 'OVER_LIMIT', steps: [] };
  const steps = asked <= cents(autoApprovalLimit) ? [] : levels.filter(({ minAmount }) => cents(minAmount) <= asked);
  if (steps.length === 0) return { decision: 'AUTO_APPROVED', steps };
  return { decision: steps.every(hasApprover) ? 'APPROVAL_NEEDED' : 'NOBODY_CAN_APPROVE', steps };
}

/**
 * Finds the amounts above the limit that no level covers, which are therefore approved automatically.
 *
 * @returns undefined if there are none; `below` is null if there is no level at all
 */
export function approvalGap({
  autoApprovalLimit,
  levels,
}: Pick<ApprovalRules<AmountLevel>, 'autoApprovalLimit' | 'levels'>):
  | { above: DecimalString; below: DecimalString | null }
  | undefined {
  const [first] = byAmount(levels);
  if (first === undefined) return { above: autoApprovalLimit, below: null };
  return cents(first.minAmount) > cents(autoApprovalLimit) + 1n
    ? { above: autoApprovalLimit, below: first.minAmount }
    : undefined;
}

/**
 * Finds the largest amount up to which every required level has somebody who can approve.
 *
 * @param highestLimit the highest limit among holders of a level's role; null: nobody holds it, undefined: unknown
 * @returns undefined if every amount has an approver as far as is known
 */
export function worksUpTo<Level extends AmountLevel>(
  { autoApprovalLimit, levels }: Pick<ApprovalRules<Level>, 'autoApprovalLimit' | 'levels'>,
  highestLimit: (level: Level) => DecimalString | null | undefined,
): DecimalString | undefined {
  const automatic = cents(autoApprovalLimit);
  let bound: bigint | undefined;
  for (const level of byAmount(levels)) {
    const from = cents(level.minAmount);
    if (bound !== undefined && from > bound) break;
    const highest = highestLimit(level);
    if (highest === undefined) continue;
    const reached = highest === null || cents(highest) < from ? from - 1n : cents(highest);
    if (bound === undefined || reached < bound) bound = reached;
  }
  return bound === undefined ? undefined : amountOf(bound > automatic ? bound : automatic);
}

/** Imported levels may be out of order. */
function byAmount<Level extends AmountLevel>(levels: readonly Level[]): Level[] {
  return [...levels].sort((one, other) => (cents(one.minAmount) < cents(other.minAmount) ? -1 : 1));
}

function amountOf(paise: bigint): DecimalString {
  const digits = String(paise).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
