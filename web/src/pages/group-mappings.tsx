import { Group, Stack, Text, Title } from '@mantine/core';
import { groupMapping } from '../../../src/entities/group-mapping.ts';
import type { Body, DirectoryGroup, GroupMapping } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import type { Typed } from '../parts/draft.ts';
import { entityFields, type FormField } from '../parts/form-fields.ts';
import { FormButton, RecordForm } from '../parts/record-form.tsx';
import { roleName } from '../roles.ts';
import { useAll, useBands, useDepartments, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { changedBy } from './changed-by.ts';
import { COMPANY_ROLES } from './person-fields.ts';

const [NAME, PRIORITY] = entityFields(groupMapping, { groupName: t('Group'), priority: t('Priority') });

/** What the groups of directories give: the mappings of a company, and the groups that have none yet. */
export function GroupMappings({ companyId }: { companyId: string }) {
  const mappings = useAll('/api/group-mappings/list', { companyId }, Number.POSITIVE_INFINITY);
  const groups = useAll('/api/directories/groups', { companyId });
  const fields = useFields(companyId);
  const nameOf = ({ groupId, groupName }: GroupMapping) =>
    groupName ?? groups.data?.find(({ id }) => id === groupId)?.name ?? '…';
  const labelOf = (name: string, id: string | null) =>
    fields.find((field) => field.name === name)?.choices?.find(({ value }) => value === id)?.label ?? '';
  const columns: Column<GroupMapping>[] = [
    counts(t('Priority'), ({ priority }) => priority),
    { name: t('Group'), ...plain(nameOf) },
    { name: t('Role'), ...plain(({ role }) => (role === null ? '' : roleName(role))) },
    { name: t('Department'), ...plain(({ departmentId }) => labelOf('departmentId', departmentId)) },
    { name: t('Band', { context: 'mapping' }), ...plain(({ bandId }) => labelOf('bandId', bandId)) },
    counts(t('Members'), ({ _count }) => _count.users),
    actions(t('Change'), (mapping) => <Actions {...{ mapping, fields, name: nameOf(mapping) }} />),
  ];
  const unmapped: Column<DirectoryGroup>[] = [
    { name: t('Group'), ...plain(({ name }) => name) },
    { name: t('Directory'), ...plain(({ directory }) => directory.name) },
    counts(t('Members'), ({ _count }) => _count.users),
    actions(t('Change'), ({ name }) => <AddMapping {...{ companyId, fields, name }} />),
  ];
  const rest = groups.data?.filter(({ _count }) => _count.mappings === 0) ?? [];
  return (
    <Stack component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('What groups give')}
        </Title>
        <AddMapping {...{ companyId, fields }} />
      </Group>
      <Text size="sm" c="dimmed">
        {t(
          'Members of a group get its role, department and band. Of several, the lowest priority decides on department and band.',
        )}
      </Text>
      {(mappings.data?.length ?? 0) > 0 && (
        <DataTable label={t('What groups give')} columns={columns} rows={mappings.data ?? []} />
      )}
      {rest.length > 0 && (
        <>
          <Title order={3} size="h5">
            {t('Groups without a mapping')}
          </Title>
          <DataTable label={t('Groups without a mapping')} columns={unmapped} rows={rest} />
        </>
      )}
    </Stack>
  );
}

/** Returns the fields of a mapping, with what the company has to give. */
function useFields(companyId: string): readonly FormField[] {
  const departments = useDepartments(companyId) ?? [];
  const bands = useBands(companyId) ?? [];
  const choice = (name: string, label: string, choices: { value: string; label: string }[]): FormField => {
    const none = { value: '', label: '–' };
    return { name, label, kind: 'choice', isNullable: true, choices: [none, ...choices] };
  };
  const named = (items: readonly { id: string; name: string }[]) =>
    items.map(({ id, name }) => ({ value: id, label: name }));
  return [
    ...(NAME
      ? [{ ...NAME, isNullable: false, isRequired: true, hint: t('Any group of this name, also one that comes later') }]
      : []),
    choice(
      'role',
      t('Role'),
      COMPANY_ROLES.map((role) => ({ value: role, label: roleName(role) })),
    ),
    choice('departmentId', t('Department'), named(departments)),
    choice('bandId', t('Band', { context: 'mapping' }), named(bands)),
    ...(PRIORITY ? [{ ...PRIORITY, hint: t('100 if empty') }] : []),
  ];
}

interface AddMappingProps {
  companyId: string;
  fields: readonly FormField[];
  /** The group; absent: one that is typed. */
  name?: string;
}

function AddMapping({ companyId, fields, name }: AddMappingProps) {
  const { client } = useSession();
  const title = name === undefined ? t('Map a group') : `${t('Map')}: ${isolated(name)}`;
  const shown = name === undefined ? fields : fields.filter((field) => field.name !== 'groupName');
  return (
    <FormButton
      title={title}
      {...(name === undefined ? { variant: 'filled' as const } : { label: t('Map'), size: 'xs' as const })}
      fields={shown}
      first={{}}
      submit={t('Map a group')}
      save={(typed, key) => {
        const body = { companyId, ...(name === undefined ? {} : { groupName: name }), ...typed };
        return client.post('/api/group-mappings/create', body as Body<'/api/group-mappings/create'>, { key });
      }}
    />
  );
}

interface MappingProps {
  mapping: GroupMapping;
  fields: readonly FormField[];
  name: string;
}

function Actions({ mapping, fields, name }: MappingProps) {
  const { client } = useSession();
  const title = isolated(name);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DialogButton title={`${t('Edit')}: ${title}`} label={t('Edit')} size="xs">
        {(close) => <EditMapping {...{ mapping, fields, name, close }} />}
      </DialogButton>
      <ConfirmButton
        title={`${t('Delete')}: ${title}`}
        label={t('Delete')}
        text={t('Roles that nothing else gives go with it. Departments and bands stay as they are.')}
        done={t('{name} deleted.', { name: title })}
        run={() => client.post('/api/group-mappings/delete', { id: mapping.id })}
        color="red"
        size="xs"
      />
    </Group>
  );
}

function EditMapping({ mapping, fields, name, close }: MappingProps & { close: () => void }) {
  const { client } = useSession();
  const { id } = mapping;
  const found = useGet('/api/group-mappings/get', { id }, { staleTime: 0 });
  return (
    <RecordForm
      title={name}
      fields={mapping.groupId === null ? fields : fields.filter((field) => field.name !== 'groupName')}
      first={typedMapping(found.data?.data ?? mapping)}
      submit={t('Save')}
      save={(changes) =>
        client.post('/api/group-mappings/update', { id, ...changes } as Body<'/api/group-mappings/update'>, {
          version: found.data?.version,
        })
      }
      changedBy={() => changedBy(client, 'groupMapping', id)}
      close={close}
    />
  );
}

function typedMapping({ groupName, role, departmentId, bandId, priority }: GroupMapping): Typed {
  return {
    groupName: groupName ?? '',
    role: role ?? '',
    departmentId: departmentId ?? '',
    bandId: bandId ?? '',
    priority: String(priority),
  };
}
