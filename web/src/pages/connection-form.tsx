import { Anchor, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { signInConnection } from '../../../src/entities/sign-in-connection.ts';
import { SIGNATURE_ALGORITHMS } from '../../../src/lib/signature-algorithms.ts';
import type { Body } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { DialogButton } from '../parts/dialog.tsx';
import type { Typed } from '../parts/draft.ts';
import { Copied } from '../parts/facts.tsx';
import { changesIn, entityFields, type FormField } from '../parts/form-fields.ts';
import { RecordForm } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

export const TOKEN_USES = {
  access: t('Access tokens'),
  id: t('ID tokens, as for Google'),
};
const EMAILS_VERIFIED_ARE = {
  false: t('Only those that it has verified'),
  true: t('All, as it is our own organisation’s'),
};
export const GUESTS_ARE = {
  false: t('Sign in by the provider of the platform'),
  true: t('May sign in here, with their roles here alone'),
};

const NAMES = [
  ...['issuer', 'audience', 'clientId', 'scope', 'subjectClaim', 'tokenUse', 'algorithm'],
  ...['emailsVerified', 'guests', 'discoveryUrl'],
];

/** The fields of the form of a connection. */
export const CONNECTION_FIELDS: readonly FormField[] = [
  ...entityFields(signInConnection, NAMES, {
    issuer: { hint: t('For example https://acme.okta.com/oauth2/default') },
    audience: { hint: t('“aud” of its tokens; with ID tokens the client ID') },
    clientId: { hint: t('Of a public client, for this page; without one, people bring tokens') },
    scope: { hint: t('Without them, openid email') },
    subjectClaim: { hint: t('uid for Okta, oid for Entra ID, otherwise sub') },
    tokenUse: { label: t('Tokens'), choices: choicesOf(TOKEN_USES) },
    algorithm: { choices: choicesOf(SIGNATURE_ALGORITHMS) },
    emailsVerified: { label: t('Addresses'), choices: choicesOf(EMAILS_VERIFIED_ARE), isWide: true },
    guests: { choices: choicesOf(GUESTS_ARE), isWide: true },
    discoveryUrl: { hint: t('Only if it is not below the issuer') },
  }),
  {
    ...{ name: 'demandedClaims', label: fieldLabel('demandedClaims'), sentAs: 'pairs', isWide: true },
    hint: t('What its tokens must have, such as hd=acme.example, tid=…'),
  },
];

const USUAL = { subjectClaim: 'sub', tokenUse: 'access', algorithm: 'RS256', emailsVerified: 'false', guests: 'false' };

/** What a form starts with, and what is done at the provider before. */
interface ProviderStart {
  name: string;
  /** Its part of the guide. */
  guide?: string;
  todo: string;
  /** Words in capital letters stand for what is one's own. */
  values: Typed;
}

const PROVIDERS: readonly ProviderStart[] = [
  {
    name: 'Microsoft Entra ID',
    guide: 'microsoft-entra-id',
    todo: t(
      'Register an application with the redirect URI of a single-page application, and one for the API, whose tokens are of version 2 and have the claim email.',
    ),
    values: {
      issuer: 'https://login.microsoftonline.com/TENANT_ID/v2.0',
      scope: 'openid email offline_access api://API_ID/access',
      subjectClaim: 'oid',
      emailsVerified: 'true',
    },
  },
  {
    name: 'Okta',
    guide: 'okta',
    todo: t('Make a single-page application, and give the authorization server the claim email in access tokens.'),
    values: {
      issuer: 'https://ORGANISATION.okta.com/oauth2/default',
      audience: 'api://default',
      subjectClaim: 'uid',
      emailsVerified: 'true',
    },
  },
  {
    name: 'Google',
    guide: 'google',
    todo: t('Make an OAuth client of the type web application. Its ID is both audience and client ID.'),
    values: { issuer: 'https://accounts.google.com', tokenUse: 'id', demandedClaims: 'hd=DOMAIN' },
  },
  {
    name: 'Keycloak',
    guide: 'keycloak',
    todo: t('Make a public client with PKCE, and an audience mapper that adds the audience to access tokens.'),
    values: { issuer: 'https://HOST/realms/REALM', audience: 'orgdesk' },
  },
  {
    name: 'Auth0',
    guide: 'a-provider-like-auth0',
    todo: t('Make a single-page application, and an API, whose identifier is the audience.'),
    values: { issuer: 'https://TENANT.eu.auth0.com/', scope: 'openid email offline_access' },
  },
  {
    name: 'Ping',
    guide: 'ping',
    todo: t('Make a single-page application, and a custom resource, whose audience its access tokens have.'),
    values: { issuer: 'https://auth.pingone.eu/ENVIRONMENT_ID/as' },
  },
  {
    name: t('Another provider'),
    todo: t('Make a public client, for the authorization code flow with PKCE.'),
    values: {},
  },
];

/** The address of the page to which providers lead back. */
export const REDIRECT_URI = `${location.origin}${BASE_PATH}/`;
export const GUIDE = `${BASE_PATH}/docs/identity-providers`;

/** The button that adds a connection, from the choice of the provider to its values. It is switched on after a test. */
export function AddConnection({ companyId }: { companyId: string }) {
  return (
    <DialogButton title={t('Add a connection')} variant="filled">
      {(close) => <Start companyId={companyId} close={close} />}
    </DialogButton>
  );
}

function Start({ companyId, close }: { companyId: string; close: () => void }) {
  const { client } = useSession();
  const [chosen, choose] = useState('');
  const start = PROVIDERS.find(({ name }) => name === chosen);
  const first: Typed = { ...USUAL, ...start?.values };
  return (
    <Stack>
      <NativeSelect
        label={t('1. Which provider?')}
        data={[
          { value: '', label: t('Please choose'), disabled: true },
          ...PROVIDERS.map(({ name }) => ({ value: name, label: name })),
        ]}
        value={chosen}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {start && (
        <>
          <Text size="sm">
            {t('2. At the provider:')} {start.todo}{' '}
            <Anchor href={start.guide ? `${GUIDE}#${start.guide}` : GUIDE} target="_blank" inherit>
              {t('Follow the guide.')}
            </Anchor>
          </Text>
          <Text size="sm">
            {t('Redirect URI')} <Copied text={REDIRECT_URI} label={t('Redirect URI')} />
          </Text>
          <Text size="sm">{t('3. Replace the words in capital letters by your own, and fill in the rest.')}</Text>
          <RecordForm
            key={start.name}
            title={t('Add a connection')}
            fields={CONNECTION_FIELDS}
            first={first}
            submit={t('Add a connection')}
            save={(typed, key) => {
              const filled = changesIn(CONNECTION_FIELDS, first, USUAL);
              const body = { ...filled, ...typed, companyId, active: false };
              return client.post('/api/sign-in-connections/create', body as Body<'/api/sign-in-connections/create'>, {
                key,
              });
            }}
            saved={({ data }) =>
              t('{name} is added, and still off: test it, then switch it on.', { name: isolated(data.issuer) })
            }
            close={close}
          />
        </>
      )}
    </Stack>
  );
}
