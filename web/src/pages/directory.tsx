import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Body, Directory, DirectoryDetail, DirectoryGroup, ListedPerson } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatCount, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { ConfirmButton, OnOffButton } from '../parts/confirm-button.tsx';
import { actions, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { Dialog, ShownOnce } from '../parts/dialog.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { type FormField, typedOf } from '../parts/form-fields.ts';
import { HistoryLink, PersonLink, TextLink } from '../parts/links.tsx';
import { useAct } from '../parts/notices.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { useChanged, useGet, useGets } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

const LEFT_OUT_FIELDS: Readonly<Record<string, string>> = {
  roles: t('Roles'),
  members: t('Members'),
  workEmail: t('Work e-mail'),
  phoneType: t('Kind of phone'),
  locality: t('City'),
  region: t('Region'),
  country: t('Country'),
  department: t('Department'),
  manager: t('Manager'),
  newcomer: t('Taken for a newcomer, as it is unclear who it is'),
};

/** Where directories send people and groups to. */
export const ADDRESS = `${location.origin}${BASE_PATH}/scim/v2`;
export const GUIDE = `${BASE_PATH}/docs/provisioning`;
/** The guides, by their headings. */
const GUIDES = {
  'microsoft-entra-id': 'Microsoft Entra ID',
  okta: 'Okta',
  'google-workspace': 'Google Workspace',
  jumpcloud: 'JumpCloud',
  authentik: 'authentik',
};
export const KINDS = {
  OKTA: 'Okta',
  ENTRA: 'Microsoft Entra ID',
  GOOGLE: 'Google Workspace',
  OTHER: t('Other', { context: 'directory' }),
};
/** People and groups that are shown. */
const SHOWN = 100;

/** Returns the fields of the form of a directory. */
export function useDirectoryFields(companyId: string): readonly FormField[] {
  const connections = useGet('/api/sign-in-connections/list', { companyId, limit: SHOWN }).data?.data ?? [];
  return [
    { name: 'name', label: t('Name'), isRequired: true },
    {
      ...{ name: 'kind', label: t('Kind'), kind: 'choice' },
      choices: Object.entries(KINDS).map(([value, label]) => ({ value, label })),
    },
    {
      ...{ name: 'connectionId', label: t('Its people sign in by'), kind: 'choice', isNullable: true },
      choices: [{ value: '', label: '–' }, ...connections.map(({ id, issuer }) => ({ value: id, label: issuer }))],
    },
  ];
}

const PEOPLE: readonly Column<ListedPerson>[] = [
  {
    name: t('Name'),
    show: ({ id, firstName, lastName }) => <TextLink href={`/people/${id}`}>{`${firstName} ${lastName}`}</TextLink>,
  },
  { name: t('E-mail'), ...plain(({ email }) => email) },
  { name: t('Department'), ...plain(({ department }) => department?.name ?? '') },
];

const GROUPS: readonly Column<DirectoryGroup>[] = [
  { name: t('Group'), ...plain(({ name }) => name) },
  counts(t('Members'), ({ _count }) => _count.users),
];

interface OneDirectoryProps {
  directory: Directory;
  /** The other directories of the company. */
  others: readonly Directory[];
}

/** A directory: what to enter there, its keys, when it was last here, and whom and what it keeps up to date. */
export function OneDirectory({ directory, others }: OneDirectoryProps) {
  const { id, companyId, name, kind, active, createdAt, lastRequestAt } = directory;
  const query = { companyId, directoryId: id, limit: SHOWN };
  const people = useGet('/api/users/list', query);
  const groups = useGet('/api/directories/groups', query);
  const guides = Object.entries(GUIDES).map(([heading, label]) => (
    <Anchor key={heading} href={`${GUIDE}#${heading}`} target="_blank" inherit me="sm">
      {label}
    </Anchor>
  ));
  return (
    <Stack gap="xl">
      <Facts
        title={isolated(name)}
        facts={[
          [t('Tenant URL'), <Copied key="address" text={ADDRESS} label={t('Tenant URL')} />],
          [t('Kind'), KINDS[kind]],
          [
            t('Status'),
            <Badge key="state" color={active ? 'green' : 'gray'}>
              {active ? t('On') : t('Off')}
            </Badge>,
          ],
          [t('Guides'), guides],
          [t('Connected'), formatMoment(createdAt)],
          [t('Last request'), lastRequestAt === null ? t('none yet') : formatMoment(lastRequestAt)],
          [t('People'), formatCount(directory._count.users)],
          [t('Groups'), formatCount(directory._count.groups)],
        ]}
      >
        <Keys directory={directory} />
        <DirectoryActions {...{ directory, others }} />
      </Facts>
      {people.data && people.data.data.length > 0 && (
        <section>
          <Text size="sm" c="dimmed">
            {people.data.pagination.totalItems > SHOWN &&
              t('The first of {count} people', { count: formatCount(people.data.pagination.totalItems) })}
          </Text>
          <DataTable label={t('People')} columns={PEOPLE} rows={people.data.data} />
        </section>
      )}
      {groups.data && groups.data.data.length > 0 && (
        <DataTable label={t('Groups')} columns={GROUPS} rows={groups.data.data} />
      )}
      <LeftOut directories={[directory]} />
    </Stack>
  );
}

type Key = Directory['keys'][number];

const KEYS: readonly Column<Key>[] = [
  { name: t('API key'), ...plain(({ prefix }) => `${prefix}…`) },
  { name: t('Added at'), ...plain(({ createdAt }) => formatMoment(createdAt)) },
  { name: t('Last used'), ...plain(({ lastUsedAt }) => (lastUsedAt === null ? t('Never') : formatMoment(lastUsedAt))) },
  { name: t('Expires'), ...plain(({ expiresAt }) => (expiresAt === null ? t('Never') : formatMoment(expiresAt))) },
  actions(t('Change'), (key) => <RevokeKey of={key} />),
];

function RevokeKey({ of: { id, prefix } }: { of: Key }) {
  const { client } = useSession();
  return (
    <ConfirmButton
      title={`${t('Revoke')}: ${prefix}…`}
      label={t('Revoke')}
      text={t('It is refused from the next request on. What it made stays with the directory. This cannot be undone.')}
      done={t('{name} revoked.', { name: `${prefix}…` })}
      run={() => client.post('/api/api-keys/revoke', { id })}
      color="red"
      size="xs"
    />
  );
}

/** The keys of a directory, and the press that makes another one: those before go on for a week. */
function Keys({ directory: { id, keys } }: { directory: Directory }) {
  const { client } = useSession();
  const changed = useChanged();
  const [made, setMade] = useState<string>();
  const label = keys.length === 0 ? t('Create a key') : t('Renew the key');
  const renewing = useAct(
    () => client.post('/api/directories/renew-key', { id }),
    ({ data: { key } }) => {
      setMade(key);
      return changed();
    },
  );
  return (
    <Stack gap="xs" mt="md" align="flex-start">
      {keys.length > 0 && <DataTable label={t('API keys')} columns={KEYS} rows={keys} />}
      <Text size="sm" c="dimmed">
        {keys.length === 0
          ? t('It has no key: nothing can call it.')
          : t(
              'Renewing makes a second key, which sees and changes all that the first one made. The first one ends after 7 days, or when it is revoked.',
            )}
      </Text>
      <Button size="xs" variant="default" onClick={() => renewing.mutate()} loading={renewing.isPending}>
        {label}
      </Button>
      <Dialog title={t('API key')} isOpen={made !== undefined} close={() => setMade(undefined)}>
        {made !== undefined && <ShownOnce label={t('API key')} secret={made} close={() => setMade(undefined)} />}
      </Dialog>
    </Stack>
  );
}

function DirectoryActions({ directory, others }: OneDirectoryProps) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { id, companyId, active } = directory;
  const name = isolated(directory.name);
  const fields = useDirectoryFields(companyId);
  const found = useGet('/api/directories/get', { id }, { staleTime: 0 });
  const into: FormField = {
    ...{ name: 'intoId', label: t('Directory'), kind: 'choice', isRequired: true },
    choices: [{ value: '', label: '–' }, ...others.map((other) => ({ value: other.id, label: other.name }))],
  };
  return (
    <Group gap="xs" mt="md">
      <FormButton
        edits
        title={name}
        size="xs"
        fields={fields}
        first={typedOf(fields, directory)}
        save={(changes) =>
          // Its version changes with each request of the directory.
          client.post('/api/directories/update', { id, ...changes } as Body<'/api/directories/update'>)
        }
        saved={() => t('{name} saved.', { name })}
      />
      <OnOffButton
        isOn={active}
        off={{
          title: t('Switch off'),
          text: t('Its keys are refused from the next request on. What it gave stays.'),
          done: t('Directory switched off.'),
        }}
        on={{ title: t('Switch on'), text: t('Its keys are accepted again.'), done: t('Directory switched on.') }}
        set={(isOn, version) => client.post('/api/directories/update', { id, active: isOn }, { version })}
        of={{ entity: 'directory', entityId: id }}
      />
      {others.length > 0 && (
        <FormButton
          title={t('Join with another directory')}
          size="xs"
          fields={[into]}
          first={{}}
          submit={t('Join')}
          save={({ intoId }) => client.post('/api/directories/join', { id, intoId: String(intoId) })}
          saved={() => t('{name} joined.', { name })}
          done={({ data }) => navigate(`/keys/${data.id}`)}
        >
          <Text size="sm">
            {t(
              'The other directory gets the keys, groups, mappings and people of {name}, which is gone then. Groups of one name become one. This cannot be undone.',
              { name },
            )}
          </Text>
        </FormButton>
      )}
      {found.data && <EndDirectory {...{ directory: found.data.data, into }} />}
      <HistoryLink entity="directory" id={id} name={name} />
    </Group>
  );
}

interface EndDirectoryProps {
  directory: DirectoryDetail;
  /** The choice of another directory. */
  into: FormField;
}

/** Ends a directory: shows what it gives, and asks what becomes of it. */
function EndDirectory({ directory, into }: EndDirectoryProps) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { id, _count } = directory;
  const name = isolated(directory.name);
  const title = t('End the directory');
  const end = (chosen: object) =>
    client.post('/api/directories/delete', { id, ...chosen } as Body<'/api/directories/delete'>);
  const gives = _count.users + _count.groups + _count.roles > 0;
  const text = t('Its keys are refused from the next request on. This cannot be undone.');
  if (!gives)
    return (
      <ConfirmButton
        {...{ title, text, color: 'red', size: 'xs', done: t('{name} ended.', { name }) }}
        run={async () => {
          await end({});
          navigate('/keys/directories');
        }}
      />
    );
  return (
    <FormButton
      title={title}
      size="xs"
      fields={[
        {
          ...{ name: 'choice', label: t('What it gave'), kind: 'choice', isRequired: true, isWide: true },
          choices: [
            { value: '', label: '–' },
            ...((into.choices?.length ?? 0) > 1 ? [{ value: 'HAND_OVER', label: t('goes to another directory') }] : []),
            { value: 'KEEP', label: t('stays, as given by hand') },
            { value: 'LET_GO', label: t('is taken away, with external IDs') },
          ],
        },
        { ...into, isShown: ({ choice }) => choice === 'HAND_OVER' },
      ]}
      first={{}}
      save={end}
      saved={() => t('{name} ended.', { name })}
      done={() => navigate('/keys/directories')}
    >
      <Text size="sm">{text}</Text>
      <Facts
        title={t('{name} gives', { name })}
        facts={[
          [t('People'), formatCount(_count.users)],
          [t('Groups'), formatCount(_count.groups)],
          [t('What groups give'), formatCount(_count.mappings)],
          [t('Roles'), formatCount(_count.roles)],
        ]}
      />
    </FormButton>
  );
}

interface LeftOutRow {
  id: string;
  directory: string;
  one: DirectoryDetail['leftOut'][number];
}

const LEFT_OUT: readonly Column<LeftOutRow>[] = [
  { name: t('When'), ...plain(({ one }) => formatMoment(one.at)) },
  { name: t('Directory'), ...plain(({ directory }) => directory) },
  {
    name: t('Person or group'),
    show: ({ one }) => (one.userId === null ? <bdi>{one.values.group}</bdi> : <PersonLink id={one.userId} />),
  },
  {
    name: t('Left out'),
    isWide: true,
    ...plain(({ one }) =>
      Object.entries(one.values)
        .filter(([field]) => field !== 'group')
        .map(([field, value]) => `${LEFT_OUT_FIELDS[field] ?? fieldLabel(field)}: ${value}`)
        .join('; '),
    ),
  },
];

/** What directories have sent by any of their keys and orgdesk has left out, newest first. */
export function LeftOut({ directories }: { directories: readonly Directory[] }) {
  const found = useGets(
    '/api/directories/get',
    directories.map(({ id }) => ({ id })),
  );
  const rows = found
    .flatMap(({ data }) => (data ? [data.data] : []))
    .flatMap(({ id, name, leftOut }) => leftOut.map((one, at) => ({ id: `${id} ${at}`, directory: name, one })))
    .sort((first, second) => second.one.at.localeCompare(first.one.at));
  if (rows.length === 0) return null;
  return (
    <section>
      <Group mb="xs">
        <Title order={2} size="h4">
          {t('What was left out')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('Directories sent these values, and no field takes them.')}
        </Text>
      </Group>
      <DataTable label={t('What was left out')} columns={LEFT_OUT} rows={rows} />
    </section>
  );
}
