import { cents } from '../../../src/entities/money.ts';
import type { Policy } from '../api/types.ts';
import { formatMoney } from '../format.ts';
import { pageTexts, roleName } from '../texts.ts';
import classes from './policies.module.css';

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
