import { PROVIDER_ALGORITHMS, type ProviderAlgorithm, type ProviderSettings } from './auth/identity-provider.ts';
import type { Environment, SettingReader } from './config-settings.ts';
import { readSecureUrl } from './lib/secure-url.ts';

/** The settings that say where access tokens come from; without any, the service has a key pair of its own. */
const SOURCES = ['OIDC_ISSUER', 'JWKS_URL', 'JWT_SECRET'];

/** What the keys of identities in the database take (table `user_identities`). */
const MAX_ISSUER_LENGTH = 500;

/** Reads who issues the access tokens, and what must stand in them as the issuer. What is wrong is noted as a problem. */
export function readIdentityProvider(
  env: Environment,
  setting: SettingReader,
  problems: string[],
): { provider: ProviderSettings | undefined; issuer: string } {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== '';
  const sources = SOURCES.filter(isSet);
  if (sources.length > 1) {
    problems.push(`  ${sources.join(' and ')} are set together: expected one, as access tokens come from one source`);
  }
  const oidcIssuer = setting<string | undefined>(
    'OIDC_ISSUER',
    undefined,
    'the address of an issuer with https (http on this machine alone), without a query, such as https://id.example/realm',
    (text) => (text.length <= MAX_ISSUER_LENGTH && readSecureUrl(text) && !text.includes('?') ? text : undefined),
  );
  const jwksUrl = setting<URL | undefined>(
    'JWKS_URL',
    undefined,
    'an address with https (http on this machine alone), such as https://id.example/keys',
    readSecureUrl,
  );
  const algorithm = setting<ProviderAlgorithm>(
    'TOKEN_ALGORITHM',
    'RS256',
    `one of ${PROVIDER_ALGORITHMS.join(', ')}`,
    (text) => PROVIDER_ALGORITHMS.find((name) => name === text),
  );
  const issuer = setting(
    'TOKEN_ISSUER',
    oidcIssuer ?? 'orgdesk',
    `a text of up to ${MAX_ISSUER_LENGTH} characters`,
    (text) => (text.length <= MAX_ISSUER_LENGTH ? text : undefined),
  );
  const clientId = setting<string | undefined>('OIDC_CLIENT_ID', undefined, 'a text', (text) => text);
  const scope = setting<string | undefined>(
    'OIDC_SCOPE',
    undefined,
    'scopes parted by spaces, openid among them',
    (text) => (text.split(' ').includes('openid') ? text : undefined),
  );

  const [source] = sources;
  const byProvider = source === 'OIDC_ISSUER' || source === 'JWKS_URL';
  const required = { OIDC_ISSUER: ['TOKEN_AUDIENCE'], JWKS_URL: ['TOKEN_ISSUER', 'TOKEN_AUDIENCE'] };
  for (const name of byProvider ? required[source] : []) {
    if (!isSet(name)) problems.push(`  ${name} is not set: expected with ${source}`);
  }
  if (oidcIssuer !== undefined && issuer !== oidcIssuer) {
    problems.push(`  TOKEN_ISSUER is ${JSON.stringify(issuer)}: expected to be left out, as OIDC_ISSUER is the issuer`);
  }
  if (!byProvider && isSet('TOKEN_ALGORITHM')) {
    problems.push('  TOKEN_ALGORITHM is set: expected only with OIDC_ISSUER or JWKS_URL');
  }
  if (clientId !== undefined && source !== 'OIDC_ISSUER') {
    problems.push('  OIDC_CLIENT_ID is set: expected only with OIDC_ISSUER');
  }
  if (scope !== undefined && clientId === undefined) {
    problems.push('  OIDC_SCOPE is set: expected only with OIDC_CLIENT_ID');
  }
  const client = clientId === undefined ? {} : { client: { id: clientId, scope } };
  return { provider: byProvider ? { issuer, jwksUrl, algorithm, ...client } : undefined, issuer };
}
