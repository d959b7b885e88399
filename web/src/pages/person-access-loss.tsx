import { Alert, Checkbox, List } from '@mantine/core';
import { nextLower } from '../../../src/entities/money.ts';
import type { CompanyRole, Person, Role } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel, wordsOf } from '../labels.ts';
import { TextLink } from '../parts/links.tsx';
import { useMoney } from '../session/money.tsx';
import { useAll, useGet, usePolicies } from '../session/queries.ts';
import { corporateCompanies } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { listOf } from './entity-pages.ts';
import { isUsable } from './keys.tsx';
import { HandOver } from './person-hand-over.tsx';
import { loweredWithout } from './policy-decision.ts';
import { useHighestLimits } from './policy-parts.tsx';

interface AccessLossProps {
  person: Person;
  caller: Person;
  /** The roles that they are about to lose. */
  roles: readonly Role[];
  revokeKeys: boolean;
  setRevokeKeys: (revoke: boolean) => void;
}

/** What a person leaves behind, each with the page on which it is handed over. */
export function LeftBehind({ person }: { person: Person }) {
  const { id, companyId } = person;
  const found = useGet('/api/users/get', { id, include: 'leaves' });
  const leaves = found.data?.data.leaves;
  if (!leaves) return null;
  const of = (page: string, query: Readonly<Record<string, string>> = {}) =>
    `/${page}?${new URLSearchParams({ companyId, ...query })}`;
  const { people, departments, policies, approves, keys, substitutes, others } = leaves;
  const policyPage = (policy: { id: string }) => `/policies/${encodeURIComponent(policy.id)}`;
  const counted = (count: number, text: string, href: string) => (count > 0 ? [{ text, href }] : []);
  const left = [
    ...counted(
      people,
      t('{count, plural, one {# person} other {# people}} whom they manage', { count: people }),
      of('people', { managerId: id }),
    ),
    ...departments.map(({ name }) => ({
      text: t('{name}, whose head they are', { name: isolated(name) }),
      href: of('departments', { search: name }),
    })),
    ...policies.map((policy) => ({
      text: t('{name}: less can be approved', { name: isolated(policy.name) }),
      href: policyPage(policy),
    })),
    ...approves.map((policy) => ({
      text: t('{name}: names them as an approver', { name: isolated(policy.name) }),
      href: policyPage(policy),
    })),
    ...counted(
      keys,
      t('{count, plural, one {One API key for which they answer} other {# API keys for which they answer}}', {
        count: keys,
      }),
      of('keys'),
    ),
    ...counted(
      substitutes,
      t('{count, plural, one {# person} other {# people}} whose substitute they are', { count: substitutes }),
      of('people', { substituteId: id }),
    ),
    ...others.map(({ entity, field, count }) => ({
      text: `${wordsOf(entity).counted(count)}: ${fieldLabel(field)}`,
      href: listOf(entity)?.href ?? of('people'),
    })),
  ];
  if (left.length === 0) return null;
  return (
    <Alert color="yellow" role="note" title={t('What is left without them')}>
      <List size="sm">
        {left.map(({ text, href }) => (
          <List.Item key={text}>
            <TextLink href={href} underline="always">
              {text}
            </TextLink>
          </List.Item>
        ))}
      </List>
      {people + departments.length + approves.length + substitutes > 0 && (
        <HandOver {...{ person, departments, approves }} />
      )}
    </Alert>
  );
}

/** Returns a person's roles in their own company. */
export function rolesHere({ companyId, companyRoles }: Person): CompanyRole[] {
  return companyRoles.filter((held) => held.companyId === companyId).map(({ role }) => role);
}

/**
 * The consequences of deactivating a person or revoking roles: policies that work only up to a lower amount, and API
 * keys that they created.
 */
export function AccessLoss({ person, caller, roles, revokeKeys, setRevokeKeys }: AccessLossProps) {
  return (
    <>
      <LoweredPolicies {...{ person, caller, roles }} />
      {roles.includes('CORPORATE_ADMIN') && <CreatedKeys {...{ person, revokeKeys, setRevokeKeys }} />}
    </>
  );
}

function LoweredPolicies({ person, caller, roles }: Pick<AccessLossProps, 'person' | 'caller' | 'roles'>) {
  const companyId = corporateCompanies(caller).find((id) => id === person.companyId);
  const policies = usePolicies(companyId) ?? [];
  const { formatMoney } = useMoney();
  const required = new Set(policies.flatMap(({ levels }) => levels.map(({ roleRequired }) => roleRequired)));
  const { highest, isReady } = useHighestLimits(companyId, required);
  const lowered = isReady && person.active ? loweredWithout(policies, highest, { id: person.id, roles }) : [];
  if (lowered.length === 0) return null;
  return (
    <Alert
      color="yellow"
      role="note"
      title={t('Without {person}, fewer bookings can be approved:', {
        person: isolated(`${person.firstName} ${person.lastName}`),
      })}
    >
      <List size="sm">
        {lowered.map(({ policy: { id, name }, before, after }) => (
          <List.Item key={id}>
            {before === undefined
              ? t('{policy}: nobody above {after}', { policy: isolated(name), after: formatMoney(nextLower(after)) })
              : t('{policy}: nobody above {after}, now above {before}', {
                  policy: isolated(name),
                  before: formatMoney(nextLower(before)),
                  after: formatMoney(nextLower(after)),
                })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function CreatedKeys({
  person,
  revokeKeys,
  setRevokeKeys,
}: Pick<AccessLossProps, 'person' | 'revokeKeys' | 'setRevokeKeys'>) {
  const { id, companyId } = person;
  const keys = useAll('/api/api-keys/list', { companyId });
  const made = (keys.data ?? []).filter((key) => key.createdBy === id && isUsable(key));
  if (made.length === 0) return null;
  return (
    <Checkbox
      label={t('{count, plural, one {Revoke the API key they created} other {Revoke the # API keys they created}}', {
        count: made.length,
      })}
      description={made.map(({ name }) => isolated(name)).join(', ')}
      checked={revokeKeys}
      onChange={(event) => setRevokeKeys(event.currentTarget.checked)}
    />
  );
}
