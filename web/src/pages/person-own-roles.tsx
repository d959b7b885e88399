import { Stack, Switch } from '@mantine/core';
import type { OwnRole, Person } from '../api/types.ts';
import { Facts } from '../parts/facts.tsx';
import { notify, useAct } from '../parts/notices.tsx';
import { roleChanged, ruleName } from '../roles.ts';
import { useChanged, useOwnRoles } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

/** Grants and revokes the roles of the company's own; nothing where it has none. */
export function PersonOwnRoles({ person: { id: userId, companyId } }: { person: Person }) {
  const { client } = useSession();
  const changed = useChanged();
  const roles = useOwnRoles(companyId) ?? [];
  const held = useOwnRoles(companyId, userId);
  const change = useAct(async ({ role, isGiven }: { role: OwnRole; isGiven: boolean }) => {
    await client.post(isGiven ? '/api/roles/grant' : '/api/roles/revoke', { id: role.id, userId });
    await changed();
    notify('done', roleChanged(role.name, isGiven));
  });
  if (roles.length === 0 || held === undefined) return null;
  return (
    <Facts title={t('Own roles of the company')}>
      <Stack gap="sm">
        {roles.map((role) => (
          <Switch
            key={role.id}
            label={role.name}
            description={role.rules.length > 0 ? role.rules.map(ruleName).join(', ') : t('approves alone')}
            checked={held.some(({ id }) => id === role.id)}
            onChange={(event) => change.mutate({ role, isGiven: event.currentTarget.checked })}
          />
        ))}
      </Stack>
    </Facts>
  );
}
