import { Alert, List, TextInput } from '@mantine/core';
import { cents, nextLower, readAmount } from '../../../src/entities/money.ts';
import { isRelativeRole } from '../../../src/entities/roles.ts';
import type { CompanyRole, Policy, Role } from '../api/types.ts';
import { type Money, separators } from '../format.ts';
import { NO_AMOUNT } from '../parts/field-problems.ts';
import type { TypedState } from '../parts/use-list-state.ts';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useGets } from '../session/queries.ts';
import { t } from '../translate.ts';
import classes from './policies.module.css';
import { type Decision, type HighestLimit, type PolicyRules, warningsOf } from './policy-decision.ts';

interface LadderProps {
  policy: Policy;
  highest: HighestLimit;
  reached?: readonly string[];
}

/** The levels of a policy, the lowest amount first: who approves, up to which amount, and where nobody can. */
export function Ladder({ policy, highest, reached = [] }: LadderProps) {
  const { from } = warningsOf(policy, highest);
  const { formatMoney } = useMoney();
  return (
    <ol className={classes.ladder} aria-label={t('Levels of {name}', { name: policy.name })}>
      <li className={classes.level} data-reached={reached.includes(AUTOMATIC) || undefined}>
        <span className={classes.who}>{t('Approved automatically')}</span>
        <span className={classes.amount}>{t('up to {amount}', { amount: formatMoney(policy.autoApprovalLimit) })}</span>
      </li>
      {policy.levels.map(({ id, roleRequired, minAmount }) => (
        <li key={id} className={classes.level} data-reached={reached.includes(id) || undefined}>
          <span className={classes.who}>
            {roleName(roleRequired)} <Authority role={roleRequired} limit={highest(roleRequired)} />
          </span>
          <span className={classes.amount}>{beginning(policy, minAmount, formatMoney)}</span>
        </li>
      ))}
      {from !== undefined && (
        <li className={classes.level} data-gap>
          {t('Nobody can approve above {amount}.', { amount: formatMoney(nextLower(from)) })}
        </li>
      )}
    </ol>
  );
}

/** Up to which amount the holders of a role sign. @param limit null: nobody has it; undefined: unknown */
function Authority({ role, limit }: { role: Role; limit: string | null | undefined }) {
  const { formatMoney } = useMoney();
  if (isRelativeRole(role)) return <small>{t('of whoever books')}</small>;
  if (limit === undefined) return null;
  if (limit === null) return <small data-gap>{t('nobody has this role')}</small>;
  return <small>{t('signs up to {amount}', { amount: formatMoney(limit) })}</small>;
}

/** Returns a decision as a part of a sentence. */
export function decisionText(of: Pick<Decision, 'decision' | 'lacking'> & { roles: readonly Role[] }): string {
  if (of.decision === 'APPROVAL_NEEDED') return of.roles.map(roleName).join(t(', then '));
  if (of.decision === 'OVER_LIMIT') return t('above the maximum booking of the band');
  if (of.decision === 'NO_POLICY') return t('no policy applies');
  if (of.decision === 'AUTO_APPROVED') return t('approved automatically');
  if (of.lacking.length === 0) return t('cannot be approved; the policy has no level');
  return t('cannot be approved; nobody has a limit this high as {roles}', {
    roles: [...new Set(of.lacking)].map(roleName).join(', '),
  });
}

/** Returns the text on the amount from which a level decides: at least the limit for automatic approval. */
export function beginning(
  { autoApprovalLimit }: Pick<Policy, 'autoApprovalLimit'>,
  minAmount: string,
  formatMoney: Money['formatMoney'],
): string {
  const isAbove = cents(minAmount) <= cents(autoApprovalLimit);
  return isAbove
    ? t('above {amount}', { amount: formatMoney(autoApprovalLimit) })
    : t('from {amount}', { amount: formatMoney(minAmount) });
}

/** The id of the line of automatic approval. */
export const AUTOMATIC = 'automatic';

/** The warnings about a policy; nothing if there are none. */
export function PolicyWarnings({ policy, highest }: { policy: PolicyRules; highest: HighestLimit }) {
  const { formatMoney } = useMoney();
  const { nobodyHolds, from } = warningsOf(policy, highest);
  const found = [
    ...nobodyHolds.map((role) => t('Nobody who is active holds the role {role}.', { role: roleName(role) })),
    ...(from === undefined ? [] : [t('Nobody can approve above {amount}.', { amount: formatMoney(nextLower(from)) })]),
  ];
  if (found.length === 0) return null;
  return (
    <Alert color="yellow" p="xs" role="note" data-testid="warnings">
      {found.length === 1 ? (
        found[0]
      ) : (
        <List size="sm">
          {found.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** A box for an amount to try. It validates only after typing has stopped, as the number may be incomplete before. */
export function AmountBox({ amount, label }: { amount: TypedState; label: string }) {
  const { sign } = useMoney();
  const { typed, type, settled } = amount;
  const isWrong = readAmount(typed, separators) === undefined && typed.trim() !== '' && typed.trim() === settled;
  return (
    <TextInput
      label={label}
      placeholder={t('Who would have to approve it?')}
      inputMode="decimal"
      leftSection={sign}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      error={isWrong ? NO_AMOUNT : undefined}
      autoComplete="off"
      maxLength={24}
      flex="1 1 16rem"
    />
  );
}

export interface HighestLimits {
  highest: HighestLimit;
  /** Whether all requests have finished: limits that are unknown then stay unknown. */
  isReady: boolean;
}

const APPROVERS: readonly CompanyRole[] = ['MANAGER', 'CORPORATE_ADMIN', 'EMPLOYEE'];

/**
 * Reads the highest approval limits of the active holders of roles in a company. Platform roles, and roles that a
 * guest holds, stay unknown: the service hides their limits.
 */
export function useHighestLimits(companyId: string | undefined, roles: ReadonlySet<Role>): HighestLimits {
  const asked = APPROVERS.filter((role) => companyId !== undefined && roles.has(role)).flatMap((role) =>
    [false, true].map((guests) => ({ role, guests })),
  );
  const found = useGets(
    '/api/users/list',
    // Two, as one of them may be about to lose the role.
    asked.map(({ role, guests }) => ({
      ...{ companyId: companyId ?? '', role, activeOnly: true, limit: 2 },
      ...(guests ? { guests } : ({ sort: '-approvalLimit' } as const)),
    })),
  );
  const highest: HighestLimit = (role, without) => {
    const [residents, guests] = [false, true].map((isGuest) => {
      const at = asked.findIndex((one) => one.role === role && one.guests === isGuest);
      return found[at]?.data?.data.filter(({ id }) => id !== without);
    });
    if (residents === undefined || guests === undefined || guests.length > 0) return undefined;
    return residents[0]?.approvalLimit ?? null;
  };
  return { highest, isReady: found.every(({ isPending }) => !isPending) };
}
