import { Alert, Anchor, Badge, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Person, SignInConnection, Written } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { OnOffButton } from '../parts/confirm-button.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { pairsOf } from '../parts/form-fields.ts';
import { HistoryLink, TextLink } from '../parts/links.tsx';
import { ActButton } from '../parts/notices.tsx';
import { Pending } from '../parts/states.tsx';
import { useAll, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { ResourceActions, type ResourceKind } from './company-resource.tsx';
import { Domains } from './connection-domains.tsx';
import { AddConnection, CONNECTION_FIELDS, GUESTS_ARE, GUIDE, REDIRECT_URI, TOKEN_USES } from './connection-form.tsx';
import { ConnectionRefusals } from './connection-refusals.tsx';
import { SharedConnections, Sharing } from './connection-sharing.tsx';

const PROBLEMS: Readonly<Record<string, string>> = {
  issuer: t('Its discovery document cannot be read, or names another issuer.'),
  jwks_uri: t('It publishes no key for the algorithm.'),
  userinfo_endpoint: t('It has no userinfo endpoint.'),
  'authorization_endpoint or token_endpoint': t('It names no address where people sign in.'),
  token_endpoint: t('It lets no page sign in without a secret. Programs that send its tokens are let in.'),
  code_challenge_methods_supported: t('It lacks PKCE with S256.'),
  response_types_supported: t('It lacks the way by which this page signs in.'),
  id_token_signing_alg_values_supported: t('It does not sign ID tokens by the algorithm.'),
  scopes_supported: t('It lacks the scope email.'),
};

const NEEDED_FOR = {
  signIn: t('Needed:'),
  console: t('Needed for this page:'),
  recommended: t('Recommended:'),
};

const CONNECTIONS: ResourceKind<SignInConnection> = {
  ...{ entity: 'signInConnection', list: 'sign-in-connections', add: t('Add a connection') },
  title: t('Sign-in connections'),
  lead: (company) => t('The identity providers by which the people of {company} sign in.', { company }),
  nameOf: ({ issuer }) => issuer,
  useColumns: () => [],
  useFields: () => CONNECTION_FIELDS,
  removeText: t('Nobody signs in by it any more, and the links of people to their accounts end.'),
};

/** The identity providers of a company, with the domains whose people they sign in. */
export function ConnectionsPage({ profile }: { profile: Person }) {
  const mayChange = (id: string) => isSuperAdmin(profile) || administers(profile, id);
  return (
    <CompanyPage
      profile={profile}
      title={CONNECTIONS.title}
      lead={CONNECTIONS.lead}
      crumbs={[{ href: '/keys', label: t('API keys') }]}
      mayOpen={mayChange}
      actions={({ id }) => mayChange(id) && <AddConnection companyId={id} />}
    >
      {({ id }) => <Connections key={id} companyId={id} />}
    </CompanyPage>
  );
}

function Connections({ companyId }: { companyId: string }) {
  const found = useAll('/api/sign-in-connections/list', { companyId });
  if (!found.data) return <Pending of={found} rows={5} />;
  const { data } = found;
  return (
    <Stack>
      <Text size="sm">
        {t('At the provider, enter as redirect URI')}{' '}
        <Copied text={REDIRECT_URI} label={t('At the provider, enter as redirect URI')} />{' '}
        <Anchor href={GUIDE} target="_blank" inherit>
          {t('Follow the guide for Okta, Entra ID, Google and others.')}
        </Anchor>
      </Text>
      {data.length === 0 && <Text>{t('There is none yet: people sign in by the provider of the platform.')}</Text>}
      {data.map((connection) => (
        <Shown key={connection.id} connection={connection} others={data.filter(({ id }) => id !== connection.id)} />
      ))}
      <ForeignAddresses companyId={companyId} />
      <SharedConnections companyId={companyId} />
    </Stack>
  );
}

/** Proven domains of which people of another company have addresses: those of the company, and those that its people have. */
function ForeignAddresses({ companyId }: { companyId: string }) {
  const found = useGet('/api/sign-in-connections/foreign-addresses', { companyId });
  const domains = found.data?.data ?? [];
  if (domains.length === 0) return null;
  return (
    <Facts title={t('Addresses of another company')}>
      <List size="sm">
        {domains.map(({ domain, own, people: count, users }) => {
          const values = { domain: isolated(domain), count };
          return (
            <List.Item key={`${own} ${domain}`}>
              {own
                ? t(
                    '{domain} is yours. {count, plural, one {One person of another company keeps an address of it.} other {# people of other companies keep addresses of it.}}',
                    values,
                  )
                : t(
                    '{domain} belongs to another company. {count, plural, one {One person keeps an address of it; nobody gets a new one:} other {# people keep addresses of it; nobody gets a new one:}}',
                    values,
                  )}{' '}
              {users.map(({ id, firstName, lastName, email }) => (
                <span key={id}>
                  <TextLink href={`/people/${id}`}>{`${firstName} ${lastName}`}</TextLink> <bdi>{email}</bdi>{' '}
                </span>
              ))}
              {!own && count > users.length && '…'}
            </List.Item>
          );
        })}
      </List>
    </Facts>
  );
}

interface ShownProps {
  connection: SignInConnection;
  /** The other connections of the company. */
  others: readonly SignInConnection[];
}

function Shown({ connection, others }: ShownProps) {
  const { client } = useSession();
  const { id, issuer, audience, clientId, subjectClaim, tokenUse, guests, demandedClaims, active } = connection;
  const demanded = pairsOf(demandedClaims);
  const [result, setResult] = useState<Written<'/api/sign-in-connections/test'>['data']>();
  const name = isolated(issuer);
  return (
    <Facts
      title={issuer}
      facts={[
        [
          t('Status'),
          <Badge key="state" color={active ? 'green' : 'gray'}>
            {active ? t('On', { context: 'connection' }) : t('Off')}
          </Badge>,
        ],
        [t('Audience'), audience],
        [t('Client ID'), clientId ?? '–'],
        [t('Claim of a person'), subjectClaim],
        [t('Tokens'), TOKEN_USES[tokenUse]],
        [fieldLabel('guests'), GUESTS_ARE[`${guests}`]],
        demanded !== '' && [fieldLabel('demandedClaims'), demanded],
      ]}
    >
      <Domains {...{ connection, others, records: result?.domains }} />
      <Sharing connection={connection} />
      <div aria-live="polite">
        {result && (
          <Alert
            color={result.working ? 'green' : 'yellow'}
            my="sm"
            title={result.working ? t('The provider has all that a sign-in needs.') : t('People cannot sign in yet:')}
          >
            {result.problems.length > 0 && (
              <List size="sm">
                {result.problems.map(({ field, message, neededFor }) => (
                  <List.Item key={field}>
                    {NEEDED_FOR[neededFor]} {PROBLEMS[field] ?? message}
                    {/* What the address answered. */}
                    {field === 'issuer' && message.startsWith('http') && (
                      <Text size="xs" c="dimmed" lang="en">
                        {message}
                      </Text>
                    )}
                  </List.Item>
                ))}
              </List>
            )}
          </Alert>
        )}
      </div>
      <ConnectionRefusals id={id} />
      <Group gap="xs" mt="sm">
        <ActButton
          size="xs"
          run={() => client.post('/api/sign-in-connections/test', { id })}
          done={({ data }) => setResult(data)}
        >
          {t('Test')}
        </ActButton>
        <OnOffButton
          size="xs"
          isOn={active}
          off={{
            title: t('Switch off'),
            text: t('From the next request on, nobody signs in by it. The links of people to their accounts are kept.'),
            done: t('Connection switched off.'),
          }}
          on={{ title: t('Switch on'), text: t('People can sign in by it again.'), done: t('Connection switched on.') }}
          set={(isOn, version) => client.post('/api/sign-in-connections/update', { id, active: isOn }, { version })}
          of={{ entity: 'signInConnection', entityId: id }}
        />
        <ResourceActions kind={CONNECTIONS} item={connection} companyId={connection.companyId} />
        <HistoryLink entity="signInConnection" id={id} name={name} />
      </Group>
    </Facts>
  );
}
