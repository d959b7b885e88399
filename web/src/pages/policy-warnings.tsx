import { Alert, List } from '@mantine/core';
import { formatMoney } from '../format.ts';
import { roleName, approvalTexts as words } from '../texts.ts';
import type { HighestLimit } from './policy-decision.ts';
import { type PolicyRules, warningsOf } from './policy-decision.ts';

/** Returns warnings about what a policy lets through, and what nobody can approve. */
export function warningTexts(policy: PolicyRules, highest: HighestLimit): string[] {
  const { gap, nobodyHolds, upTo } = warningsOf(policy, highest);
  return [
    ...(gap === undefined ? [] : [gapText(gap)]),
    ...nobodyHolds.map((role) => words.nobodyHolds(roleName(role))),
    ...(upTo === undefined ? [] : [words.worksUpTo(formatMoney(upTo))]),
  ];
}

/** Returns the text on bookings that need no approval although they are above the limit. */
export function gapText({ above, below }: { above: string; below: string | null }): string {
  return below === null ? words.noLevels(formatMoney(above)) : words.gap(formatMoney(above), formatMoney(below));
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
