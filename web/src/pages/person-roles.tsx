import { NativeSelect, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Person, Role, SystemRole } from '../api/types.ts';
import { explain } from '../explain.ts';
import { tell } from '../parts/notices.tsx';
import { useSession } from '../session/session.tsx';
import { useChanged } from '../session/use-changes.ts';
import { isSuperAdmin } from '../session/use-profile.ts';
import { roleName } from '../texts.ts';
import { peopleTexts as words } from '../texts-people.ts';
import { COMPANY_ROLES } from './person-fields.ts';

const SYSTEM_ROLES: readonly SystemRole[] = ['SUPER_ADMIN', 'PLATFORM_RM'];

/** Gives roles and takes them away; what the service refuses it says why. */
export function PersonRoles({ person, caller }: { person: Person; caller: Person }) {
  const { client } = useSession();
  const changed = useChanged();
  const { id: userId, companyId } = person;
  const change = useMutation({
    mutationFn: async ({ role, isGiven }: { role: Role; isGiven: boolean }) => {
      const isSystem = SYSTEM_ROLES.some((known) => known === role);
      const body = { userId, role, ...(isSystem ? {} : { companyId }) };
      await client.post(isGiven ? '/api/users/grant-role' : '/api/users/revoke-role', body);
      await changed();
    },
    onSuccess: (_, { role, isGiven }) => tell('done', (isGiven ? words.roleGiven : words.roleTaken)(roleName(role))),
    onError: (error) => tell('failed', explain(error)),
  });
  const held = person.companyRoles.filter((one) => one.companyId === companyId).map(({ role }) => role);
  const system = person.systemRoleMap?.active ? person.systemRoleMap.role : '';
  return (
    <Paper withBorder p="md" component="section" aria-label={words.rolesHere}>
      <Title order={2} size="h5" mb="xs">
        {words.rolesHere}
      </Title>
      <Stack gap="sm">
        {COMPANY_ROLES.map((role) => (
          <Switch
            key={role}
            label={roleName(role)}
            description={words.rolesMeaning[role]}
            checked={held.includes(role)}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ role, isGiven: event.currentTarget.checked })}
          />
        ))}
        {isSuperAdmin(caller) ? (
          <NativeSelect
            label={words.platformRole}
            data={[
              { value: '', label: words.noPlatformRole },
              ...SYSTEM_ROLES.map((value) => ({ value, label: roleName(value) })),
            ]}
            value={system}
            disabled={change.isPending}
            onChange={(event) => {
              const wanted = event.currentTarget.value as SystemRole | '';
              if (wanted !== '') change.mutate({ role: wanted, isGiven: true });
              else if (system !== '') change.mutate({ role: system, isGiven: false });
            }}
          />
        ) : (
          system !== '' && <Text size="sm">{`${words.platformRole}: ${roleName(system)}`}</Text>
        )}
      </Stack>
    </Paper>
  );
}
