import { Text } from '@mantine/core';
import type { Policy } from '../api/types.ts';
import { formatMoney } from '../format.ts';
import { roleName } from '../texts.ts';
import { pageTexts } from '../texts-pages.ts';
import classes from './policies.module.css';

const words = pageTexts.policies;

/** The levels of a policy as a ladder: the lowest amount stands below. */
export function Ladder({ policy, reached = [] }: { policy: Policy; reached?: readonly string[] }) {
  return (
    <>
      <ol className={classes.ladder} aria-label={words.ladder(policy.name)}>
        <li className={classes.rung} data-reached={reached.includes(AUTOMATIC) || undefined}>
          <span className={classes.who}>{words.automatic}</span>
          <span className={classes.amount}>{words.below(formatMoney(policy.autoApprovalLimit))}</span>
        </li>
        {policy.levels.map(({ id, roleRequired, minAmount }) => (
          <li key={id} className={classes.rung} data-reached={reached.includes(id) || undefined}>
            <span className={classes.who}>{roleName(roleRequired)}</span>
            <span className={classes.amount}>{words.from(formatMoney(minAmount))}</span>
          </li>
        ))}
      </ol>
      {policy.levels.length === 0 && <Text size="sm">{words.noLevels}</Text>}
    </>
  );
}

/** Stands for the rung on which nobody has to approve. */
export const AUTOMATIC = 'automatic';
