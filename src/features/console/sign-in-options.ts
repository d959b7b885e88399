import type { IncomingMessage } from 'node:http';
import type { IdentityProvider, ProviderSettings } from '../../auth/tokens/identity-provider.ts';
import type { Reader } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { isLoopback } from '../../http/limits/client-address.ts';
import type { ConsoleConfig } from './console-schemas.ts';
import { type DemoPerson, findDemoPeople } from './demo-people.ts';

/** Settings that decide how people sign in. */
export interface SignInSettings {
  host: string;
  databaseUrl: string | undefined;
  demoData: boolean;
  identityProvider: ProviderSettings | undefined;
  jwtSecret: string | undefined;
  tokenAudience: string;
  tokenLifetime: number;
  trustProxy: readonly string[];
  corsOrigins: readonly string[];
}

interface Dependencies {
  config: SignInSettings;
  db: Reader;
  identityProvider: IdentityProvider | undefined;
  signToken: (userId: string, lifetime: number) => Promise<string>;
}

/** Headers of proxies: a request with one of them may come from anywhere. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-real-ip',
  ...['for', 'host', 'prefix', 'proto'].map((what) => `x-forwarded-${what}`),
];

/** Returns a function that gives the console's sign-in options for a request. */
export function signInOptions(dependencies: Dependencies): (request: IncomingMessage) => Promise<ConsoleConfig> {
  const { config, identityProvider } = dependencies;
  return async (request) => {
    const client = config.identityProvider?.client;
    if (client) return { signIn: 'provider', provider: providerView(config, client, identityProvider) };
    const people = isFromThisMachine(request) ? await demoSignIns(dependencies) : [];
    if (people.length === 0) return { signIn: 'token' };
    return { signIn: 'demo', people };
  };
}

/**
 * Returns the demo people, each with a new access token. None unless the service is a demo for this machine only: embedded database, own
 * keys, DEMO_DATA, listening at a loopback address, no trusted proxies and no CORS origins.
 */
export async function demoSignIns({
  config,
  db,
  signToken,
}: Omit<Dependencies, 'identityProvider'>): Promise<(DemoPerson & { token: string })[]> {
  const { host, demoData, databaseUrl, jwtSecret, identityProvider, trustProxy, corsOrigins } = config;
  const hasOwnKeys = identityProvider === undefined && jwtSecret === undefined;
  const isAlone = isLoopback(host) && trustProxy.length === 0 && corsOrigins.length === 0;
  if (!demoData || databaseUrl !== undefined || !hasOwnKeys || !isAlone) return [];
  const people = await findDemoPeople(db);
  return Promise.all(
    people.map(async (person) => ({ ...person, token: await signToken(person.id, config.tokenLifetime) })),
  );
}

/**
 * Whether a request comes directly from this machine: not through a proxy, not cross-origin, and for a loopback host name. The last
 * prevents DNS rebinding, where a page still sends its own host name.
 */
function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== `http://${headers.host}`) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const host = /^(.*?)(?::\d*)?$/.exec(headers.host ?? '')?.[1] ?? '';
  return isLoopback(host.replace(/^\[(.*)\]$/, '$1')) && isLoopback(socket.remoteAddress ?? '');
}

function providerView(
  { tokenAudience }: SignInSettings,
  client: NonNullable<ProviderSettings['client']>,
  provider: IdentityProvider | undefined,
): NonNullable<ConsoleConfig['provider']> {
  const endpoints = provider?.signIn;
  if (!provider || !endpoints) {
    const message = 'The identity provider has not said yet where people sign in: try again shortly.';
    throw new ApiError('UNAVAILABLE', message, { headers: { 'retry-after': '5' } });
  }
  return {
    issuer: provider.issuer,
    authorizationEndpoint: endpoints.authorizationUrl.href,
    tokenEndpoint: endpoints.tokenUrl.href,
    clientId: client.id,
    scope: client.scope ?? 'openid email',
    // A configured scope already says what the token is for. RFC 8707, section 2: a resource is an absolute URI.
    resource: client.scope === undefined && URL.canParse(tokenAudience) ? tokenAudience : null,
  };
}
