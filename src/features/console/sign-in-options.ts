import type { IncomingMessage } from 'node:http';
import type { Connection, SignInConnections } from '../../auth/callers/connections.ts';
import { type IdentityProvider, type ProviderSettings, responseTypeOf } from '../../auth/tokens/identity-provider.ts';
import type { Reader } from '../../db/database.ts';
import { tryAgain } from '../../entities/api-error.ts';
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
  connections: SignInConnections;
  signToken: (userId: string, lifetime: number) => Promise<string>;
}

/** Headers of proxies: a request with one of them may come from anywhere. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Returns the console's sign-in options for a request and the domain of an address. */
export type OfferSignIn = (request: IncomingMessage, domain?: string) => Promise<ConsoleConfig>;

export function signInOptions(dependencies: Dependencies): OfferSignIn {
  const { config, identityProvider, connections } = dependencies;

  async function own(request: IncomingMessage): Promise<ConsoleConfig> {
    const client = config.identityProvider?.client;
    if (client) {
      const { id: clientId, scope = null } = client;
      const settings = { connectionId: null, clientId, scope, audience: config.tokenAudience } as const;
      return offer(identityProvider, { ...settings, tokenUse: 'access' });
    }
    const people = isFromThisMachine(request) ? await demoSignIns(dependencies) : [];
    return people.length === 0 ? { signIn: 'token' } : { signIn: 'demo', people };
  }

  return async (request, domain) => {
    const connected = domain === undefined ? undefined : await connections.ofDomain(domain);
    if (!connected)
      return { ...(await own(request)), ...((await connections.haveDomains()) ? { asksAddress: true } : {}) };
    await connected.started;
    const { id: connectionId, clientId, ...settings } = connected.settings;
    return { ...offer(connected.provider, { ...settings, connectionId, clientId: clientId ?? '' }), asksAddress: true };
  };
}

/**
 * Returns the demo people, each with a new access token. None unless the service is a demo for this machine only: embedded database, own
 * keys, DEMO_DATA, listening at a loopback address, no trusted proxies, and not for pages of any origin. Pages of other origins are given none, by {@link isFromThisMachine}.
 */
export async function demoSignIns(
  dependencies: Pick<Dependencies, 'config' | 'db' | 'signToken'>,
): Promise<(DemoPerson & { token: string })[]> {
  const { config, db, signToken } = dependencies;
  const { host, demoData, databaseUrl, jwtSecret, identityProvider, trustProxy, corsOrigins } = config;
  const hasOwnKeys = identityProvider === undefined && jwtSecret === undefined;
  const isAlone = isLoopback(host) && trustProxy.length === 0 && !corsOrigins.includes('*');
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

/** Returns the sign-in by a provider; by a token where the provider lets no page sign in without a secret. */
function offer(
  provider: IdentityProvider | undefined,
  client: Pick<Connection, 'audience' | 'scope' | 'tokenUse'> & { connectionId: string | null; clientId: string },
): ConsoleConfig {
  const endpoints = provider?.signIn;
  if (!provider || !endpoints) {
    const message = 'The identity provider has not said yet where people sign in: try again shortly.';
    throw tryAgain('UNAVAILABLE', message, 5);
  }
  const { connectionId, clientId, audience, scope, tokenUse } = client;
  const responseType = responseTypeOf(tokenUse, provider.issuer, endpoints);
  if (responseType === null) return { signIn: 'token' };
  // A configured scope already says what the token is for. RFC 8707, section 2: a resource is an absolute URI.
  const isNamed = scope === null && tokenUse === 'access' && URL.canParse(audience);
  const view = {
    issuer: provider.issuer,
    authorizationEndpoint: endpoints.authorizationUrl.href,
    tokenEndpoint: endpoints.tokenUrl.href,
    clientId,
    scope: scope ?? 'openid email',
    resource: isNamed ? audience : null,
    connectionId,
    tokenUse,
    responseType,
  };
  return { signIn: 'provider', provider: view };
}
