import { Anchor, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { Directory, DirectoryGroup, ListedPerson, NamedChange, Person } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatCount, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { HistoryLink, TextLink } from '../parts/links.tsx';
import { Nothing, Pending } from '../parts/states.tsx';
import { useGet } from '../session/queries.ts';
import { administers } from '../session/use-profile.ts';
import { pageTexts, peopleTexts, texts, directoryTexts as words } from '../texts.ts';
import { GroupMappings } from './group-mappings.tsx';
import { fieldName } from './history-values.ts';

/** Where directories send people and groups to. */
const ADDRESS = `${location.origin}${BASE_PATH}/scim/v2`;
const GUIDE = `${BASE_PATH}/docs/scim-directories`;
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
    name: words.name,
    show: ({ id, name }) => (
      <TextLink href={`/keys/${id}`} fw={600}>
        {name}
      </TextLink>
    ),
  },
  {
    name: words.lastRequest,
    ...plain(({ lastUsedAt }) => (lastUsedAt === null ? words.none : formatMoment(lastUsedAt))),
  },
  counts(words.people, ({ _count }) => _count.users),
  counts(words.groups, ({ _count }) => _count.groups),
  {
    name: words.expires,
    ...plain(({ expiresAt }) => (expiresAt === null ? words.neverExpires : formatMoment(expiresAt))),
  },
  { name: words.history, show: ({ id, name }) => <HistoryLink entity="apiKey" id={id} name={isolated(name)} /> },
];

const CRUMBS = [{ href: '/keys', label: texts.pages.keys }];

interface DirectoriesPageProps {
  profile: Person;
  /** One directory; absent: all of a company. */
  id?: string;
}

/** What provisions a company by SCIM, what its groups give, and what was left out; or the same of one directory. */
export function DirectoriesPage({ profile, id: directoryId }: DirectoriesPageProps) {
  const above = directoryId === undefined ? [] : [{ href: '/keys/directories', label: words.title }];
  return (
    <CompanyPage profile={profile} title={words.title} lead={words.lead} crumbs={[...CRUMBS, ...above]}>
      {({ id }) =>
        administers(profile, id) ? (
          <Directories key={id} companyId={id} directoryId={directoryId} />
        ) : (
          <Text>{pageTexts.denied.administrators}</Text>
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
    return one ? <OneDirectory directory={one} companyId={companyId} /> : <Nothing title={texts.states.nothing} />;
  return (
    <Stack gap="xl">
      <Paper withBorder p="lg">
        <Title order={2} size="h4" mb="xs">
          {words.connect}
        </Title>
        <List type="ordered" size="sm">
          <List.Item>
            {words.address} <Copied text={ADDRESS} label={words.address} />
          </List.Item>
          <List.Item>
            <TextLink href={`/keys?companyId=${companyId}`}>{words.key}</TextLink>
          </List.Item>
          <List.Item>
            <Anchor href={GUIDE} target="_blank" inherit>
              {words.guide}
            </Anchor>
          </List.Item>
        </List>
      </Paper>
      {data.length > 0 && <DataTable label={words.title} columns={COLUMNS} rows={data} />}
      <GroupMappings companyId={companyId} />
      <LeftOut companyId={companyId} directories={data} />
    </Stack>
  );
}

const PEOPLE: readonly Column<ListedPerson>[] = [
  {
    name: peopleTexts.name,
    show: ({ id, firstName, lastName }) => <TextLink href={`/people/${id}`}>{`${firstName} ${lastName}`}</TextLink>,
  },
  { name: peopleTexts.email, ...plain(({ email }) => email) },
  { name: peopleTexts.department, ...plain(({ department }) => department?.name ?? '') },
];

const GROUPS: readonly Column<DirectoryGroup>[] = [
  { name: words.group, ...plain(({ name }) => name) },
  counts(words.members, ({ _count }) => _count.users),
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
          [words.address, <Copied key="address" text={ADDRESS} label={words.address} />],
          [words.keyPrefix, `${prefix}…`],
          [words.guides, guides],
          [words.connected, formatMoment(createdAt)],
          [words.lastRequest, lastUsedAt === null ? words.none : formatMoment(lastUsedAt)],
          [words.expires, expiresAt === null ? words.neverExpires : formatMoment(expiresAt)],
          [words.people, formatCount(directory._count.users)],
          [words.groups, formatCount(directory._count.groups)],
        ]}
      />
      {people.data && people.data.data.length > 0 && (
        <section>
          <Text size="sm" c="dimmed">
            {people.data.pagination.totalItems > SHOWN &&
              words.ofPeople(formatCount(people.data.pagination.totalItems))}
          </Text>
          <DataTable label={words.people} columns={PEOPLE} rows={people.data.data} />
        </section>
      )}
      {groups.data && groups.data.data.length > 0 && (
        <DataTable label={words.groups} columns={GROUPS} rows={groups.data.data} />
      )}
      <LeftOut companyId={companyId} directories={[directory]} />
    </Stack>
  );
}

const LEFT_OUT: readonly Column<NamedChange>[] = [
  { name: words.at, ...plain(({ changedAt }) => formatMoment(changedAt)) },
  { name: words.name, ...plain(({ actorName }) => actorName ?? words.none) },
  { name: words.whom, ...plain((change) => valueNamed(change, 'group') ?? change.entityName ?? '') },
  {
    name: words.leftOutValues,
    isWide: true,
    ...plain((change) =>
      change.changes
        .filter(({ field }) => field !== 'group')
        .map(({ field, after }) => `${words.leftOutFields[field] ?? fieldName(field)}: ${String(after)}`)
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
          {words.leftOut}
        </Title>
        <Text size="sm" c="dimmed">
          {words.leftOutLead}
        </Text>
      </Group>
      <DataTable label={words.leftOut} columns={LEFT_OUT} rows={rows} />
    </section>
  );
}
