import { Anchor, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Directory, NamedChange, Person } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { Copied } from '../parts/facts.tsx';
import { HistoryLink } from '../parts/links.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { administers } from '../session/use-profile.ts';
import { pageTexts, texts, directoryTexts as words } from '../texts.ts';
import { GroupMappings } from './group-mappings.tsx';

/** Where directories send people and groups to. */
const ADDRESS = `${location.origin}${BASE_PATH}/scim/v2`;
const GUIDE = `${BASE_PATH}/docs/scim-directories`;
/** Directories of a company that are shown, and reports of what was left out. */
const SHOWN = 100;

const COLUMNS: readonly Column<Directory>[] = [
  {
    name: words.name,
    show: ({ name }) => (
      <Text fw={600} component="span">
        <bdi>{name}</bdi>
      </Text>
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

/** What provisions a company by SCIM, what its groups give, and what was left out. */
export function DirectoriesPage({ profile }: { profile: Person }) {
  return (
    <CompanyPage
      profile={profile}
      title={words.title}
      lead={words.lead}
      crumbs={[{ href: '/keys', label: texts.pages.keys }]}
    >
      {({ id }) =>
        administers(profile, id) ? (
          <Directories key={id} companyId={id} />
        ) : (
          <Text>{pageTexts.denied.administrators}</Text>
        )
      }
    </CompanyPage>
  );
}

function Directories({ companyId }: { companyId: string }) {
  const { client, userId } = useSession();
  const found = useQuery({
    queryKey: ownKey(userId, 'directories', companyId),
    queryFn: ({ signal }) => client.get('/api/directories/list', { companyId, limit: SHOWN }, signal),
  });
  if (!found.data)
    return found.isError ? <Failed error={found.error} retry={() => void found.refetch()} /> : <Loading />;
  const { data } = found.data;
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
            <Anchor component={Link} href={`/keys?companyId=${companyId}`} inherit>
              {words.key}
            </Anchor>
          </List.Item>
          <List.Item>
            <Anchor href={GUIDE} target="_blank" inherit>
              {words.guide}
            </Anchor>
          </List.Item>
        </List>
      </Paper>
      {data.length > 0 && <DataTable label={words.title} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />}
      <GroupMappings companyId={companyId} />
      <LeftOut companyId={companyId} directories={data} />
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
        .map(({ field, after }) => `${words.leftOutFields[field] ?? field}: ${String(after)}`)
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
  const { client, userId } = useSession();
  const found = useQuery({
    queryKey: ownKey(userId, 'left-out', companyId),
    queryFn: ({ signal }) => client.get('/api/audit/list', { companyId, action: 'refused', limit: SHOWN }, signal),
  });
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
      <DataTable label={words.leftOut} columns={LEFT_OUT} rows={rows} keyOf={({ id }) => String(id)} />
    </section>
  );
}
