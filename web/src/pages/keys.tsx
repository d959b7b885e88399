import { Badge, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, Body, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { SCOPE_NAMES } from '../labels.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, plain } from '../parts/data-table.tsx';
import { DialogButton, ShownOnce } from '../parts/dialog.tsx';
import { Choices } from '../parts/form-field.tsx';
import { COMPANY_COLUMN, HistoryLink, PersonLink, TextLink } from '../parts/links.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';

const EXPIRES_AFTER = {
  30: t('In 30 days'),
  90: t('In 90 days'),
  365: t('In a year'),
};
const SCOPE_MEANINGS = {
  'users.read': t('GET /api/users/list and /get: everybody of the company, with limits and roles'),
  'users.write': t('POST /api/users/create, /update, /import …: people, their limits and their roles'),
  'policies.evaluate': t('GET or POST /api/approval-policies/evaluate, before a booking is made'),
  'departments.read': t('GET /api/departments/list and /spending'),
  'organization.write': t('POST /api/departments/create, /api/bands/update, /api/approval-policies/delete …'),
  'companies.read': t('GET /api/companies/get: details and credit'),
  'companies.write': t('POST /api/companies/update: details, brand and time zone'),
  'events.read': t('GET /api/events/list: each change, in the order in which it happened'),
  'bookings.read': t('GET /api/bookings/list and /api/companies/spending'),
  'bookings.write': t('POST /api/bookings/record: what departments spend'),
  'webhooks.manage': t('/api/webhooks/…, together with “Follow the changes”'),
  'travellers.read': t('GET /api/users/get-traveller: programmes, wishes, the last digits of documents'),
  'travellers.documents': t('GET /api/users/get-traveller with the whole numbers of passports and visas'),
  'travellers.emergency': t('GET /api/users/get-traveller with whom to call in an emergency'),
  scim: t('Tenant URL /scim/v2, for Entra, Okta and other directories'),
} satisfies Record<Scope, string>;

type Scope = ApiKey['scopes'][number];

const NAME: Column<ApiKey> = {
  name: t('Name'),
  show: (key) => (
    <>
      <Text fw={600} component="span" me={8}>
        <bdi>{key.name}</bdi>
      </Text>
      {(!isUsable(key) || key.suspended) && <Badge color="gray">{stateOf(key)}</Badge>}
    </>
  ),
  text: ({ name }) => name,
};
const COLUMNS: readonly Column<ApiKey>[] = [
  { name: t('Key'), show: ({ prefix }) => <bdi>{prefix}…</bdi>, text: ({ prefix }) => prefix },
  { name: t('Permissions'), ...plain(({ scopes }) => scopes.map((scope) => SCOPE_NAMES[scope]).join(', ')) },
  {
    name: t('Created by'),
    show: ({ createdBy }) => <PersonLink id={createdBy} />,
    text: ({ createdBy }) => createdBy ?? '',
  },
  { name: t('Last used'), ...plain(({ lastUsedAt }) => momentOrNever(lastUsedAt)) },
  { name: t('Expires'), ...plain(({ expiresAt }) => momentOrNever(expiresAt)) },
  { name: t('Status'), text: stateOf },
  actions(t('Change'), (key) => <Actions of={key} />),
];

function momentOrNever(iso: string | null): string {
  return iso === null ? t('Never') : formatMoment(iso);
}

/** The API keys of a company, or of all companies and the platform. */
export function KeysPage({ profile }: { profile: Person }) {
  return (
    <CompanyList
      path="/api/api-keys/list"
      profile={profile}
      title={t('API keys')}
      lead={(company) => t('Programs use these keys to reach what belongs to {company}.', { company })}
      leadOfAll={t('The keys of all companies, and those of the platform, which reach every company.')}
      actions={({ id }) => (
        <>
          {administers(profile, id) && (
            <TextLink href={`/keys/directories?companyId=${id}`} inherit={false}>
              {t('Directories and groups')}
            </TextLink>
          )}
          {id !== '' && (
            <TextLink href={`/keys/connections?companyId=${id}`} inherit={false}>
              {t('Sign-in connections')}
            </TextLink>
          )}
          <DialogButton title={t('Create API key')} variant="filled">
            {(close) => <NewKeyForm companyId={id} close={close} />}
          </DialogButton>
        </>
      )}
      list={({ id }) => ({
        emptyHint: t('A program needs a key to read people, to ask who approves a booking, or to report bookings.'),
        columns: [NAME, ...(id === '' ? [COMPANY_COLUMN] : []), ...COLUMNS],
        file: 'api-keys',
        fileColumns: [NAME, COMPANY_COLUMN, ...COLUMNS],
      })}
    />
  );
}

/** Scopes of a platform key. SCIM is excluded, as it provisions people into one company. */
const { scim: _, ...OF_THE_PLATFORM } = SCOPE_NAMES;
/** Those of a company's key, which reaches no other company. */
const OF_A_COMPANY = {
  ...SCOPE_NAMES,
  'companies.read': t('Read the company'),
  'companies.write': t('Change the company'),
};

/** The choice of an expiry that is none of the usual ones. */
const CHOSEN = 'chosen';

/** @param companyId empty: a platform key */
function NewKeyForm({ companyId, close }: { companyId: string; close: () => void }) {
  const { client } = useSession();
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [made, setMade] = useState<string>();
  // Computed once, so that a repeated attempt sends the same.
  const [presets] = useState(() =>
    Object.entries(EXPIRES_AFTER).map(([days, label]) => {
      const value = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      return { value, label: `${label} (${formatMoment(value)})` };
    }),
  );
  if (made !== undefined) return <ShownOnce label={t('API key')} secret={made} close={close} />;
  return (
    <RecordForm
      title={t('Create API key')}
      fields={[
        { name: 'name', label: t('Name'), hint: t('Which program it is for'), isRequired: true },
        {
          ...{ name: 'expiry', label: t('Expires') },
          choices: [
            { value: '', label: t('Never') },
            ...presets,
            { value: CHOSEN, label: t('On a date of your choice') },
          ],
        },
        {
          ...{ name: 'expiresAt', label: t('Date and time'), kind: 'moment', isRequired: true },
          isShown: ({ expiry }) => expiry === CHOSEN,
        },
      ]}
      first={{}}
      submit={t('Create API key')}
      save={({ expiry: expiresAt, ...chosen }, key) => {
        const typed = expiresAt === undefined || expiresAt === CHOSEN ? chosen : { ...chosen, expiresAt };
        const body = { ...(companyId === '' ? {} : { companyId }), scopes: [...scopes], ...typed };
        return client.post('/api/api-keys/create', body as Body<'/api/api-keys/create'>, { key });
      }}
      done={({ data }) => setMade(data.key)}
      close={close}
      extra={{
        isChanged: scopes.length > 0,
        problem: scopes.length === 0 ? t('Choose at least one permission.') : undefined,
      }}
    >
      <Choices<Scope>
        title={t('Permissions')}
        names={companyId === '' ? OF_THE_PLATFORM : OF_A_COMPANY}
        meanings={SCOPE_MEANINGS}
        chosen={scopes}
        choose={setScopes}
      />
    </RecordForm>
  );
}

function stateOf(key: ApiKey): string {
  if (isUsable(key)) return key.suspended ? t('To be confirmed') : t('Active');
  return key.revokedAt === null ? t('Expired') : t('Revoked');
}

function Actions({ of: key }: { of: ApiKey }) {
  const { client } = useSession();
  const { id, suspended, revokedAt } = key;
  const name = isolated(key.name);
  return (
    <Stack gap={4} align="flex-end">
      {suspended && (
        <ConfirmButton
          title={t('Confirm')}
          of={name}
          text={t(
            'Whoever made {name} no longer administers the company, so it may not give anybody a role or a limit. Confirm it if the program is still yours: you answer for it from then on.',
            { name },
          )}
          done={t('{name} confirmed.', { name })}
          run={() => client.post('/api/api-keys/confirm', { id })}
          size="xs"
        />
      )}
      {revokedAt === null && (
        <ConfirmButton
          title={t('Revoke')}
          of={name}
          text={t('Programs that use {name} are refused from the next request on. This cannot be undone.', { name })}
          done={t('{name} revoked.', { name })}
          run={() => client.post('/api/api-keys/revoke', { id })}
          color="red"
          size="xs"
        />
      )}
      <HistoryLink entity="apiKey" id={id} name={name} />
    </Stack>
  );
}

/** Returns whether a key is usable now: neither revoked nor expired. */
export function isUsable({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}
