import { Group } from '@mantine/core';
import { useState } from 'react';
import type { Client } from '../api/client.ts';
import type { Body, Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { ActButton, notify } from '../parts/notices.tsx';
import { PersonBox } from '../parts/search-box.tsx';
import { readAll, useChanged } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { changesOf, saveChanges } from './people-change.ts';

interface HandOverProps {
  person: Person;
  /** The departments that they head. */
  departments: readonly { id: string }[];
  /** The policies that name them as an approver. */
  approves: readonly { id: string }[];
}

/** Gives what a person leaves to another one: their reports, departments, approvals by name, and those for whom they stand in. */
export function HandOver({ person: { id, companyId }, departments, approves }: HandOverProps) {
  const { client } = useSession();
  const changed = useChanged();
  const [to, setTo] = useState('');
  const handOver = async () => {
    const of = (filter: object) => readAll(client, '/api/users/list', { companyId, ...filter });
    const reports = (await of({ managerId: id })).filter((one) => one.id !== to);
    const saved = await saveChanges(client, companyId, changesOf(reports, { values: { 'employment.managerId': to } }));
    for (const department of departments)
      await client.post('/api/departments/update', { id: department.id, headId: to });
    for (const policy of approves) await replaceApprover(client, policy.id, id, to);
    for (const away of await of({ substituteId: id })) await replaceSubstitute(client, away.id, id, to);
    await changed();
    const [refused] = saved.refused;
    if (refused)
      throw new Error(`${isolated(`${refused.person.firstName} ${refused.person.lastName}`)}: ${refused.why}`);
    notify('done', t('Handed over.'));
  };
  return (
    <Group align="flex-end" gap="sm" mt="sm">
      <PersonBox
        {...{ companyId, label: t('Hand over to'), placeholder: t('Search by name'), userId: to, choose: setTo }}
      />
      <ActButton run={handOver} disabled={to === '' || to === id}>
        {t('Hand over')}
      </ActButton>
    </Group>
  );
}

/** Names another person as an approver wherever a policy names one. */
async function replaceApprover(client: Client, policyId: string, before: string, after: string): Promise<void> {
  const { data, version } = await client.get('/api/approval-policies/get', { id: policyId });
  const replaced = <Named extends { userIds?: string[] } | null | undefined>(named: Named): Named =>
    named?.userIds?.includes(before)
      ? { ...named, userIds: [...new Set(named.userIds.map((id) => (id === before ? after : id)))] }
      : named;
  const { levels, defaultApprovers } = data;
  const body = {
    id: policyId,
    defaultApprovers: replaced(defaultApprovers),
    levels: levels.map(({ approver, roleRequired, ...level }) =>
      approver ? { ...level, approver: replaced(approver) } : { ...level, roleRequired },
    ),
  };
  await client.post('/api/approval-policies/update', body as Body<'/api/approval-policies/update'>, { version });
}

/** Sets another substitute for the days in which somebody was to stand in for a person; the person cannot be their own. */
async function replaceSubstitute(client: Client, userId: string, before: string, substituteId: string): Promise<void> {
  if (userId === substituteId) return;
  const { substitution, substitutions } = (await client.get('/api/users/get', { id: userId })).data;
  const all = substitutions?.length ? substitutions : substitution ? [substitution] : [];
  for (const { substitute, from, until } of all)
    if (substitute?.id === before)
      await client.post('/api/users/set-substitute', { userId, substituteId, from, until });
}
