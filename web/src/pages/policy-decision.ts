import { decideApproval, nobodyFrom } from '../../../src/entities/approval-decision.ts';
import { cents, parseAmount } from '../../../src/entities/money.ts';
import { isRelativeRole } from '../../../src/entities/roles.ts';
import type { Evaluation, Level, Policy, Role } from '../api/types.ts';

/**
 * Returns the highest approval limit among holders of a role, optionally without one person; null if there are none,
 * undefined if unknown.
 */
export type HighestLimit = (role: Role, without?: string) => string | null | undefined;

/** The parts of a policy that decide, possibly of one that is being edited. */
export type PolicyRules = Pick<Policy, 'autoApprovalLimit'> & {
  levels: readonly (Pick<Level, 'level' | 'roleRequired' | 'minAmount'> & { maxAmount?: string | null })[];
};

/** The decision of a policy on an amount, the steps that somebody signs, and the roles that nobody can approve the amount with. */
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
  const { decision, steps: decided } = decideApproval({
    ...{ amount, policyLimit: policy.autoApprovalLimit, bandLimit: null, maxBookingLimit: null, levels: policy.levels },
    approversOf({ roleRequired }: Level, withAuthority) {
      const limit = highest(roleRequired);
      const can = limit === undefined || (limit !== null && (!withAuthority || cents(limit) >= cents(amount)));
      return [{ total: can ? 1 : 0, sole: null }];
    },
  });
  const steps = decided.filter(({ skipped }) => skipped === null).map(({ level }) => level);
  const lacking = new Set(
    decided.filter(({ approvers }) => approvers.total === 0).map(({ level }) => level.roleRequired),
  );
  // Who has a relative role depends on the person, without whom the service knows no more either.
  const isCertain =
    steps.some(({ roleRequired }) => isRelativeRole(roleRequired)) ||
    steps.every(({ roleRequired }) => highest(roleRequired) !== undefined);
  return { amount, decision, steps, lacking: [...lacking], isCertain };
}

/** Returns a decision of the service as {@link Decision}, without the steps. */
export function decidedBy({ decision, steps }: Evaluation): Pick<Decision, 'decision' | 'lacking'> & { roles: Role[] } {
  const rolesOf = (some: Evaluation['steps']) => some.map(({ roleRequired }) => roleRequired);
  return {
    decision,
    roles: rolesOf(steps.filter(({ skipped }) => skipped === null)),
    lacking: rolesOf(steps.filter(({ approvers }) => approvers.total === 0)),
  };
}

/** Warnings about a policy. */
export interface PolicyWarnings {
  /** Roles required by levels that nobody holds. */
  nobodyHolds: Role[];
  /** The amount from which nobody can approve; undefined if there is no known bound. */
  from: string | undefined;
}

export function warningsOf(policy: PolicyRules, highest: HighestLimit): PolicyWarnings {
  const roles = new Set(policy.levels.map(({ roleRequired }) => roleRequired));
  return {
    nobodyHolds: [...roles].filter((role) => highest(role) === null),
    from: nobodyFrom(policy, ({ roleRequired }) => highest(roleRequired)),
  };
}

/** A policy that fails from a lower amount on without a person's approvals; `before` is undefined if there was no bound. */
export interface LoweredPolicy {
  policy: Policy;
  before: string | undefined;
  after: string;
}

/** Returns the policies that fail from a lower amount on without a person in one role, or in all of theirs. */
export function loweredWithout(
  policies: readonly Policy[],
  highest: HighestLimit,
  person: { id: string; roles: readonly Role[] },
): LoweredPolicy[] {
  return policies.flatMap((policy) => {
    const before = nobodyFrom(policy, ({ roleRequired }) => highest(roleRequired));
    const after = nobodyFrom(policy, ({ roleRequired }) =>
      highest(roleRequired, person.roles.includes(roleRequired) ? person.id : undefined),
    );
    return after === undefined || after === before ? [] : [{ policy, before, after }];
  });
}
