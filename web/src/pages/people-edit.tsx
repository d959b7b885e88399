import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { CompanyRole, ListedPerson } from '../api/types.ts';
import { ACTIVE_NAMES } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { DialogButton } from '../parts/dialog.tsx';
import type { Typed } from '../parts/draft.ts';
import { changesIn, type FormField, type Sent } from '../parts/form-fields.ts';
import { notify } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { roleName } from '../roles.ts';
import { useBands, useChanged, useDepartments } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import {
  changesOf,
  type PersonValues,
  type RefusedChange,
  saveChanges,
  undoChanges,
  type WantedChange,
} from './people-change.ts';
import { BECOMES_ADMIN, COMPANY_ROLES } from './person-fields.ts';

interface EditPeopleProps {
  people: readonly ListedPerson[];
  companyId: string;
  /** Whether the user may list the company's departments and bands. */
  isListed: boolean;
  /** Called with the people whose change was refused, after the others have been changed. */
  done: (refused: readonly ListedPerson[]) => void;
}

/** A dialog that changes many people: it tells beforehand how many will change, and afterwards who was refused and why. */
export function EditPeople(props: EditPeopleProps) {
  return (
    <DialogButton
      title={t('Edit {count, plural, one {# person} other {# people}}', { count: props.people.length })}
      variant="filled"
    >
      {(close) => <EditPeopleForm {...props} close={close} />}
    </DialogButton>
  );
}

function EditPeopleForm({ people: given, companyId, isListed, done, close }: EditPeopleProps & { close: () => void }) {
  const { client } = useSession();
  const changed = useChanged();
  const fields = useFields(isListed ? companyId : undefined, companyId);
  const [people] = useState(given);
  const [refused, setRefused] = useState<readonly RefusedChange[]>();
  const notChanged = useRef<readonly RefusedChange[]>([]);
  if (refused) return <Refused refused={refused} close={close} />;
  const save = async (sent: Sent) => {
    const wanted = wantedOf(sent);
    const saved = await saveChanges(client, companyId, changesOf(people, wanted));
    if (saved.changed.length > 0) {
      const undo = () => undoChanges(client, companyId, saved).finally(changed);
      notify(
        'done',
        t('{count, plural, one {# person} other {# people}} changed.', { count: saved.changed.length }),
        undo,
      );
    }
    notChanged.current = saved.refused;
  };
  const conclude = () => {
    const { current } = notChanged;
    if (current.length > 0) setRefused(current);
    else close();
    done(current.map(({ person }) => person));
  };
  return (
    <RecordForm
      title={t('Edit {count, plural, one {# person} other {# people}}', { count: people.length })}
      fields={fields}
      first={UNCHANGED}
      submit={t('Save')}
      save={save}
      done={conclude}
      close={close}
      confirm={({ role }) => (role === '+CORPORATE_ADMIN' ? BECOMES_ADMIN : undefined)}
    >
      {(typed) => <Forecast people={people} wanted={wantedOf(changesIn(fields, typed, UNCHANGED))} />}
    </RecordForm>
  );
}

const MANAGER = 'employment.managerId';
const UNCHANGED: Typed = { [MANAGER]: '', departmentId: '', bandId: '', approvalLimit: '', role: '', active: '' };

/** @param companyId undefined if its departments and bands cannot be listed @param ofManagers the company of the managers */
function useFields(companyId: string | undefined, ofManagers: string): FormField[] {
  const departments = useDepartments(companyId);
  const bands = useBands(companyId);
  const stays = t('Leave as is');
  const roles = (sign: '+' | '-', label: (role: string) => string) =>
    COMPANY_ROLES.map((role) => ({ value: `${sign}${role}`, label: label(roleName(role)) }));
  return [
    ...(departments ? [{ name: 'departmentId', label: t('Department'), choices: choicesOf(departments, stays) }] : []),
    ...(bands ? [{ name: 'bandId', label: t('Band'), choices: choicesOf(bands, stays) }] : []),
    {
      ...{ name: MANAGER, label: t('Manager', { context: 'field' }), kind: 'person', companyId: ofManagers },
      placeholder: stays,
    },
    { name: 'approvalLimit', label: t('Approval limit'), kind: 'money', placeholder: stays },
    {
      ...{ name: 'role', label: t('Role') },
      choices: [
        ...choicesOf([], stays),
        ...roles('+', (role) => t('Add {role}', { role })),
        ...roles('-', (role) => t('Remove {role}', { role })),
      ],
    },
    { name: 'active', label: t('Status'), choices: choicesOf(ACTIVE_NAMES, stays) },
  ];
}

function wantedOf({ role, active, ...values }: Sent): WantedChange {
  const change =
    typeof role === 'string' ? { role: role.slice(1) as CompanyRole, isGiven: role.startsWith('+') } : undefined;
  const status = active === undefined ? {} : { active: active === 'true' };
  return { values: { ...(values as PersonValues), ...status }, role: change };
}

/** The number of people that the chosen values would change. */
function Forecast({ people, wanted }: { people: readonly ListedPerson[]; wanted: WantedChange }) {
  const isChosen = wanted.role !== undefined || Object.keys(wanted.values).length > 0;
  const changes = isChosen ? changesOf(people, wanted) : [];
  const deactivated = changes.filter(({ values }) => values.active === false).length;
  return (
    <Text role="status" data-testid="forecast">
      {isChosen
        ? t(
            '{count, plural, one {# person} other {# people}} will change.{same, plural, =0 {} other { # already have these values.}}',
            { count: changes.length, same: people.length - changes.length },
          )
        : t('Choose what to change.')}
      {deactivated > 0 &&
        ` ${t('{count, plural, one {# person} other {# people}} will be signed out and can no longer sign in.', { count: deactivated })}`}
    </Text>
  );
}

function Refused({ refused, close }: { refused: readonly RefusedChange[]; close: () => void }) {
  return (
    <Stack>
      <Alert
        color="yellow"
        role="alert"
        title={t('{count, plural, one {# person} other {# people}} could not be changed:', { count: refused.length })}
      >
        <List size="sm" data-testid="refused">
          {refused.map(({ person: { id, firstName, lastName }, why }) => (
            <List.Item key={id}>
              <bdi>{`${firstName} ${lastName}`}</bdi>: {why}
            </List.Item>
          ))}
        </List>
      </Alert>
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>
          {t('Close')}
        </Button>
      </Group>
    </Stack>
  );
}
