import { approvalGap, decideApproval, worksUpTo } from '../../../src/entities/approval-decision.ts';
import { cents, parseAmount } from '../../../src/entities/money.ts';
import type { Evaluation, Level, Policy, Role } from '../api/types.ts';

/** The highest approval limit of those who hold a role; null where nobody does, undefined where it is not known. */
export type HighestLimit = (role: Role, without?: string) => string | null | undefined;

/** What decides of a policy: also one that is only typed as yet. */
export type PolicyRules = Pick<Policy, 'autoApprovalLimit'> & {
  levels: readonly Pick<Level, 'roleRequired' | 'minAmount'>[];
};

/** What a policy decides on an amount, by whom, and which of these roles nobody can approve it with. */
export interface Decision {
  /** As the service writes it. */
  amount: string;
  decision: Evaluation['decision'];
  steps: Level[];
  lacking: Role[];
  /** Whether the limits of all who would approve are known here: otherwise the service has to be asked. */
  isCertain: boolean;
}

/** Decides as the service does, for anybody who books. @returns undefined for what is no amount to the service */
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

/** What one should know of a policy before it meets a booking. */
export interface PolicyWarnings {
  /** Amounts above the limit that nobody has to approve. */
  gap: ReturnType<typeof approvalGap>;
  /** Roles of levels that nobody holds. */
  nobodyHolds: Role[];
  /** The amount above which nobody can approve; undefined where none is known. */
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

/** A policy that works up to a lower amount once somebody does not approve any more; `before` is undefined where there was no bound. */
export interface LoweredPolicy {
  policy: Policy;
  before: string | undefined;
  after: string;
}

/** The policies that would work less far without a person in one role, or in all of theirs. */
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
