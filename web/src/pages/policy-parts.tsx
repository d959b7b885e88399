import { Alert, List, TextInput } from '@mantine/core';
import { cents } from '../../../src/entities/money.ts';
import { readAmount } from '../amounts.ts';
import type { Policy } from '../api/types.ts';
import { amountExamples, formatMoney, separators } from '../format.ts';
import type { TypedState } from '../parts/use-list-state.ts';
import { approvalTexts, pageTexts, roleName } from '../texts.ts';
import classes from './policies.module.css';
import { type HighestLimit, type PolicyRules, warningsOf } from './policy-decision.ts';

const words = pageTexts.policies;

/** The levels of a policy in the order in which they approve, the lowest amount first. */
export function Ladder({ policy, reached = [] }: { policy: Policy; reached?: readonly string[] }) {
  return (
    <ol className={classes.ladder} aria-label={words.ladder(policy.name)}>
      <li className={classes.level} data-reached={reached.includes(AUTOMATIC) || undefined}>
        <span className={classes.who}>{words.automatic}</span>
        <span className={classes.amount}>{words.upTo(formatMoney(policy.autoApprovalLimit))}</span>
      </li>
      {policy.levels.map(({ id, roleRequired, minAmount }) => (
        <li key={id} className={classes.level} data-reached={reached.includes(id) || undefined}>
          <span className={classes.who}>{roleName(roleRequired)}</span>
          <span className={classes.amount}>{beginning(policy, minAmount)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Returns the text on the amount from which a level decides: at least the limit for automatic approval. */
export function beginning({ autoApprovalLimit }: Pick<Policy, 'autoApprovalLimit'>, minAmount: string): string {
  const isAbove = cents(minAmount) <= cents(autoApprovalLimit);
  return isAbove ? words.above(formatMoney(autoApprovalLimit)) : words.from(formatMoney(minAmount));
}

/** The id of the line of automatic approval. */
export const AUTOMATIC = 'automatic';

/** Returns warnings about what a policy lets through, and what nobody can approve. */
export function warningTexts(policy: PolicyRules, highest: HighestLimit): string[] {
  const { nobodyHolds, from } = warningsOf(policy, highest);
  return [
    ...nobodyHolds.map((role) => approvalTexts.nobodyHolds(roleName(role))),
    ...(from === undefined ? [] : [approvalTexts.nobodyFrom(formatMoney(from))]),
  ];
}

/** The warnings about a policy; nothing if there are none. */
export function PolicyWarnings({ policy, highest }: { policy: PolicyRules; highest: HighestLimit }) {
  const found = warningTexts(policy, highest);
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
  const { typed, type, settled } = amount;
  const isWrong = readAmount(typed, separators) === undefined && typed.trim() !== '' && typed.trim() === settled;
  return (
    <TextInput
      label={label}
      placeholder={words.amountHint}
      inputMode="decimal"
      leftSection="₹"
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      error={isWrong ? words.amountWrong(...amountExamples) : undefined}
      autoComplete="off"
      maxLength={24}
      flex="1 1 16rem"
    />
  );
}
