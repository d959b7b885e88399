import { Anchor, Badge, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Directory, DirectoryGroup, ListedPerson } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { formatCount, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { Dialog, ShownOnce } from '../parts/dialog.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { More, TextLink } from '../parts/links.tsx';
import { ActButton } from '../parts/notices.tsx';
import { Dimmed } from '../parts/text.tsx';
import { useChanged, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { DirectoryActions, KINDS, type OneDirectoryProps } from './directory-actions.tsx';
import { LeftOut } from './directory-left-out.tsx';

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
/** People and groups that are shown. */
const SHOWN = 100;

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
        <div>
          <DataTable label={t('People')} columns={PEOPLE} rows={people.data.data} />
          <More of={people.data} href={`/people?${new URLSearchParams({ companyId, directoryId: id })}`} />
        </div>
      )}
      {groups.data && groups.data.data.length > 0 && (
        <div>
          <DataTable label={t('Groups')} columns={GROUPS} rows={groups.data.data} />
          <More of={groups.data} />
        </div>
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
      title={t('Revoke')}
      of={`${prefix}…`}
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
  return (
    <Stack gap="xs" mt="md" align="flex-start">
      {keys.length > 0 && <DataTable label={t('API keys')} columns={KEYS} rows={keys} />}
      <Dimmed>
        {keys.length === 0
          ? t('It has no key: nothing can call it.')
          : t(
              'Renewing makes a second key, which sees and changes all that the first one made. The first one ends after 7 days, or when it is revoked.',
            )}
      </Dimmed>
      <ActButton
        size="xs"
        run={() => client.post('/api/directories/renew-key', { id })}
        done={({ data: { key } }) => {
          setMade(key);
          return changed();
        }}
      >
        {keys.length === 0 ? t('Create a key') : t('Renew the key')}
      </ActButton>
      <Dialog title={t('API key')} isOpen={made !== undefined} close={() => setMade(undefined)}>
        {made !== undefined && <ShownOnce label={t('API key')} secret={made} close={() => setMade(undefined)} />}
      </Dialog>
    </Stack>
  );
}
