import { Anchor, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { Directory, DirectoryGroup, ListedPerson, NamedChange, Person } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatCount, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { HistoryLink, TextLink } from '../parts/links.tsx';
import { Nothing, Pending } from '../parts/states.tsx';
import { useGet } from '../session/queries.ts';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { GroupMappings } from './group-mappings.tsx';

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
};

/** Where directories send people and groups to. */
const ADDRESS = `${location.origin}${BASE_PATH}/scim/v2`;
const GUIDE = `${BASE_PATH}/docs/provisioning`;
/** The guides, by their headings. */
const GUIDES = {
  'microsoft-entra-id': 'Microsoft Entra ID',
  okta: 'Okta',
  'google-workspace': 'Google Workspace',
  jumpcloud: 'JumpCloud',
  authentik: 'authentik',
};
/** Directories of a company that are shown, and reports of what was left out. */
const SHOWN = 100;

const COLUMNS: readonly Column<Directory>[] = [
  {
    name: t('Directory'),
    show: ({ id, name }) => (
      <TextLink href={`/keys/${id}`} fw={600}>
        {name}
      </TextLink>
    ),
  },
  {
    name: t('Last request'),
    ...plain(({ lastUsedAt }) => (lastUsedAt === null ? t('none yet') : formatMoment(lastUsedAt))),
  },
  counts(t('People'), ({ _count }) => _count.users),
  counts(t('Groups'), ({ _count }) => _count.groups),
  {
    name: t('Expires'),
    ...plain(({ expiresAt }) => (expiresAt === null ? t('Never') : formatMoment(expiresAt))),
  },
  { name: t('History'), show: ({ id, name }) => <HistoryLink entity="apiKey" id={id} name={isolated(name)} /> },
];

const CRUMBS = [{ href: '/keys', label: t('API keys') }];

interface DirectoriesPageProps {
  profile: Person;
  /** One directory; absent: all of a company. */
  id?: string;
}

/** What provisions a company by SCIM, what its groups give, and what was left out; or the same of one directory. */
export function DirectoriesPage({ profile, id: directoryId }: DirectoriesPageProps) {
  const above = directoryId === undefined ? [] : [{ href: '/keys/directories', label: t('Directories and groups') }];
  return (
    <CompanyPage
      profile={profile}
      title={t('Directories and groups')}
      lead={(company) =>
        t('Entra ID, Okta and other directories keep the people of {company} up to date by SCIM.', { company })
      }
      crumbs={[...CRUMBS, ...above]}
    >
      {({ id }) =>
        administers(profile, id) ? (
          <Directories key={id} companyId={id} directoryId={directoryId} />
        ) : (
          <Text>{t('Only Corporate Admins see this, for their own company, and Super Admins.')}</Text>
        )
      }
    </CompanyPage>
  );
}

function Directories({ companyId, directoryId }: { companyId: string; directoryId: string | undefined }) {
  const found = useGet('/api/directories/list', { companyId, limit: SHOWN });
  if (!found.data) return <Pending of={found} />;
  const { data } = found.data;
  const one = data.find(({ id }) => id === directoryId);
  if (directoryId !== undefined)
    return one ? <OneDirectory directory={one} companyId={companyId} /> : <Nothing title={t('Nothing matches')} />;
  return (
    <Stack gap="xl">
      <Paper withBorder p="lg">
        <Title order={2} size="h4" mb="xs">
          {t('Connect a directory')}
        </Title>
        <List type="ordered" size="sm">
          <List.Item>
            {t('Tenant URL')} <Copied text={ADDRESS} label={t('Tenant URL')} />
          </List.Item>
          <List.Item>
            <TextLink href={`/keys?companyId=${companyId}`}>
              {t('Create an API key with the permission “Manage people by SCIM”: it is the secret token.')}
            </TextLink>
          </List.Item>
          <List.Item>
            <Anchor href={`${GUIDE}#directories`} target="_blank" inherit>
              {t('Follow the guide for Entra ID, Okta, Google Workspace, JumpCloud or authentik.')}
            </Anchor>
          </List.Item>
        </List>
      </Paper>
      {data.length > 0 && <DataTable label={t('Directories and groups')} columns={COLUMNS} rows={data} />}
      <GroupMappings companyId={companyId} />
      <LeftOut companyId={companyId} directories={data} />
    </Stack>
  );
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

/** A directory: what to enter there, when it was last here, and whom and what it keeps up to date. */
function OneDirectory({ directory, companyId }: { directory: Directory; companyId: string }) {
  const { id, name, prefix, createdAt, expiresAt, lastUsedAt } = directory;
  const query = { companyId, directoryId: id, limit: SHOWN };
  const people = useGet('/api/users/list', query);
  const groups = useGet('/api/directories/groups', query);
  const guides = Object.entries(GUIDES).map(([heading, label]) => (
    <Anchor key={heading} href={`${GUIDE}#${heading}`} target="_blank" inherit mr="sm">
      {label}
    </Anchor>
  ));
  return (
    <Stack gap="xl">
      <Facts
        title={isolated(name)}
        facts={[
          [t('Tenant URL'), <Copied key="address" text={ADDRESS} label={t('Tenant URL')} />],
          [t('API key'), `${prefix}…`],
          [t('Guides'), guides],
          [t('Connected'), formatMoment(createdAt)],
          [t('Last request'), lastUsedAt === null ? t('none yet') : formatMoment(lastUsedAt)],
          [t('Expires'), expiresAt === null ? t('Never') : formatMoment(expiresAt)],
          [t('People'), formatCount(directory._count.users)],
          [t('Groups'), formatCount(directory._count.groups)],
        ]}
      />
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
      <LeftOut companyId={companyId} directories={[directory]} />
    </Stack>
  );
}

const LEFT_OUT: readonly Column<NamedChange>[] = [
  { name: t('When'), ...plain(({ changedAt }) => formatMoment(changedAt)) },
  { name: t('Directory'), ...plain(({ actorName }) => actorName ?? t('none yet')) },
  { name: t('Person or group'), ...plain((change) => valueNamed(change, 'group') ?? change.entityName ?? '') },
  {
    name: t('Left out'),
    isWide: true,
    ...plain((change) =>
      change.changes
        .filter(({ field }) => field !== 'group')
        .map(({ field, after }) => `${LEFT_OUT_FIELDS[field] ?? fieldLabel(field)}: ${String(after)}`)
        .join('; '),
    ),
  },
];

function valueNamed({ changes }: NamedChange, name: string): string | undefined {
  const found = changes.find(({ field }) => field === name);
  return found && String(found.after);
}

/** What directories have sent and orgdesk has left out, newest first. */
function LeftOut({ companyId, directories }: { companyId: string; directories: readonly Directory[] }) {
  const found = useGet('/api/audit/list', { companyId, action: 'refused', limit: SHOWN });
  const ids = new Set(directories.map(({ id }) => id));
  const rows = (found.data?.data ?? []).filter(({ actor }) => actor.kind === 'key' && ids.has(actor.keyId ?? ''));
  if (rows.length === 0) return null;
  return (
    <section>
      <Group mb="xs">
        <Title order={2} size="h4">
          {t('What was left out')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('Directories sent these values, and orgdesk does not know them.')}
        </Text>
      </Group>
      <DataTable label={t('What was left out')} columns={LEFT_OUT} rows={rows} />
    </section>
  );
}
