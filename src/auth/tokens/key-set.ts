import { type CryptoKey, createRemoteJWKSet, customFetch, errors, type JWSHeaderParameters } from 'jose';
import type { TraceContext } from '../../lib/trace-context.ts';
import { answeredSoon, TIME_LIMIT, unavailable } from './fetch-json.ts';
import { readPublishedKeys } from './published-keys.ts';
import type { VerifyingKeys } from './token-keys.ts';

/**
 * `up`: the last fetch succeeded. `unreachable`: it failed, and the known keys stay in use. `no-keys`: there are no keys to verify tokens
 * with.
 */
export type KeySetState = 'up' | 'unreachable' | 'no-keys';

/** Public keys of an identity provider. Disposing stops the fetching. */
export interface KeySet extends VerifyingKeys, Disposable {
  readonly state: KeySetState;
  /**
   * Fetches the keys now and then periodically. Resolves once they are there, or after a second: the service can start without them.
   *
   * @param failed called after each failed fetch
   */
  start(failed: (error: unknown) => void): Promise<void>;
}

/** Fetches the raw key set (RFC 7517, section 5). @param options `trace` is that of the request that caused it, if any */
export type FetchKeys = (
  url: URL,
  options: { signal: AbortSignal; trace: TraceContext | undefined },
) => Promise<Readonly<Record<string, unknown>>>;

/** Minimum interval between two fetches caused by tokens, in milliseconds; RETRY_INTERVAL while there is no usable key. */
export const COOL_DOWN = 30_000;
const RETRY_INTERVAL = 5_000;
const MAX_WITHDRAWN = 500;
/** Maximum keys with one `kid`, or for a token without one, that a signature is tried with. */
const MAX_CANDIDATES = 4;
/** Refresh interval in milliseconds: a withdrawn key stays valid for about this long. */
const REFRESH_AFTER = 5 * 60_000;
/** Milliseconds without a token after which keys are no longer refreshed. */
const RESTS_AFTER = 2 * REFRESH_AFTER;

/**
 * Caches the keys of an identity provider: refreshed periodically, and when a token names an unknown key, but at most once per cool-down.
 * Known keys stay in use while the provider is unreachable, and tokens with known keys never wait.
 *
 * @param url of the key set or the discovery document
 * @param rests whether nothing is fetched while no token names the keys
 */
export function keySet(algorithm: string, url: URL, fetchKeys: FetchKeys, rests = false): KeySet {
  const stop = new AbortController();
  let version = 0;
  let published = '';
  let isUsable = false;
  let unusable: string | undefined;
  /** `kid`s of keys that were published once but no longer are. */
  let withdrawn: ReadonlySet<string | undefined> = new Set();
  let names: readonly (string | undefined)[] = [];
  let isFailing = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let askedFor: TraceContext | undefined;
  let answer = Promise.resolve();
  let namedAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let report: (error: unknown) => void = () => undefined;

  const remote = createRemoteJWKSet(url, {
    // Disables fetching by jose: it would fetch for each token until one fetch succeeds.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    timeoutDuration: TIME_LIMIT,
    [customFetch]: async (_, { signal }) => {
      const set = await fetchKeys(url, { signal: AbortSignal.any([stop.signal, signal]), trace: askedFor });
      const usable = await readPublishedKeys(set, algorithm);
      unusable = usable.length > 0 ? undefined : `No key of the set is for ${algorithm}: ${describeKeys(set)}`;
      return Response.json({ keys: usable });
    },
  });

  async function reload(): Promise<void> {
    try {
      await remote.reload();
      const keys = remote.jwks()?.keys ?? [];
      const text = JSON.stringify(keys);
      if (version === 0 || text !== published) {
        version += 1;
        const present = keys.map(({ kid }) => kid);
        withdrawn = new Set([...names, ...withdrawn].filter((kid) => !present.includes(kid)).slice(0, MAX_WITHDRAWN));
        names = present;
        if (unusable !== undefined) report(new Error(unusable));
      }
      published = text;
      isUsable = keys.length > 0;
      isFailing = false;
    } catch (error) {
      isFailing = true;
      if (!stop.signal.aborted) report(error);
    }
  }

  /** Returns whether an interval has passed since the last fetch; also true if the clock was set back. */
  function isOver(milliseconds: number): boolean {
    const since = Date.now() - askedAt;
    return since >= milliseconds || since < 0;
  }

  /** Returns the cool-down in milliseconds; shorter without a usable key, when it only has to prevent a flood. */
  function coolDown(): number {
    return isUsable ? COOL_DOWN : RETRY_INTERVAL;
  }

  /** Returns whether nobody's token has named the keys for a while. */
  function isResting(): boolean {
    return rests && Math.abs(Date.now() - namedAt) > RESTS_AFTER;
  }

  /** Fetches the keys, unless a fetch is in flight or was started less than `since` milliseconds ago. Rejects if the response is slow. */
  function ask(since: number, trace?: TraceContext): Promise<void> {
    if (!remote.reloading && isOver(since) && !stop.signal.aborted) {
      askedAt = Date.now();
      askedFor = trace;
      answer = answeredSoon(reload());
    }
    return answer;
  }

  async function findKnown(header: JWSHeaderParameters): Promise<CryptoKey[]> {
    if (version === 0) return [];
    try {
      return [await remote(header)];
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return [];
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      const candidates: CryptoKey[] = [];
      for await (const key of error) {
        if (candidates.push(key) === MAX_CANDIDATES) break;
      }
      return candidates;
    }
  }

  return {
    algorithm,
    get version() {
      return version;
    },
    get state() {
      return isUsable ? (isFailing ? 'unreachable' : 'up') : 'no-keys';
    },
    async find(header, { trace, unknownKey } = {}) {
      const wasResting = isResting();
      namedAt = Date.now();
      if (wasResting && isOver(REFRESH_AFTER)) await ask(REFRESH_AFTER, trace).catch(() => undefined);
      const known = await findKnown(header);
      if (known.length > 0) return known;
      unknownKey?.();
      if (!remote.reloading && !isOver(coolDown())) {
        if ((version > 0 && !isUsable) || withdrawn.has(header.kid)) return [];
        // The key may have been published since the last fetch.
        throw unavailable(Math.max(1, Math.ceil((askedAt + coolDown() - Date.now()) / 1000)));
      }
      await ask(coolDown(), trace);
      if (version === 0 || isFailing) throw unavailable(coolDown() / 1000);
      return findKnown(header);
    },
    async start(failed) {
      report = failed;
      const first = ask(coolDown());
      timer = setInterval(() => {
        if (isResting()) return;
        // The timer retries a failed fetch soon; tokens cannot shorten this interval.
        void ask(isFailing || !isUsable ? RETRY_INTERVAL : REFRESH_AFTER);
      }, RETRY_INTERVAL).unref();
      await first.catch(() => undefined);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      stop.abort();
    },
  };
}

/** Describes the first entries of a key set, for the log. */
function describeKeys({ keys }: Readonly<Record<string, unknown>>): string {
  const entries = (Array.isArray(keys) ? keys.slice(0, 10) : []).map((entry: unknown) => {
    const { kty, crv, alg, use } = Object(entry) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ kty, crv, alg, use }).slice(0, 100);
  });
  return entries.length === 0 ? 'it is empty' : entries.join(', ');
}
