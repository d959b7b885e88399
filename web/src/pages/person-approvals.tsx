import { Text } from '@mantine/core';
import { paiseOf } from '../../../src/entities/money.ts';
import type { Person, Role } from '../api/types.ts';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Dimmed } from '../parts/text.tsx';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { usePolicies } from '../session/queries.ts';
import { t } from '../translate.ts';
import classes from './people.module.css';

/** The levels that a person may approve: those of the company's policies that require one of their roles, up to their limit. */
export function PersonApprovals({ person }: { person: Person }) {
  const policies = usePolicies(person.companyId);
  const { formatMoney } = useMoney();
  const limit = paiseOf(person.approvalLimit) ?? 0n;
  const roles: readonly Role[] = [
    ...person.companyRoles.filter(({ companyId }) => companyId === person.companyId).map(({ role }) => role),
    ...(person.systemRoleMap?.active ? [person.systemRoleMap.role] : []),
  ];
  const lines = (person.active ? (policies ?? []) : []).flatMap(({ id: policyId, name, levels }) =>
    levels
      .filter(({ roleRequired, minAmount }) => roles.includes(roleRequired) && (paiseOf(minAmount) ?? 0n) <= limit)
      .map(({ id, roleRequired, minAmount }) => ({
        id,
        policy: { id: policyId, name },
        text: t('as {role}, from {from} up to {to}', {
          role: roleName(roleRequired),
          from: formatMoney(minAmount),
          to: formatMoney(person.approvalLimit),
        }),
      })),
  );
  return (
    <Facts title={t('What they may approve')}>
      <ul className={classes.lines}>
        {lines.map(({ id, policy, text }) => (
          <li key={id}>
            <TextLink href={`/policies/${encodeURIComponent(policy.id)}`}>{policy.name}</TextLink>
            <Dimmed>{text}</Dimmed>
          </li>
        ))}
      </ul>
      {policies && lines.length === 0 && (
        <Text size="sm">{t('No level of a policy asks for a role that they hold, up to their approval limit.')}</Text>
      )}
    </Facts>
  );
}
