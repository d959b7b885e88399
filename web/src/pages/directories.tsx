import { Anchor, List, Paper, Stack, Title } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Body, Directory, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { Copied } from '../parts/facts.tsx';
import { HistoryLink, TextLink } from '../parts/links.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { Nothing, Pending } from '../parts/states.tsx';
import { useAll } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { ADDRESS, GUIDE, OneDirectory } from './directory.tsx';
import { KINDS, useDirectoryFields } from './directory-actions.tsx';
import { LeftOut } from './directory-left-out.tsx';
import { GroupMappings } from './group-mappings.tsx';

const COLUMNS: readonly Column<Directory>[] = [
  {
    name: t('Directory'),
    show: ({ id, name }) => (
      <TextLink href={`/keys/${id}`} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { name: t('Kind'), ...plain(({ kind }) => KINDS[kind]) },
  {
    name: t('Last request'),
    ...plain(({ lastRequestAt }) => (lastRequestAt === null ? t('none yet') : formatMoment(lastRequestAt))),
  },
  counts(t('People'), ({ _count }) => _count.users),
  counts(t('Groups'), ({ _count }) => _count.groups),
  counts(t('API keys'), ({ keys }) => keys.length),
  { name: t('Status'), ...plain(({ active }) => (active ? t('On') : t('Off'))) },
  { name: t('History'), show: ({ id, name }) => <HistoryLink entity="directory" id={id} name={isolated(name)} /> },
];

const CRUMBS = [{ href: '/keys', label: t('API keys') }];
const LIST = '/keys/directories';

interface DirectoriesPageProps {
  profile: Person;
  /** One directory; absent: all of a company. */
  id?: string;
}

/** What provisions a company by SCIM, what its groups give, and what was left out; or the same of one directory. */
export function DirectoriesPage({ profile, id: directoryId }: DirectoriesPageProps) {
  const above = directoryId === undefined ? [] : [{ href: LIST, label: t('Directories and groups') }];
  return (
    <CompanyPage
      profile={profile}
      title={t('Directories and groups')}
      lead={(company) =>
        t('Entra ID, Okta and other directories keep the people of {company} up to date by SCIM.', { company })
      }
      crumbs={[...CRUMBS, ...above]}
      mayOpen={(id) => administers(profile, id)}
      actions={({ id }) => directoryId === undefined && administers(profile, id) && <AddDirectory companyId={id} />}
    >
      {({ id }) => <Directories key={id} companyId={id} directoryId={directoryId} />}
    </CompanyPage>
  );
}

/** Adds a directory, and opens its page, which makes its first key. */
function AddDirectory({ companyId }: { companyId: string }) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  return (
    <FormButton
      title={t('Add a directory')}
      variant="filled"
      fields={useDirectoryFields(companyId)}
      first={{ kind: 'OTHER' }}
      save={(typed, key) =>
        client.post('/api/directories/create', { companyId, ...typed } as Body<'/api/directories/create'>, { key })
      }
      saved={({ data: { name } }) => t('{name} added.', { name: isolated(name) })}
      done={({ data: { id } }) => navigate(`/keys/${id}`)}
    />
  );
}

function Directories({ companyId, directoryId }: { companyId: string; directoryId: string | undefined }) {
  const found = useAll('/api/directories/list', { companyId });
  if (!found.data) return <Pending of={found} rows={5} />;
  const { data } = found;
  if (directoryId !== undefined) {
    const one = data.find(({ id }) => id === directoryId);
    const others = data.filter(({ id }) => id !== directoryId);
    return one ? (
      <OneDirectory key={one.id} {...{ directory: one, others }} />
    ) : (
      <Nothing title={t('Nothing matches')} />
    );
  }
  return (
    <Stack gap="xl">
      <Paper withBorder p="lg">
        <Title order={2} size="h4" mb="xs">
          {t('Connect a directory')}
        </Title>
        <List type="ordered" size="sm">
          <List.Item>{t('Add a directory, and create its key: it is the secret token.')}</List.Item>
          <List.Item>
            {t('Tenant URL')} <Copied text={ADDRESS} label={t('Tenant URL')} />
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
      <LeftOut directories={data} />
    </Stack>
  );
}
