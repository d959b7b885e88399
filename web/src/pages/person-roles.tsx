import { NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { CompanyRole, Person, SystemRole } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { choicesOf } from '../parts/choices.ts';
import { Question } from '../parts/confirm-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { notify, useAct } from '../parts/notices.tsx';
import { roleChanged, roleName } from '../roles.ts';
import { useChanged } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { type Saved, undoUnlessChanged } from './changed-by.ts';
import { AccessLoss, rolesHere } from './person-access-loss.tsx';
import { type CompanyNames, roleAt } from './person-facts.tsx';
import { COMPANY_ROLES } from './person-fields.ts';

const ROLES_MEANING = {
  CORPORATE_ADMIN: t('manages the company, its people, policies and keys'),
  MANAGER: t('sees the company’s lists, and approves'),
  EMPLOYEE: t('sees their own profile'),
  SUPER_ADMIN: t('manages all companies and their people'),
  PLATFORM_RM: t('sees all companies, and approves'),
};

const SYSTEM_ROLES: readonly SystemRole[] = ['SUPER_ADMIN', 'PLATFORM_RM'];

interface RoleChange {
  role: CompanyRole | SystemRole;
  isGiven: boolean;
}

/** Returns whether a change needs a confirmation: it grants wide access, or approvals may depend on the revoked role. */
function needsConfirmation({ role, isGiven }: RoleChange): boolean {
  return isGiven ? role !== 'MANAGER' && role !== 'EMPLOYEE' : role !== 'EMPLOYEE';
}

/** Grants and revokes roles; explains a refusal of the service. */
export function PersonRoles({ person, caller, names }: { person: Person; caller: Person; names: CompanyNames }) {
  const { client } = useSession();
  const changed = useChanged();
  const [asked, setAsked] = useState<RoleChange>();
  const { id: userId, companyId } = person;
  const send = async ({ role, isGiven }: RoleChange, revokeKeys = false) => {
    const body = { userId, role, ...(isOnPlatform({ role }) ? {} : { companyId }) };
    const saved: Saved = isGiven
      ? await client.post('/api/users/grant-role', body)
      : await client.post('/api/users/revoke-role', { ...body, ...(revokeKeys ? { revokeKeys } : {}) });
    return saved;
  };
  const undo = (wanted: RoleChange, saved: Saved) =>
    undoUnlessChanged(client, { userId }, saved, () => send({ ...wanted, isGiven: !wanted.isGiven }));
  const change = useAct(async (wanted: RoleChange) => {
    const saved = await send(wanted);
    await changed();
    notify('done', doneText(wanted), () => undo(wanted, saved).then(changed));
  });
  const want = (wanted: RoleChange) => {
    // Clicks are ignored meanwhile instead of disabling the box, which would lose the focus.
    if (change.isPending) return;
    if (needsConfirmation(wanted)) setAsked(wanted);
    else change.mutate(wanted);
  };
  const held = rolesHere(person);
  const elsewhere = person.companyRoles.filter((one) => one.companyId !== companyId);
  const system = person.systemRoleMap?.active ? person.systemRoleMap.role : '';
  return (
    <Facts title={t('Roles in this company')}>
      <Stack gap="sm">
        {COMPANY_ROLES.map((role) => (
          <Switch
            key={role}
            label={roleName(role)}
            description={ROLES_MEANING[role]}
            checked={held.includes(role)}
            onChange={(event) => want({ role, isGiven: event.currentTarget.checked })}
          />
        ))}
        {elsewhere.length > 0 && (
          <Text size="sm">{elsewhere.map((one) => roleAt(one, person.company, names)).join('; ')}</Text>
        )}
        {isSuperAdmin(caller) ? (
          <NativeSelect
            label={t('Role on the platform')}
            data={choicesOf(
              SYSTEM_ROLES.map((id) => ({ id, name: roleName(id) })),
              t('No role on the platform'),
            )}
            value={system}
            onChange={(event) => {
              const wanted = event.currentTarget.value as SystemRole | '';
              if (wanted !== '') want({ role: wanted, isGiven: true });
              else if (system !== '') want({ role: system, isGiven: false });
            }}
          />
        ) : (
          system !== '' && <Text size="sm">{`${t('Role on the platform')}: ${roleName(system)}`}</Text>
        )}
      </Stack>
      <RoleQuestion {...{ asked, person, caller, send, undo }} close={() => setAsked(undefined)} />
    </Facts>
  );
}

/** Returns whether a role is a platform role. Granting one replaces another, which revoking it does not restore. */
function isOnPlatform({ role }: Pick<RoleChange, 'role'>): boolean {
  return SYSTEM_ROLES.some((known) => known === role);
}

function doneText({ role, isGiven }: RoleChange): string {
  return roleChanged(roleName(role), isGiven);
}

interface RoleQuestionProps {
  /** Undefined: the dialog is closed. */
  asked: RoleChange | undefined;
  person: Person;
  caller: Person;
  send: (change: RoleChange, revokeKeys: boolean) => Promise<Saved>;
  undo: (change: RoleChange, saved: Saved) => Promise<unknown>;
  close: () => void;
}

/** Asks for confirmation before a role with wide access is granted, or one is revoked. */
function RoleQuestion({ asked, person, caller, send, undo, close }: RoleQuestionProps) {
  const [revokeKeys, setRevokeKeys] = useState(false);
  const role = roleName(asked?.role ?? '');
  const name = isolated(`${person.firstName} ${person.lastName}`);
  const label = asked?.isGiven ? t('Add role') : t('Remove role');
  return (
    <Dialog title={`${label}: ${role}`} isOpen={asked !== undefined} close={close}>
      {asked && (
        <Question
          label={label}
          text={
            asked.isGiven
              ? t('{name} becomes {role}: {meaning}.', { name, role, meaning: ROLES_MEANING[asked.role] })
              : t('{name} is no longer {role}. You can add the role again.', { name, role })
          }
          done={doneText(asked)}
          details={
            !asked.isGiven && <AccessLoss {...{ person, caller, revokeKeys, setRevokeKeys }} roles={[asked.role]} />
          }
          run={() => send(asked, revokeKeys)}
          undo={revokeKeys || isOnPlatform(asked) ? undefined : (saved) => undo(asked, saved)}
          color={asked.isGiven ? undefined : 'red'}
          close={close}
        />
      )}
    </Dialog>
  );
}
