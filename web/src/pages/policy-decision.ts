import { approvalGap, decideApproval, worksUpTo } from '../../../src/entities/approval-decision.ts';
import { cents, parseAmount } from '../../../src/entities/money.ts';
import type { Evaluation, Level, Policy, Role } from '../api/types.ts';

/**
 * Returns the highest approval limit among holders of a role, optionally without one person; null if there are none,
 * undefined if unknown.
 */
export type HighestLimit = (role: Role, without?: string) => string | null | undefined;

/** The parts of a policy that decide, possibly of one that is being edited. */
export type PolicyRules = Pick<Policy, 'autoApprovalLimit'> & {
  levels: readonly Pick<Level, 'roleRequired' | 'minAmount'>[];
};

/** The decision of a policy on an amount, and the roles among its steps that nobody can approve the amount with. */
export interface Decision {
  /** In the service's format. */
  amount: string;
  decision: Evaluation['decision'];
  steps: Level[];
  lacking: Role[];
  /** Whether the limits of all approvers are known here: otherwise the service has to be asked. */
  isCertain: boolean;
}

/** Decides as the service does, for any booker. @returns undefined if the service would refuse the amount */
export function decisionOf(policy: Policy, typed: string, highest: HighestLimit): Decision | undefined {
  const amount = parseAmount(typed);
  if (amount === undefined) return undefined;
  const hasApprover = ({ roleRequired }: Level) => {
    const limit = highest(roleRequired);
    return limit === undefined || (limit !== null && cents(limit) >= cents(amount));
  };
  const { decision, steps } = decideApproval({ ...policy, maxBookingLimit: null }, amount, hasApprover);
  const lacking = new Set(steps.filter((level) => !hasApprover(level)).map(({ roleRequired }) => roleRequired));
  const isCertain = lacking.size > 0 || steps.every(({ roleRequired }) => highest(roleRequired) !== undefined);
  return { amount, decision, steps, lacking: [...lacking], isCertain };
}

/** Warnings about a policy. */
export interface PolicyWarnings {
  /** Amounts above the limit that need no approval. */
  gap: ReturnType<typeof approvalGap>;
  /** Roles required by levels that nobody holds. */
  nobodyHolds: Role[];
  /** The amount above which nobody can approve; undefined if there is no known bound. */
  upTo: string | undefined;
}

export function warningsOf(policy: PolicyRules, highest: HighestLimit): PolicyWarnings {
  const roles = new Set(policy.levels.map(({ roleRequired }) => roleRequired));
  return {
    gap: approvalGap(policy),
    nobodyHolds: [...roles].filter((role) => highest(role) === null),
    upTo: worksUpTo(policy, ({ roleRequired }) => highest(roleRequired)),
  };
}

/** A policy that works only up to a lower amount without a person's approvals; `before` is undefined if there was no bound. */
export interface LoweredPolicy {
  policy: Policy;
  before: string | undefined;
  after: string;
}

/** Returns the policies that work only up to a lower amount without a person in one role, or in all of theirs. */
export function loweredWithout(
  policies: readonly Policy[],
  highest: HighestLimit,
  person: { id: string; roles: readonly Role[] },
): LoweredPolicy[] {
  return policies.flatMap((policy) => {
    const before = worksUpTo(policy, ({ roleRequired }) => highest(roleRequired));
    const after = worksUpTo(policy, ({ roleRequired }) =>
      highest(roleRequired, person.roles.includes(roleRequired) ? person.id : undefined),
    );
    return after === undefined || after === before ? [] : [{ policy, before, after }];
  });
}
