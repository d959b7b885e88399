import { Group, Stack, Text, Title } from '@mantine/core';
import { groupMapping } from '../../../src/entities/group-mapping.ts';
import { fold } from '../../../src/lib/text-folding.ts';
import type { DirectoryGroup, GroupMapping } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { actions, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { entityFields } from '../parts/form-fields.ts';
import { Dimmed, Heading } from '../parts/text.tsx';
import { roleName } from '../roles.ts';
import { useAll, useBands, useDepartments, useOwnRoles } from '../session/queries.ts';
import { t } from '../translate.ts';
import { AddResource, type ResourceKind, resourceActions } from './company-resource.tsx';
import { BECOMES_ADMIN, ROLE_CHOICES } from './person-fields.ts';

const BAND = t('Band', { context: 'mapping' });

/** What the groups of directories give: the mappings of a company, and the groups that have none yet. */
export function GroupMappings({ companyId }: { companyId: string }) {
  const mappings = useAll('/api/group-mappings/list', { companyId });
  const groups = useAll('/api/directories/groups', { companyId });
  const kind = useMappings(companyId, groups.data, mappings.data ?? []);
  const columns = [...kind.useColumns(companyId), resourceActions(kind, companyId)];
  const unmapped: Column<DirectoryGroup>[] = [
    { name: fieldLabel('groupName'), ...plain(({ name }) => name) },
    { name: t('Directory'), ...plain(({ directory }) => directory.name) },
    counts(t('Members'), ({ _count }) => _count.users),
    actions(t('Change'), ({ name }) => (
      <AddResource
        {...{ kind, companyId }}
        given={{ label: t('Map'), title: `${t('Map')}: ${isolated(name)}`, values: { groupName: name } }}
      />
    )),
  ];
  const rest = groups.data?.filter(({ _count }) => _count.mappings === 0) ?? [];
  return (
    <Stack component="section">
      <Group justify="space-between">
        <Heading>{kind.title}</Heading>
        <AddResource {...{ kind, companyId }} />
      </Group>
      <Dimmed>{kind.lead('')}</Dimmed>
      {(mappings.data?.length ?? 0) > 0 && (
        <DataTable label={kind.title} columns={columns} rows={mappings.data ?? []} />
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

/** Returns the kind of a company's mappings, with the groups and what the company has to give. */
function useMappings(
  companyId: string,
  groups: readonly DirectoryGroup[] | undefined,
  mappings: readonly GroupMapping[],
): ResourceKind<GroupMapping> {
  const departments = useDepartments(companyId) ?? [];
  const bands = useBands(companyId) ?? [];
  const roles = useOwnRoles(companyId) ?? [];
  const nameOf = ({ groupId, groupName }: GroupMapping) =>
    groupName ?? groups?.find(({ id }) => id === groupId)?.name ?? '…';
  const names = ['groupName', 'role', 'roleId', 'departmentId', 'bandId', 'priority'];
  const fields = entityFields(groupMapping, names, {
    groupName: { isNullable: false, isRequired: true, hint: t('Any group of this name, also one that comes later') },
    role: { choices: [...choicesOf([], '–'), ...ROLE_CHOICES] },
    roleId: { choices: choicesOf(roles, '–') },
    departmentId: { choices: choicesOf(departments, '–') },
    bandId: { label: BAND, choices: choicesOf(bands, '–') },
    priority: { hint: t('100 if empty') },
  });
  /** Returns whether a mapping has the group and the priority of another one: neither of them comes first. */
  const isEqual = (one: GroupMapping, name: string, priority: number, id?: string) =>
    one.id !== id && one.priority === priority && fold(nameOf(one)) === fold(name);
  const equalText = (name: string) =>
    t('Another mapping of {group} has the same priority. Give one of them another priority.', {
      group: isolated(name),
    });
  const nameIn = (items: readonly { id: string; name: string }[], id: string | null) =>
    items.find((item) => item.id === id)?.name ?? '';
  return {
    ...{ entity: 'groupMapping', list: 'group-mappings', nameOf, add: t('Map a group') },
    title: t('What groups give'),
    lead: () =>
      t(
        'Members of a group get its role, department and band. Of several, the lowest priority decides on department and band.',
      ),
    confirm: ({ role }, id) =>
      role === 'CORPORATE_ADMIN' && mappings.find((one) => one.id === id)?.role !== role ? BECOMES_ADMIN : undefined,
    hint: ({ groupName = '', priority = '' }, id) => {
      const own = mappings.find((one) => one.id === id);
      const name = groupName.trim() || (own ? nameOf(own) : '');
      const rank = Number(priority || 100);
      return name !== '' && mappings.some((one) => isEqual(one, name, rank, id)) ? equalText(name) : undefined;
    },
    removeText: t('Roles that nothing else gives go with it. Departments and bands stay as they are.'),
    useColumns: () => [
      counts(fieldLabel('priority'), ({ priority }) => priority),
      {
        name: fieldLabel('groupName'),
        text: nameOf,
        show: (item) => (
          <>
            <bdi>{nameOf(item)}</bdi>
            {mappings.some((one) => isEqual(one, nameOf(item), item.priority, item.id)) && (
              <Text size="sm" c="var(--mantine-color-error)">
                {equalText(nameOf(item))}
              </Text>
            )}
          </>
        ),
      },
      { name: fieldLabel('role'), ...plain(({ role }) => (role === null ? '' : roleName(role))) },
      { name: fieldLabel('roleId'), ...plain(({ roleId }) => nameIn(roles, roleId)) },
      { name: fieldLabel('departmentId'), ...plain(({ departmentId }) => nameIn(departments, departmentId)) },
      { name: BAND, ...plain(({ bandId }) => nameIn(bands, bandId)) },
      counts(t('Members'), ({ _count }) => _count.users),
    ],
    useFields: (_, item) => fields.filter(({ name }) => name !== 'groupName' || (item?.groupId ?? null) === null),
  };
}
