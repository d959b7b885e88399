import { Badge, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, Body, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { connectionTexts } from '../lazy-texts.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, plain } from '../parts/data-table.tsx';
import { DialogButton, ShownOnce } from '../parts/dialog.tsx';
import { Choices } from '../parts/form-field.tsx';
import { COMPANY_COLUMN, HistoryLink, PersonLink, TextLink } from '../parts/links.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { administers } from '../session/use-profile.ts';
import { companyTexts, directoryTexts, texts, keyTexts as words } from '../texts.ts';

type Scope = ApiKey['scopes'][number];

const NAME: Column<ApiKey> = {
  name: words.name,
  show: (key) => (
    <>
      <Text fw={600} component="span" mr={8}>
        <bdi>{key.name}</bdi>
      </Text>
      {(!isUsable(key) || key.suspended) && <Badge color="gray">{stateOf(key)}</Badge>}
    </>
  ),
  text: ({ name }) => name,
};
const COLUMNS: readonly Column<ApiKey>[] = [
  { name: words.prefix, show: ({ prefix }) => <bdi>{prefix}…</bdi>, text: ({ prefix }) => prefix },
  { name: words.scopes, ...plain(({ scopes }) => scopes.map((scope) => words.scopeNames[scope]).join(', ')) },
  {
    name: words.madeBy,
    show: ({ createdBy }) => <PersonLink id={createdBy} />,
    text: ({ createdBy }) => createdBy ?? '',
  },
  { name: words.lastUsed, ...plain(({ lastUsedAt }) => momentOrNever(lastUsedAt)) },
  { name: words.expires, ...plain(({ expiresAt }) => momentOrNever(expiresAt)) },
  { name: words.state, text: stateOf },
  actions(companyTexts.actions, (key) => <Actions of={key} />),
];

function momentOrNever(iso: string | null): string {
  return iso === null ? words.never : formatMoment(iso);
}

/** The API keys of a company, or of all companies and the platform. */
export function KeysPage({ profile }: { profile: Person }) {
  return (
    <CompanyList<ApiKey>
      profile={profile}
      title={texts.pages.keys}
      lead={words.lead}
      leadOfAll={words.leadOfAll}
      actions={({ id }) => (
        <>
          {administers(profile, id) && (
            <TextLink href={`/keys/directories?companyId=${id}`} inherit={false}>
              {directoryTexts.title}
            </TextLink>
          )}
          {id !== '' && (
            <TextLink href={`/keys/connections?companyId=${id}`} inherit={false}>
              {connectionTexts.title}
            </TextLink>
          )}
          <DialogButton title={words.add} variant="filled">
            {(close) => <NewKeyForm companyId={id} close={close} />}
          </DialogButton>
        </>
      )}
      list={({ id }) => ({
        kind: 'keys',
        load: (client, query, signal) => client.get('/api/api-keys/list', query, signal),
        label: words.table,
        columns: [NAME, ...(id === '' ? [COMPANY_COLUMN] : []), ...COLUMNS],
        file: 'api-keys',
        fileColumns: [NAME, COMPANY_COLUMN, ...COLUMNS],
      })}
    />
  );
}

/** Scopes of a platform key. SCIM is excluded, as it provisions people into one company. */
const { scim: _, ...OF_THE_PLATFORM } = words.scopeNames;

/** The choice of an expiry that is none of the usual ones. */
const CHOSEN = 'chosen';

/** @param companyId empty: a platform key */
function NewKeyForm({ companyId, close }: { companyId: string; close: () => void }) {
  const { client } = useSession();
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [made, setMade] = useState<string>();
  // Computed once, so that a repeated attempt sends the same.
  const [presets] = useState(() =>
    Object.entries(words.expiresAfter).map(([days, label]) => {
      const value = new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      return { value, label: `${label} (${formatMoment(value)})` };
    }),
  );
  if (made !== undefined) return <ShownOnce label={words.key} secret={made} close={close} />;
  return (
    <RecordForm
      title={words.add}
      fields={[
        { name: 'name', label: words.name, hint: words.nameHint, isRequired: true },
        {
          ...{ name: 'expiry', label: words.expires, kind: 'choice' },
          choices: [{ value: '', label: words.never }, ...presets, { value: CHOSEN, label: words.expiresChosen }],
        },
        {
          ...{ name: 'expiresAt', label: words.expiresAt, kind: 'moment', isRequired: true },
          isShown: ({ expiry }) => expiry === CHOSEN,
        },
      ]}
      first={{}}
      submit={words.add}
      save={({ expiry: expiresAt, ...chosen }, key) => {
        const typed = expiresAt === undefined || expiresAt === CHOSEN ? chosen : { ...chosen, expiresAt };
        const body = { ...(companyId === '' ? {} : { companyId }), scopes: [...scopes], ...typed };
        return client.post('/api/api-keys/create', body as Body<'/api/api-keys/create'>, { key });
      }}
      done={({ data }) => setMade(data.key)}
      close={close}
      extra={{ isChanged: scopes.length > 0, problem: scopes.length === 0 ? words.noScope : undefined }}
    >
      <Choices<Scope>
        title={words.scopes}
        names={companyId === '' ? OF_THE_PLATFORM : words.scopeNames}
        meanings={words.scopeMeanings}
        chosen={scopes}
        choose={setScopes}
      />
    </RecordForm>
  );
}

function stateOf(key: ApiKey): string {
  if (isUsable(key)) return key.suspended ? words.suspended : words.usable;
  return key.revokedAt === null ? words.ended : words.revoked;
}

function Actions({ of: key }: { of: ApiKey }) {
  const { client } = useSession();
  const { id, suspended, revokedAt } = key;
  const name = isolated(key.name);
  return (
    <Stack gap={4} align="flex-end">
      {suspended && (
        <ConfirmButton
          title={`${words.confirm}: ${name}`}
          label={words.confirm}
          text={words.confirmText(name)}
          done={words.confirmed(name)}
          run={() => client.post('/api/api-keys/confirm', { id })}
          size="xs"
        />
      )}
      {revokedAt === null && (
        <ConfirmButton
          title={`${words.revoke}: ${name}`}
          label={words.revoke}
          text={words.revokeText(name)}
          done={words.revokedNow(name)}
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
