import { LRUCache } from 'lru-cache';
import { limitByKey, unlessFull } from '../../lib/limit-by-key.ts';
import { readSecureUrl } from '../../lib/secure-url.ts';
import type { SignatureAlgorithm } from '../../lib/signature-algorithms.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import { answeredSoon, fetchJsonObject, type Send, TIME_LIMIT, unavailable } from './fetch-json.ts';
import { COOL_DOWN, type FetchKeys, type KeySet, keySet } from './key-set.ts';
import { verifiedEmailOf } from './token-claims.ts';

/** Settings of an external identity provider that issues the access tokens. */
export interface ProviderSettings {
  /** `iss` of its tokens. */
  issuer: string;
  /** Address of its keys; undefined: from OpenID Connect discovery. */
  jwksUrl: URL | undefined;
  /** Address of its discovery document; absent: below the issuer. */
  discoveryUrl?: URL | undefined;
  /** Signature algorithm of its tokens. */
  algorithm: SignatureAlgorithm;
  /** See `TokenSettings`. */
  trustsEmails: boolean;
  /** Claim that names a person. */
  subjectClaim: string;
  /** OAuth client of the console; absent: users paste a token. */
  client?: { id: string; scope: string | undefined };
}

/** Sign-in endpoints for browsers (OpenID Connect Discovery 1.0, section 3). */
export interface SignInEndpoints {
  authorizationUrl: URL;
  tokenUrl: URL;
  /** What it answers to whoever signs in. */
  responseTypes: readonly unknown[];
}

export interface IdentityProvider extends Disposable {
  readonly issuer: string;
  readonly keys: KeySet;
  /** Undefined until discovered, and if the provider names none. */
  readonly signIn: SignInEndpoints | undefined;
  /** Starts fetching the keys (see {@link KeySet}). @param failed called when the provider is unreachable or responds incorrectly */
  start(failed: (error: unknown) => void): Promise<void>;
  /**
   * Asks the userinfo endpoint (OpenID Connect Core 1.0, section 5.3) for the verified e-mail address of a subject, with that subject's
   * access token. Asks once per cool-down and subject, even after a failure; undefined if there is no address, null if it is not verified.
   * Rejects with `UNAVAILABLE` if the response is slow, or too many requests wait.
   *
   * @param trace of the request that caused it
   */
  askEmail(subject: string, token: string, trace?: TraceContext): Promise<string | null | undefined>;
}

const MAX_REMEMBERED_SUBJECTS = 10_000;
/** Characters that are told of a value that a provider publishes. */
const MAX_VALUE = 200;
/** Maximum requests that wait for the userinfo endpoint: each occupies a slot of the requests in flight. */
const MAX_WAITING = 50;

/** How a provider is asked. */
interface Asking {
  /** Sends its requests; absent: to whatever address. */
  send?: Send;
  /** Whether anybody may have named it: two requests at a time, of which one for keys, and none without traffic. */
  isAnybodys?: boolean;
}

/** Fetches nothing before it is started or a token arrives, and never an address from a token. */
export function identityProvider(
  settings: ProviderSettings,
  { send, isAnybodys = false }: Asking = {},
): IdentityProvider {
  const { issuer, jwksUrl, discoveryUrl, algorithm, trustsEmails } = settings;
  // Whoever names the document names where it sends tokens to: never those of an issuer elsewhere.
  const asksUserinfo = discoveryUrl === undefined || isOfIssuer(discoveryUrl, issuer);
  const stop = new AbortController();
  const requested = new LRUCache<string, { at: number; email: Promise<string | null | undefined> }>({
    max: MAX_REMEMBERED_SUBJECTS,
  });
  let waiting = 0;
  let report: (error: unknown) => void = () => undefined;
  let userinfoUrl: URL | undefined;
  let signIn: SignInEndpoints | undefined;

  const fetchJson: FetchKeys = (url, options) => fetchJsonObject(url, options, send);
  const fetchKeys: FetchKeys = async (url, options) => {
    if (jwksUrl) return fetchJson(url, options);
    const found = discovered(url, issuer, await fetchJson(url, options));
    userinfoUrl = asksUserinfo ? found.userinfoUrl : undefined;
    signIn = found.signIn;
    return fetchJson(found.jwksUrl, options);
  };
  const keys = keySet(algorithm, jwksUrl ?? discoveryUrl ?? discoveryUrlOf(issuer), fetchKeys, isAnybodys);
  const turns = limitByKey({ running: isAnybodys ? 1 : MAX_WAITING, waiting: MAX_WAITING });

  async function fetchEmail(
    url: URL,
    subject: string,
    token: string,
    trace: TraceContext | undefined,
  ): Promise<string | null | undefined> {
    try {
      const headers = { authorization: `Bearer ${token}` };
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TIME_LIMIT)]);
      const answer = await fetchJsonObject(url, { signal, headers, trace }, send);
      if (answer.sub !== subject) throw new Error('The userinfo endpoint answered about somebody else');
      return verifiedEmailOf(answer, trustsEmails);
    } catch (error) {
      if (!stop.signal.aborted) report(error);
      return undefined;
    }
  }

  return {
    issuer,
    keys,
    get signIn() {
      return signIn;
    },
    start(failed) {
      report = failed;
      return keys.start(failed);
    },
    async askEmail(subject, token, trace) {
      if (!userinfoUrl) return undefined;
      if (waiting >= MAX_WAITING) throw unavailable(1);
      let question = requested.get(subject);
      if (!question || Math.abs(Date.now() - question.at) >= COOL_DOWN) {
        const url = userinfoUrl;
        const email = unlessFull(
          turns('', () => fetchEmail(url, subject, token, trace)),
          () => unavailable(1),
        );
        email.catch(() => requested.delete(subject));
        question = { at: Date.now(), email };
        requested.set(subject, question);
      }
      waiting += 1;
      try {
        return await answeredSoon(question.email);
      } finally {
        waiting -= 1;
      }
    },
    [Symbol.dispose]() {
      stop.abort();
      keys[Symbol.dispose]();
    },
  };
}

export function discoveryUrlOf(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
}

/** Providers that exchange codes for secrets only, and what they give public clients instead (their documentation of 2026). */
const WITHOUT_PUBLIC_CLIENTS: ReadonlyMap<string, 'id_token' | null> = new Map([
  ['https://accounts.google.com', 'id_token'],
  ['https://appleid.apple.com', null],
  ['https://www.linkedin.com/oauth', null],
]);

/**
 * Returns how the console, a public client, signs in: by a code, unless the provider gives none for access tokens or exchanges codes for
 * secrets only.
 *
 * @returns null if it cannot
 */
export function responseTypeOf(
  tokenUse: 'access' | 'id',
  issuer: string,
  { responseTypes }: SignInEndpoints,
): 'code' | 'id_token' | null {
  if (tokenUse === 'access') return 'code';
  const instead = WITHOUT_PUBLIC_CLIENTS.get(issuer);
  if (instead !== undefined) return instead;
  return responseTypes.includes('code') ? 'code' : 'id_token';
}

function isOfIssuer(url: URL, issuer: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).origin === url.origin;
}

interface Discovered {
  jwksUrl: URL;
  userinfoUrl: URL | undefined;
  signIn: SignInEndpoints | undefined;
}

/** Reads the discovery document (OpenID Connect Discovery 1.0, section 4). Endpoints may be on other hosts than the issuer. */
export function discovered(url: URL, issuer: string, document: Readonly<Record<string, unknown>>): Discovered {
  // AD FS signs access tokens as another issuer. A template, as Entra ID's `common` has one, is that of any tenant.
  const named = [document.issuer, document.access_token_issuer].filter((one) => typeof one === 'string');
  if (named.some((one) => one.includes('{'))) {
    const template = JSON.stringify(named[0]).slice(0, MAX_VALUE);
    throw new Error(
      `${url.href} is of no tenant: its issuer ${template} is a template. Name the document of your own tenant`,
    );
  }
  if (!named.includes(issuer)) {
    throw new Error(
      `${url.href} says that its issuer is ${JSON.stringify(document.issuer)?.slice(0, MAX_VALUE)}: that is what the issuer has to be`,
    );
  }
  const jwksUrl = endpoint(document.jwks_uri, url);
  if (!jwksUrl) throw new Error(`${url.href} names no jwks_uri that is https`);
  const userinfoUrl = endpoint(document.userinfo_endpoint, url);
  const authorizationUrl = endpoint(document.authorization_endpoint, url);
  const tokenUrl = endpoint(document.token_endpoint, url);
  const listed = document.response_types_supported;
  // The document has to list them (OpenID Connect Discovery 1.0, section 3); a code is what all but a few give.
  const responseTypes: unknown[] = Array.isArray(listed) ? listed : ['code'];
  return {
    jwksUrl,
    userinfoUrl,
    signIn: authorizationUrl && tokenUrl && { authorizationUrl, tokenUrl, responseTypes },
  };
}

/**
 * Returns an endpoint of the document; undefined unless it is HTTPS or the discovery URL is plain HTTP itself, which is local. So a remote
 * issuer cannot direct the service, or a token, to this machine over plain HTTP.
 */
function endpoint(text: unknown, discoveryUrl: URL): URL | undefined {
  const url = typeof text === 'string' ? readSecureUrl(text) : undefined;
  return url?.protocol === 'https:' || discoveryUrl.protocol === 'http:' ? url : undefined;
}
