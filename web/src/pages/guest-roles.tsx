import { Group, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import type { CompanyRole, Person, ShownPerson } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { roleChanged, roleName } from '../roles.ts';
import { useSession } from '../session/session.tsx';
import { useCompanyNames } from '../session/use-company.ts';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';

/** The roles that a guest holds in the companies that the user administers, each revocable. */
export function GuestRoles({ person, caller }: { person: ShownPerson; caller: Person }) {
  const { client } = useSession();
  const names = useCompanyNames(caller);
  const [, navigate] = useLocation();
  const held = person.companyRoles.filter(({ companyId }) => administers(caller, companyId));
  const take = async (companyId: string, role: CompanyRole) => {
    await client.post('/api/users/revoke-role', { userId: person.id, companyId, role });
    // Without roles the person is no longer a guest, and has no page here.
    if (person.companyRoles.length === 1) navigate('/people?guests=true');
  };
  if (held.length === 0) return null;
  const name = isolated(`${person.firstName} ${person.lastName}`);
  return (
    <Facts title={t('Roles in this company')}>
      <Stack gap="sm">
        {held.map(({ companyId, role }) => (
          <Group key={`${companyId} ${role}`} justify="space-between">
            <Text size="sm">{`${roleName(role)}, ${isolated(names.get(companyId) ?? '')}`}</Text>
            <ConfirmButton
              title={t('Remove role')}
              of={roleName(role)}
              text={t('{name} is no longer {role}. You can add the role again.', { name, role: roleName(role) })}
              done={roleChanged(roleName(role), false)}
              run={() => take(companyId, role)}
              color="red"
              size="xs"
            />
          </Group>
        ))}
      </Stack>
    </Facts>
  );
}
