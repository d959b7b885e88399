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
import { useAll, useBands, useDepartments, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { companyTexts, pageTexts, roleName, directoryTexts as words } from '../texts.ts';
import { changedBy } from './changed-by.ts';
import { COMPANY_ROLES } from './person-fields.ts';

const [NAME, PRIORITY] = entityFields(groupMapping, { groupName: words.group, priority: words.priority });

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
    counts(words.priority, ({ priority }) => priority),
    { name: words.group, ...plain(nameOf) },
    { name: words.role, ...plain(({ role }) => (role === null ? '' : roleName(role))) },
    { name: words.department, ...plain(({ departmentId }) => labelOf('departmentId', departmentId)) },
    { name: words.band, ...plain(({ bandId }) => labelOf('bandId', bandId)) },
    counts(words.members, ({ _count }) => _count.users),
    actions(companyTexts.actions, (mapping) => <Actions {...{ mapping, fields, name: nameOf(mapping) }} />),
  ];
  const unmapped: Column<DirectoryGroup>[] = [
    { name: words.group, ...plain(({ name }) => name) },
    { name: words.name, ...plain(({ directory }) => directory.name) },
    counts(words.members, ({ _count }) => _count.users),
    actions(companyTexts.actions, ({ name }) => <AddMapping {...{ companyId, fields, name }} />),
  ];
  const rest = groups.data?.filter(({ _count }) => _count.mappings === 0) ?? [];
  return (
    <Stack component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {words.mappings}
        </Title>
        <AddMapping {...{ companyId, fields }} />
      </Group>
      <Text size="sm" c="dimmed">
        {words.mappingsLead}
      </Text>
      {(mappings.data?.length ?? 0) > 0 && (
        <DataTable label={words.mappings} columns={columns} rows={mappings.data ?? []} />
      )}
      {rest.length > 0 && (
        <>
          <Title order={3} size="h5">
            {words.unmapped}
          </Title>
          <DataTable label={words.unmapped} columns={unmapped} rows={rest} />
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
    const none = { value: '', label: pageTexts.form.none };
    return { name, label, kind: 'choice', isNullable: true, choices: [none, ...choices] };
  };
  const named = (items: readonly { id: string; name: string }[]) =>
    items.map(({ id, name }) => ({ value: id, label: name }));
  return [
    ...(NAME ? [{ ...NAME, isNullable: false, isRequired: true, hint: words.groupHint }] : []),
    choice(
      'role',
      words.role,
      COMPANY_ROLES.map((role) => ({ value: role, label: roleName(role) })),
    ),
    choice('departmentId', words.department, named(departments)),
    choice('bandId', words.band, named(bands)),
    ...(PRIORITY ? [{ ...PRIORITY, hint: words.priorityHint }] : []),
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
  const title = name === undefined ? words.add : `${words.map}: ${isolated(name)}`;
  const shown = name === undefined ? fields : fields.filter((field) => field.name !== 'groupName');
  return (
    <FormButton
      title={title}
      {...(name === undefined ? { variant: 'filled' as const } : { label: words.map, size: 'xs' as const })}
      fields={shown}
      first={{}}
      submit={words.add}
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
      <DialogButton title={`${pageTexts.form.edit}: ${title}`} label={pageTexts.form.edit} size="xs">
        {(close) => <EditMapping {...{ mapping, fields, name, close }} />}
      </DialogButton>
      <ConfirmButton
        title={`${pageTexts.form.remove}: ${title}`}
        label={pageTexts.form.remove}
        text={words.removeText}
        done={companyTexts.removed(title)}
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
      submit={pageTexts.form.save}
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
