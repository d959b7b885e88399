import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiKey, Body, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { connectionTexts } from '../lazy-texts.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column, plain } from '../parts/data-table.tsx';
import { DialogButton, ShownOnce } from '../parts/dialog.tsx';
import { Choices } from '../parts/form-field.tsx';
import { COMPANY_COLUMN, HistoryLink, PersonLink } from '../parts/links.tsx';
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
      {(!isUsable(key) || key.suspended) && (
        <Badge variant="light" miw="max-content" color="gray">
          {stateOf(key)}
        </Badge>
      )}
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
            <Anchor component={Link} href={`/keys/directories?companyId=${id}`}>
              {directoryTexts.title}
            </Anchor>
          )}
          {id !== '' && (
            <Anchor component={Link} href={`/keys/connections?companyId=${id}`}>
              {connectionTexts.title}
            </Anchor>
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

/** @param companyId empty: a platform key */
function NewKeyForm({ companyId, close }: { companyId: string; close: () => void }) {
  const { client } = useSession();
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [made, setMade] = useState<string>();
  if (made !== undefined) return <ShownOnce label={words.key} secret={made} close={close} />;
  return (
    <RecordForm
      title={words.add}
      fields={[
        { name: 'name', label: words.name, hint: words.nameHint, isRequired: true },
        { name: 'expiresAt', label: words.expires, kind: 'moment', hint: words.expiresHint },
      ]}
      first={{}}
      submit={words.add}
      save={(typed, key) => {
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
  return (
    <Stack gap={4} align="flex-end">
      {key.suspended && <Confirm of={key} />}
      {key.revokedAt === null && <Revoke of={key} />}
      <HistoryLink entity="apiKey" id={key.id} name={isolated(key.name)} />
    </Stack>
  );
}

function Confirm({ of: { id, name } }: { of: ApiKey }) {
  const { client } = useSession();
  return (
    <ConfirmButton
      title={`${words.confirm}: ${isolated(name)}`}
      label={words.confirm}
      text={words.confirmText(isolated(name))}
      done={words.confirmed(isolated(name))}
      run={() => client.post('/api/api-keys/confirm', { id })}
      size="xs"
    />
  );
}

function Revoke({ of: { id, name } }: { of: ApiKey }) {
  const { client } = useSession();
  return (
    <ConfirmButton
      title={`${words.revoke}: ${isolated(name)}`}
      label={words.revoke}
      text={words.revokeText(isolated(name))}
      done={words.revokedNow(isolated(name))}
      run={() => client.post('/api/api-keys/revoke', { id })}
      color="red"
      size="xs"
    />
  );
}

/** Returns whether a key is usable now: neither revoked nor expired. */
export function isUsable({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}
