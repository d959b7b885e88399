import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import type { RowOf } from '../../entities/entity.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import type { HostRules } from '../../lib/public-addresses.ts';
import { notFetched, type TokenVerifier, tokenVerifier } from '../tokens/access-token.ts';
import { guardedFetch } from '../tokens/fetch-json.ts';
import { type IdentityProvider, identityProvider } from '../tokens/identity-provider.ts';
import type { Claims } from '../tokens/token-claims.ts';
import { peekClaims } from '../tokens/token-form.ts';
import type { TokenRequest } from '../tokens/token-keys.ts';
import { domainName } from './identity-queries.ts';

const PROVIDER_FIELDS = [
  'id',
  'companyId',
  'issuer',
  'discoveryUrl',
  'audience',
  'clientId',
  'scope',
  'algorithm',
  'subjectClaim',
  'tokenUse',
  'emailsVerified',
  'demandedText',
] as const;

/** Settings of an active connection. */
export type Connection = RowOf<typeof signInConnection, (typeof PROVIDER_FIELDS)[number]>;

/** A connection and its provider, whose keys are fetched. */
export interface Connected {
  readonly settings: Connection;
  readonly provider: IdentityProvider;
  readonly verify: TokenVerifier;
  /** Resolves when the first documents of the provider are there, or after a second. */
  readonly started: Promise<void>;
}

/**
 * Verifies an access token by the connections that may have issued it. Returns the claims by each, of which the first that names somebody
 * counts; throws like a {@link TokenVerifier} if there are none.
 */
export type TokenReader = (token: string, request?: TokenRequest) => AsyncGenerator<Claims, void>;

/** The identity providers of companies. Each has keys, limits and deadlines of its own. */
export interface SignInConnections extends Disposable {
  /** Returns a verifier of the tokens of all connections, and of those of the platform. */
  verifying(own: TokenVerifier, ownIssuer: string): TokenReader;
  /** Returns the connection with an id; undefined where it is unknown or, unless any is wanted, inactive. */
  find(id: string, which?: 'active' | 'any'): Promise<Connected | undefined>;
  /** Returns the connection by which the console signs in people with addresses of a domain. */
  ofDomain(domain: string): Promise<Connected | undefined>;
  /** Returns whether the console signs in anybody by their domain. */
  haveDomains(): Promise<boolean>;
  /** Forgets what is known of issuers and of a connection that has changed: its former provider is asked no more. */
  refresh(id: string): void;
}

/** Milliseconds for which the connections of an issuer are remembered. Callers are looked up by the present ones. */
const REMEMBERED_MS = 5_000;
const [MAX_ISSUERS, MAX_PROVIDERS, MAX_OWN_TOKENS] = [1_000, 500, 10_000];
/** Milliseconds between two reports about one connection, and characters of each: what a provider says is not ours. */
const [REPORTED_MS, MAX_REASON] = [60 * 60_000, 200];
/** In characters, as in the table. */
const MAX_ISSUER = 500;

/** @param failed called with the reason if a provider is unreachable or responds incorrectly, once an hour for each connection */
export function signInConnections(
  db: Reader,
  rules: HostRules,
  failed: (reason: string, connectionId: string) => void,
): SignInConnections {
  const issuers = new LRUCache<string, { at: number; found: Promise<Connection[]> }>({ max: MAX_ISSUERS });
  const providers = new LRUCache<string, Connected>({
    max: MAX_PROVIDERS,
    dispose: ({ provider }) => provider[Symbol.dispose](),
  });

  /** Returns the provider of a connection; one with other settings takes its place. */
  function connect(settings: Connection): Connected {
    const known = providers.get(settings.id);
    if (isDeepStrictEqual(known?.settings, settings) && known) return known;
    const { issuer, audience, subjectClaim, algorithm, clientId, tokenUse, emailsVerified: trustsEmails } = settings;
    const discoveryUrl = settings.discoveryUrl === null ? undefined : new URL(settings.discoveryUrl);
    const source = { issuer, jwksUrl: undefined, discoveryUrl, algorithm, trustsEmails, subjectClaim };
    const provider = identityProvider(source, { send: guardedFetch(rules), isAnybodys: true });
    const started = provider.start((error) => report(error, settings.id));
    const connection = { id: settings.id, audience };
    const demanded = JSON.parse(settings.demandedText) as Readonly<Record<string, string>>;
    const use = { token: tokenUse, clientId, demanded };
    const expected = { issuer, audience, subjects: 'identities', trustsEmails, subjectClaim, connection, use } as const;
    const connected = { settings, provider, verify: tokenVerifier(provider.keys, expected), started };
    providers.set(settings.id, connected);
    return connected;
  }

  const reported = new LRUCache<string, true>({ max: MAX_PROVIDERS, ttl: REPORTED_MS });
  function report(error: unknown, connectionId: string): void {
    if (reported.has(connectionId)) return;
    reported.set(connectionId, true);
    failed(String(error).slice(0, MAX_REASON), connectionId);
  }

  function list(where: Sql, which: 'active' | 'any' = 'active'): Promise<Connection[]> {
    return db.query<Connection>(sql`
      select ${selectFields(signInConnection, PROVIDER_FIELDS)} from sign_in_connections
       where ${which === 'any' ? sql`true` : sql`active`} and ${where} order by id`);
  }

  async function findOne(where: Sql, which?: 'active' | 'any'): Promise<Connected | undefined> {
    const [settings] = await list(where, which);
    return settings && connect(settings);
  }

  /** Returns the connections of an issuer. One that was not known counts as a bad token: anybody can name issuers. */
  async function ofIssuer(issuer: string, request: TokenRequest | undefined): Promise<Connection[]> {
    const known = issuers.get(issuer);
    if (known && Math.abs(Date.now() - known.at) < REMEMBERED_MS) return known.found;
    if (known === undefined || (await known.found).length === 0) request?.unknownKey?.();
    const found = list(sql`issuer = ${issuer}::text`);
    issuers.set(issuer, { at: Date.now(), found });
    found.catch(() => issuers.delete(issuer));
    return found;
  }

  return {
    verifying(own, ownIssuer) {
      const ownTokens = new LRUCache<string, true>({ max: MAX_OWN_TOKENS });
      return async function* read(token, request) {
        if (ownTokens.has(token)) {
          yield await noted(own, token, request);
          return;
        }
        const { iss, aud } = peekClaims(token) ?? {};
        if (typeof iss === 'string' && iss !== ownIssuer && iss.length <= MAX_ISSUER) {
          const found = await ofIssuer(iss, request);
          const meant = found.filter(({ audience }) => [aud].flat().includes(audience));
          const connected = (meant.length > 0 ? meant : found).map(connect);
          const [only] = connected;
          if (only && connected.length === 1) yield await noted(only.verify, token, request, only.settings.id);
          else if (only) yield* verifiedByAny(connected, token, request);
          if (only) return;
        }
        const claims = await noted(own, token, request);
        ownTokens.set(token, true);
        yield claims;
      };
    },
    find: (id, which) => findOne(sql`id = ${id}::uuid`, which),
    ofDomain: (domain) =>
      findOne(sql`client_id is not null and id = (
      select connection_id from sign_in_domains where domain = ${domainName(domain)}::text)`),
    async haveDomains() {
      const [found] = await db.query(sql`
        select from sign_in_domains join sign_in_connections on id = connection_id where active and client_id is not null limit 1`);
      return found !== undefined;
    },
    refresh(id) {
      issuers.clear();
      providers.delete(id);
    },
    [Symbol.dispose]: () => providers.clear(),
  };
}

/** Verifies a token, and reports a refusal. */
async function noted(
  verify: TokenVerifier,
  token: string,
  request: TokenRequest | undefined,
  connectionId?: string,
): Promise<Claims> {
  try {
    return await verify(token, request);
  } catch (error) {
    request?.refused?.(error, connectionId);
    throw error;
  }
}

/**
 * Yields the claims of a token by each of several connections: first by those whose keys are known, so that one company's provider keeps
 * nobody else waiting.
 */
async function* verifiedByAny(
  connected: readonly Connected[],
  token: string,
  request: TokenRequest = {},
): AsyncGenerator<Claims, void> {
  const verified = (some: readonly Connected[], unknownKey: TokenRequest['unknownKey']) =>
    Promise.allSettled(some.map(({ verify }) => verify(token, { ...request, unknownKey })));
  const errors: { reason: unknown; of: Connected | undefined }[] = [];
  const unknown: Connected[] = [];
  let isProven = false;
  for (const [index, outcome] of (await verified(connected, notFetched)).entries()) {
    const connection = connected[index];
    if (outcome.status === 'fulfilled') {
      isProven = true;
      yield outcome.value;
    } else if (connection && outcome.reason instanceof ApiError && outcome.reason.reason === 'key') {
      unknown.push(connection);
    } else errors.push({ reason: outcome.reason, of: connection });
  }
  // A token that somebody has signed whom a company trusts is no guess.
  for (const [index, outcome] of (await verified(unknown, isProven ? undefined : request.unknownKey)).entries()) {
    if (outcome.status === 'rejected') errors.push({ reason: outcome.reason, of: unknown[index] });
    else {
      isProven = true;
      yield outcome.value;
    }
  }
  for (const { reason, of } of errors) request.refused?.(reason, of?.settings.id);
  const unavailable = errors.find(({ reason }) => reason instanceof ApiError && reason.code !== 'INVALID_TOKEN');
  if (unavailable !== undefined) throw unavailable.reason;
  if (!isProven) throw errors[0]?.reason;
}
