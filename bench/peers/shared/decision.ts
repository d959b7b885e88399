/** A level of a policy, which a role in the company approves. */
export interface Level {
  level: number;
  roleRequired: string;
  minAmount: string;
}

export interface Policy {
  id: string;
  name: string;
  autoApprovalLimit: string;
  /** In ascending order. */
  levels: readonly Level[];
}

export interface Approvers {
  total: number;
  /** The first ten by name. */
  people: { id: string; firstName: string; lastName: string; approvalLimit: string }[];
}

const cents = (amount: string) => BigInt(amount.replace('.', ''));
const ROLE_NAMES: Readonly<Record<string, string>> = { CORPORATE_ADMIN: 'Corporate Admin', MANAGER: 'Manager' };
const nameOf = ({ level, roleRequired }: Level) => `level ${level} (${ROLE_NAMES[roleRequired] ?? 'Employee'})`;

/**
 * Decides who has to approve an amount by a policy, as orgdesk does without a person, substitutes and roles relative to one.
 *
 * @param approversOf people with a role in the company whose approval limit is at least the amount, or all of them
 */
export async function decide(
  policy: Policy,
  amount: string,
  approversOf: (role: string, amount?: string) => Promise<Approvers>,
) {
  const { id, name, autoApprovalLimit, levels } = policy;
  const view = {
    ...{ policyId: id, policy: { id, name }, amount, userId: null, autoApprovalLimit, maxBookingLimit: null },
    ...{ limits: { policy: autoApprovalLimit, band: null }, budget: null },
  };
  if (cents(amount) <= cents(autoApprovalLimit)) {
    return { ...view, decision: 'AUTO_APPROVED', steps: [], reasons: [] };
  }
  const reasons = [
    { code: 'ABOVE_POLICY_LIMIT', message: `${amount} is above the limit of the policy, ${autoApprovalLimit}.` },
  ];
  const because = (code: string, message: string) => reasons.push({ code, message });
  const due = levels.filter(({ minAmount }) => cents(minAmount) <= cents(amount));
  if (due.length === 0) {
    if (levels.length === 0)
      because('NO_LEVELS', 'The policy has no level, so that nobody can approve above its limit.');
    else because('LOWEST_LEVEL', `No level begins at ${amount} or below: the lowest one decides.`);
    due.push(...levels.slice(0, 1));
  }
  const others = levels.slice(due.length);
  const able: Approvers[] = [];
  for (const level of [...due.slice(-1), ...others]) {
    able.push(await approversOf(level.roleRequired, amount));
    if (able.at(-1)?.total) break;
  }
  const isApproved = (able.at(-1)?.total ?? 0) > 0;
  const added = isApproved ? others.slice(0, able.length - 1) : others;
  if (!isApproved && levels.length > 0)
    because('NO_AUTHORITY', `Nobody at the last step or above it may approve ${amount}.`);
  else if (added.length > 0) {
    const names = added.map(nameOf).join(', ');
    because('CLIMBED_FOR_AUTHORITY', `Nobody at the last level due may approve ${amount}: added ${names}.`);
  }
  const shown = [...due, ...added];
  const steps = [];
  for (const [index, { level, roleRequired, minAmount }] of shown.entries()) {
    const isLast = index === shown.length - 1;
    const approvers = (isLast ? able.at(-1) : undefined) ?? (await approversOf(roleRequired));
    const skipped = isApproved && !isLast && approvers.total === 0 ? 'NOBODY' : null;
    if (skipped) because('STEP_SKIPPED', `${nameOf(shown[index] as Level)} is skipped: nobody has the role.`);
    steps.push({ level, roleRequired, minAmount, skipped, approvers });
  }
  return { ...view, decision: isApproved ? 'APPROVAL_NEEDED' : 'NOBODY_CAN_APPROVE', steps, reasons };
}
