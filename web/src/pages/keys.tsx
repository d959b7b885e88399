import { Badge, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, Body, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Choices } from '../parts/choices.tsx';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useSession } from '../session/session.tsx';
import { useChanged } from '../session/use-changes.ts';
import { texts } from '../texts.ts';
import { companyTexts } from '../texts-company.ts';
import { keyTexts as words } from '../texts-keys.ts';

type Scope = ApiKey['scopes'][number];

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    name: words.name,
    show: ({ name }) => (
      <Text fw={600} component="span">
        <bdi>{name}</bdi>
      </Text>
    ),
  },
  { name: words.prefix, show: ({ prefix }) => <bdi>{prefix}…</bdi> },
  { name: words.scopes, show: ({ scopes }) => scopes.map((scope) => words.scopeNames[scope]).join(', ') },
  { name: words.lastUsed, show: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : formatMoment(lastUsedAt)) },
  { name: words.expires, show: ({ expiresAt }) => (expiresAt === null ? words.never : formatMoment(expiresAt)) },
  { name: words.state, show: (key) => <State of={key} /> },
  { name: companyTexts.actions, isFigure: true, show: (key) => key.revokedAt === null && <Revoke of={key} /> },
];

/** The API keys of a company. */
export function KeysPage({ profile }: { profile: Person }) {
  return (
    <CompanyList<ApiKey>
      profile={profile}
      title={texts.pages.keys}
      lead={words.lead}
      kind="keys"
      load={(client, query, signal) => client.get('/api/api-keys/list', query, signal)}
      actions={({ id }) => (
        <DialogButton title={words.add} variant="filled">
          {(close) => <NewKeyForm companyId={id} close={close} />}
        </DialogButton>
      )}
      show={(keys, isStale) => (
        <DataTable label={words.table} columns={COLUMNS} rows={keys} keyOf={({ id }) => id} isStale={isStale} />
      )}
    />
  );
}

function NewKeyForm({ companyId, close }: { companyId: string; close: () => void }) {
  const { client } = useSession();
  const changed = useChanged();
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
      save={async (typed) => {
        const body = { companyId, scopes: [...scopes], ...typed } as Body<'/api/api-keys/create'>;
        const { data } = await client.post('/api/api-keys/create', body);
        setMade(data.key);
        await changed();
      }}
      done={() => undefined}
      cancel={close}
      besides={{ isChanged: scopes.length > 0, problem: scopes.length === 0 ? words.noScope : undefined }}
    >
      <Choices title={words.scopes} names={words.scopeNames} chosen={scopes} choose={setScopes} />
    </RecordForm>
  );
}

function State({ of: { revokedAt, expiresAt } }: { of: ApiKey }) {
  const hasEnded = expiresAt !== null && new Date(expiresAt) <= new Date();
  const [text, color] =
    revokedAt !== null ? [words.revoked, 'gray'] : hasEnded ? [words.ended, 'gray'] : [words.usable, 'green'];
  return (
    <Badge variant="light" miw="max-content" color={color}>
      {text}
    </Badge>
  );
}

function Revoke({ of: { id, name } }: { of: ApiKey }) {
  const { client } = useSession();
  const changed = useChanged();
  return (
    <ConfirmButton
      title={`${words.revoke}: ${isolated(name)}`}
      label={words.revoke}
      text={words.revokeText(isolated(name))}
      done={words.revokedNow(isolated(name))}
      run={async () => {
        await client.post('/api/api-keys/revoke', { id });
        await changed();
      }}
      color="red"
      size="xs"
    />
  );
}
