import { LRUCache } from 'lru-cache';
import { readSecureUrl } from '../../lib/secure-url.ts';
import type { SignatureAlgorithm } from '../../lib/signature-algorithms.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import { fetchJsonObject, TIME_LIMIT } from './fetch-json.ts';
import { COOL_DOWN, type FetchKeys, type KeySet, keySet } from './key-set.ts';
import { verifiedEmailOf } from './token-claims.ts';
import { answeredSoon, unavailable } from './wait-for-provider.ts';

/** Another party that signs people in and issues the access tokens. */
export interface ProviderSettings {
  /** `iss` of its tokens. */
  issuer: string;
  /** Where its keys are; absent: OpenID Connect discovery at the issuer says it. */
  jwksUrl: URL | undefined;
  /** How its tokens are signed. */
  algorithm: SignatureAlgorithm;
  /** See `TokenSettings`. */
  trustsEmails: boolean;
  /** The client by which people sign in to the console; absent: they bring a token. */
  client?: { id: string; scope: string | undefined };
}

/** Where a browser signs people in (OpenID Connect Discovery 1.0, section 3). */
export interface SignInEndpoints {
  authorizationUrl: URL;
  tokenUrl: URL;
}

export interface IdentityProvider extends Disposable {
  readonly issuer: string;
  readonly keys: KeySet;
  /** Undefined until the provider has told them, and where it has none. */
  readonly signIn: SignInEndpoints | undefined;
  /** Begins to keep the keys (see {@link KeySet}); `failed` is told when the provider cannot be asked, or answers what it should not. */
  start(failed: (error: unknown) => void): Promise<void>;
  /**
   * Asks the userinfo endpoint (OpenID Connect Core 1.0, section 5.3) for the verified e-mail address of a subject, with the subject's own
   * access token; once per cool-down and subject, whatever comes of it. Undefined where that gives none. Rejects with `UNAVAILABLE` where the
   * answer takes long, or too many wait for one.
   *
   * @param trace that of the request which it is asked for
   */
  askEmail(subject: string, token: string, trace?: TraceContext): Promise<string | undefined>;
}

const MAX_REMEMBERED_SUBJECTS = 10_000;
/** Requests that wait for the userinfo endpoint at once: the slots that they take of those in flight are missed by others. */
const MAX_WAITING = 50;

/** Nothing is fetched before it is started or a token comes in. No address that is fetched comes out of a token. */
export function identityProvider(settings: ProviderSettings): IdentityProvider {
  const { issuer, jwksUrl, algorithm, trustsEmails } = settings;
  const stop = new AbortController();
  const asked = new LRUCache<string, { at: number; email: Promise<string | undefined> }>({
    max: MAX_REMEMBERED_SUBJECTS,
  });
  let waiting = 0;
  let report: (error: unknown) => void = () => undefined;
  let userinfoUrl: URL | undefined;
  let signIn: SignInEndpoints | undefined;

  const fetchKeys: FetchKeys = async (url, options) => {
    if (jwksUrl) return fetchJsonObject(url, options);
    const found = await discover(url, issuer, options);
    userinfoUrl = found.userinfoUrl;
    signIn = found.signIn;
    return fetchJsonObject(found.jwksUrl, options);
  };
  const keys = keySet(algorithm, jwksUrl ?? discoveryUrlOf(issuer), fetchKeys);

  async function fetchEmail(
    url: URL,
    subject: string,
    token: string,
    trace: TraceContext | undefined,
  ): Promise<string | undefined> {
    try {
      const headers = { authorization: `Bearer ${token}` };
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TIME_LIMIT)]);
      const answer = await fetchJsonObject(url, { signal, headers, trace });
      if (answer.sub !== subject) throw new Error('The userinfo endpoint answered about somebody else');
      return verifiedEmailOf(answer, trustsEmails) ?? undefined;
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
      let question = asked.get(subject);
      if (!question || Math.abs(Date.now() - question.at) >= COOL_DOWN) {
        question = { at: Date.now(), email: fetchEmail(userinfoUrl, subject, token, trace) };
        asked.set(subject, question);
      }
      waiting += 1;
      try {
        return await answeredSoon(question.email, TIME_LIMIT);
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

function discoveryUrlOf(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
}

interface Discovered {
  jwksUrl: URL;
  userinfoUrl: URL | undefined;
  signIn: SignInEndpoints | undefined;
}

/** Reads the discovery document (OpenID Connect Discovery 1.0, section 4). Each endpoint may be at another host than the issuer. */
async function discover(url: URL, issuer: string, options: Parameters<FetchKeys>[1]): Promise<Discovered> {
  const document = await fetchJsonObject(url, options);
  if (document.issuer !== issuer) {
    throw new Error(
      `${url.href} says that its issuer is ${JSON.stringify(document.issuer)}: OIDC_ISSUER must be just that`,
    );
  }
  const jwksUrl = endpoint(document.jwks_uri, url);
  if (!jwksUrl) throw new Error(`${url.href} names no jwks_uri that is https`);
  const userinfoUrl = endpoint(document.userinfo_endpoint, url);
  const authorizationUrl = endpoint(document.authorization_endpoint, url);
  const tokenUrl = endpoint(document.token_endpoint, url);
  return {
    jwksUrl,
    userinfoUrl,
    signIn: authorizationUrl && tokenUrl && { authorizationUrl, tokenUrl },
  };
}

/** Returns an endpoint that the document names. An issuer that is not on this machine cannot send the service, or a token, to what is. */
function endpoint(text: unknown, discoveryUrl: URL): URL | undefined {
  const url = typeof text === 'string' ? readSecureUrl(text) : undefined;
  return url?.protocol === 'https:' || discoveryUrl.protocol === 'http:' ? url : undefined;
}
