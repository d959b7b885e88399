import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import type { RowOf } from '../../entities/entity.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import type { HostRules } from '../../lib/public-addresses.ts';
import { type TokenVerifier, tokenVerifier } from '../tokens/access-token.ts';
import { guardedFetch } from '../tokens/fetch-json.ts';
import { type IdentityProvider, identityProvider } from '../tokens/identity-provider.ts';
import { peekClaims } from '../tokens/token-form.ts';
import type { TokenRequest } from '../tokens/token-keys.ts';

const PROVIDER_FIELDS = [
  'id',
  'companyId',
  'issuer',
  'audience',
  'clientId',
  'scope',
  'algorithm',
  'subjectClaim',
  'tokenUse',
  'emailsVerified',
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

/** The identity providers of companies. Each has keys, limits and deadlines of its own. */
export interface SignInConnections extends Disposable {
  /** Returns a verifier of the tokens of all connections, and of those of the platform. */
  verifying(own: TokenVerifier, ownIssuer: string): TokenVerifier;
  /** Returns the connection with an id; undefined where it is unknown or inactive. */
  find(id: string): Promise<Connected | undefined>;
  /** Returns the connection by which the console signs in people with addresses of a domain. */
  ofDomain(domain: string): Promise<Connected | undefined>;
  /** Returns whether the console signs in anybody by their domain. */
  haveDomains(): Promise<boolean>;
  /** Forgets what is known of issuers, after a connection has changed. */
  refresh(): void;
}

/** Milliseconds for which the connections of an issuer are remembered. Callers are looked up by the present ones. */
const REMEMBERED_MS = 5_000;
const [MAX_ISSUERS, MAX_PROVIDERS, MAX_OWN_TOKENS] = [1_000, 500, 10_000];
/** In characters, as in the table. */
const MAX_ISSUER = 500;

/** @param failed called with the error if a provider is unreachable or responds incorrectly */
export function signInConnections(
  db: Reader,
  rules: HostRules,
  failed: (error: unknown, connectionId: string) => void,
): SignInConnections {
  const issuers = new LRUCache<string, { at: number; found: Promise<Connection[]> }>({ max: MAX_ISSUERS });
  const providers = new LRUCache<string, Connected>({
    max: MAX_PROVIDERS,
    dispose: ({ provider }) => provider[Symbol.dispose](),
  });

  /** Returns the provider of a connection; one with other settings is another provider. */
  function connect(settings: Connection): Connected {
    const key = JSON.stringify(settings);
    const known = providers.get(key);
    if (known) return known;
    const { issuer, audience, subjectClaim, algorithm, emailsVerified: trustsEmails } = settings;
    const source = { issuer, jwksUrl: undefined, algorithm, trustsEmails, subjectClaim };
    const provider = identityProvider(source, guardedFetch(rules));
    const started = provider.start((error) => failed(error, settings.id));
    const connection = { id: settings.id, audience };
    const expected = { issuer, audience, subjects: 'identities', trustsEmails, subjectClaim, connection } as const;
    const connected = { settings, provider, verify: tokenVerifier(provider.keys, expected), started };
    providers.set(key, connected);
    return connected;
  }

  function list(where: Sql): Promise<Connection[]> {
    return db.query<Connection>(sql`
      select ${selectFields(signInConnection, PROVIDER_FIELDS)} from sign_in_connections where active and ${where} order by id`);
  }

  async function findOne(where: Sql): Promise<Connected | undefined> {
    const [settings] = await list(where);
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
      return async (token, request) => {
        if (ownTokens.has(token)) return own(token, request);
        const { iss, aud } = peekClaims(token) ?? {};
        if (typeof iss === 'string' && iss !== ownIssuer && iss.length <= MAX_ISSUER) {
          const found = await ofIssuer(iss, request);
          const meant = found.find(({ audience }) => [aud].flat().includes(audience)) ?? found[0];
          if (meant) return connect(meant).verify(token, request);
        }
        const claims = await own(token, request);
        ownTokens.set(token, true);
        return claims;
      };
    },
    find: (id) => findOne(sql`id = ${id}::uuid`),
    ofDomain: (domain) =>
      findOne(sql`client_id is not null and id = (
      select connection_id from sign_in_domains where domain = ${domain}::text)`),
    async haveDomains() {
      const [found] = await db.query(sql`
        select from sign_in_domains join sign_in_connections on id = connection_id where active and client_id is not null limit 1`);
      return found !== undefined;
    },
    refresh: () => issuers.clear(),
    [Symbol.dispose]: () => providers.clear(),
  };
}
