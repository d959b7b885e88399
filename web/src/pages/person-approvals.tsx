import { Text } from '@mantine/core';
import { paiseOf } from '../amounts.ts';
import type { Person } from '../api/types.ts';
import { formatMoney } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Facts } from '../parts/facts.tsx';
import { usePolicies } from '../session/use-all.ts';
import { roleName } from '../texts.ts';
import { peopleTexts as words } from '../texts-people.ts';

/** The levels of the company's policies that ask for a role of theirs, up to their limit. */
export function PersonApprovals({ person }: { person: Person }) {
  const policies = usePolicies(person.companyId);
  const limit = paiseOf(person.approvalLimit) ?? 0n;
  const roles = [
    ...person.companyRoles.filter(({ companyId }) => companyId === person.companyId).map(({ role }) => role),
    ...(person.systemRoleMap?.active ? [person.systemRoleMap.role] : []),
  ];
  const lines = (person.active ? (policies ?? []) : []).flatMap(({ name, levels }) =>
    levels
      .filter(({ roleRequired, minAmount }) => roles.includes(roleRequired) && (paiseOf(minAmount) ?? 0n) <= limit)
      .map(({ id, roleRequired, minAmount }) => {
        const [from, to] = [formatMoney(minAmount), formatMoney(person.approvalLimit)];
        return { id, text: words.approvesFrom(isolated(name), roleName(roleRequired), from, to) };
      }),
  );
  return (
    <Facts title={words.approves} facts={[]}>
      {lines.map(({ id, text }) => (
        <Text key={id} size="sm">
          {text}
        </Text>
      ))}
      {policies && lines.length === 0 && <Text size="sm">{words.approvesNothing}</Text>}
    </Facts>
  );
}
