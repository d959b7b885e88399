import { Alert, Anchor, Badge, Button, Group, List, Stack, Text } from '@mantine/core';
import { signInConnection } from '../../../src/entities/sign-in-connection.ts';
import { SIGNATURE_ALGORITHMS } from '../../../src/lib/signature-algorithms.ts';
import type { Body, Person, SignInConnection } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { isolated } from '../isolated.ts';
import { connectionTexts as words } from '../lazy-texts.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { ConfirmButton, OnOffButton } from '../parts/confirm-button.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { entityFields, type FormField, type Sent } from '../parts/form-fields.ts';
import { HistoryLink } from '../parts/links.tsx';
import { useAct } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { Pending } from '../parts/states.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers, isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, texts } from '../texts.ts';
import { changedBy } from './changed-by.ts';
import { Domains } from './connection-domains.tsx';

const GUIDE = `${BASE_PATH}/docs/identity-providers`;
/** More connections than a company may have. */
const SHOWN = 100;

const choice = (name: string, label: string, names: Readonly<Record<string, string>>): FormField => ({
  name,
  label,
  kind: 'choice',
  choices: Object.entries(names).map(([value, text]) => ({ value, label: text })),
});
const ALGORITHMS = Object.fromEntries(SIGNATURE_ALGORITHMS.map((name) => [name, name]));
const FIELDS: readonly FormField[] = [
  ...entityFields(signInConnection, words.fields)
    .filter(({ name }) => name !== 'algorithm')
    .map((field) => ({ ...field, hint: words.hints[field.name] ?? '' })),
  choice('tokenUse', words.tokenUse, words.tokenUses),
  choice('algorithm', words.fields.algorithm, ALGORITHMS),
  { ...choice('emailsVerified', words.emailsVerified, words.emailsVerifiedAre), isWide: true },
];
const FIRST = { subjectClaim: 'sub', tokenUse: 'access', algorithm: 'RS256', emailsVerified: 'false' };

/** The identity providers of a company, with the domains whose people they sign in. */
export function ConnectionsPage({ profile }: { profile: Person }) {
  const mayChange = (id: string) => isSuperAdmin(profile) || administers(profile, id);
  return (
    <CompanyPage
      profile={profile}
      title={words.title}
      lead={words.lead}
      crumbs={[{ href: '/keys', label: texts.pages.keys }]}
      actions={({ id }) =>
        mayChange(id) && (
          <DialogButton title={words.add} variant="filled">
            {(close) => <ConnectionForm {...{ companyId: id, close }} />}
          </DialogButton>
        )
      }
    >
      {({ id }) =>
        mayChange(id) ? <Connections key={id} companyId={id} /> : <Text>{pageTexts.denied.administrators}</Text>
      }
    </CompanyPage>
  );
}

function Connections({ companyId }: { companyId: string }) {
  const found = useGet('/api/sign-in-connections/list', { companyId, limit: SHOWN });
  if (!found.data) return <Pending of={found} />;
  const { data } = found.data;
  return (
    <Stack>
      <Text size="sm">
        {words.guideRedirect} <Copied text={`${location.origin}${BASE_PATH}/`} label={words.guideRedirect} />{' '}
        <Anchor href={GUIDE} target="_blank" inherit>
          {words.guide}
        </Anchor>
      </Text>
      {data.length === 0 && <Text>{words.none}</Text>}
      {data.map((connection) => (
        <Shown key={connection.id} connection={connection} others={data.filter(({ id }) => id !== connection.id)} />
      ))}
    </Stack>
  );
}

interface ShownProps {
  connection: SignInConnection;
  /** The other connections of the company. */
  others: readonly SignInConnection[];
}

function Shown({ connection, others }: ShownProps) {
  const { client } = useSession();
  const { id, issuer, audience, clientId, subjectClaim, tokenUse, active } = connection;
  const test = useAct(() => client.post('/api/sign-in-connections/test', { id }));
  const result = test.data?.data;
  const name = isolated(issuer);
  return (
    <Facts
      title={issuer}
      facts={[
        [
          words.state,
          <Badge key="state" color={active ? 'green' : 'gray'}>
            {active ? words.on : words.off}
          </Badge>,
        ],
        [words.fields.audience, audience],
        [words.fields.clientId, clientId ?? pageTexts.form.none],
        [words.fields.subjectClaim, subjectClaim],
        [words.tokenUse, words.tokenUses[tokenUse]],
      ]}
    >
      <Domains {...{ connection, others, records: result?.domains }} />
      <div aria-live="polite">
        {result && (
          <Alert
            color={result.working ? 'green' : 'yellow'}
            my="sm"
            title={result.working ? words.working : words.lacking}
          >
            {result.problems.length > 0 && (
              <List size="sm">
                {result.problems.map(({ field, message }) => (
                  <List.Item key={field}>
                    {words.problems[field] ?? message}
                    <Text size="xs" c="dimmed">
                      {message}
                    </Text>
                  </List.Item>
                ))}
              </List>
            )}
          </Alert>
        )}
      </div>
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => test.mutate()} loading={test.isPending}>
          {words.test}
        </Button>
        <DialogButton title={`${pageTexts.form.edit}: ${name}`} label={pageTexts.form.edit} size="xs">
          {(close) => <ConnectionForm {...{ companyId: connection.companyId, connection, close }} />}
        </DialogButton>
        <OnOffButton
          isOn={active}
          off={{ title: words.switchOff, text: words.switchOffText, done: words.switchedOff }}
          on={{ title: words.switchOn, text: words.switchOnText, done: words.switchedOn }}
          set={(isOn, version) => client.post('/api/sign-in-connections/update', { id, active: isOn }, { version })}
          of={{ entity: 'signInConnection', entityId: id }}
        />
        <ConfirmButton
          title={`${pageTexts.form.remove}: ${name}`}
          label={pageTexts.form.remove}
          text={words.removeText}
          done={words.removed(name)}
          run={() => client.post('/api/sign-in-connections/delete', { id })}
          color="red"
          size="xs"
        />
        <HistoryLink entity="signInConnection" id={id} name={name} />
      </Group>
    </Facts>
  );
}

interface ConnectionFormProps {
  companyId: string;
  /** Absent: the form adds one. */
  connection?: SignInConnection;
  close: () => void;
}

function ConnectionForm({ companyId, connection, close }: ConnectionFormProps) {
  const { client } = useSession();
  const id = connection?.id ?? '';
  const found = useGet('/api/sign-in-connections/get', connection !== undefined ? { id } : undefined, { staleTime: 0 });
  const present = found.data?.data ?? connection;
  const save = ({ emailsVerified, ...changes }: Sent, key: string) => {
    const body = { ...changes, ...(emailsVerified === undefined ? {} : { emailsVerified: emailsVerified === 'true' }) };
    if (!connection) {
      return client.post(
        '/api/sign-in-connections/create',
        { companyId, ...body } as Body<'/api/sign-in-connections/create'>,
        {
          key,
        },
      );
    }
    return client.post('/api/sign-in-connections/update', { id, ...body }, { version: found.data?.version });
  };
  return (
    <RecordForm
      title={connection?.issuer ?? words.add}
      fields={FIELDS}
      first={
        present
          ? Object.fromEntries(FIELDS.map(({ name }) => [name, String(present[name as keyof SignInConnection] ?? '')]))
          : FIRST
      }
      submit={connection ? pageTexts.form.save : words.add}
      save={save}
      saved={({ data }) => words.saved(isolated(data.issuer))}
      changedBy={() => changedBy(client, 'signInConnection', id)}
      close={close}
    />
  );
}
