import { type CryptoKey, createRemoteJWKSet, customFetch, errors, type JWSHeaderParameters } from 'jose';
import type { TraceContext } from '../../lib/trace-context.ts';
import { TIME_LIMIT } from './fetch-json.ts';
import { readPublishedKeys } from './published-keys.ts';
import type { VerifyingKeys } from './token-keys.ts';
import { answeredSoon, unavailable } from './wait-for-provider.ts';

/**
 * `up`: the last fetch succeeded. `unreachable`: it did not, and the keys known from before are used on.
 * `no-keys`: there are none to verify tokens with.
 */
export type KeySetState = 'up' | 'unreachable' | 'no-keys';

/** The public keys of another party. Disposing stops the fetching. */
export interface KeySet extends VerifyingKeys, Disposable {
  readonly state: KeySetState;
  /**
   * Fetches the keys, and then again regularly; `failed` is told of each time that this did not succeed. Fulfils when they are there,
   * or after a second: a service starts without them as well.
   */
  start(failed: (error: unknown) => void): Promise<void>;
}

/** What is fetched: a set of keys (RFC 7517, section 5) as it came, for the sake of a request of that trace, if any. */
export type FetchKeys = (
  url: URL,
  options: { signal: AbortSignal; trace: TraceContext | undefined },
) => Promise<Readonly<Record<string, unknown>>>;

/** Milliseconds between two fetches at least, whatever tokens come in; and while there is no key at all. */
export const COOL_DOWN = 30_000;
const RETRY_INTERVAL = 5_000;
const MAX_WITHDRAWN = 500;
/** Keys of one `kid`, or for a token without one, that a signature is tried with. */
const MAX_CANDIDATES = 16;
/** Milliseconds after which the keys are fetched anew: for so long a key counts on that has been taken out of the set. */
const REFRESH_AFTER = 5 * 60_000;

/**
 * Keeps the keys of another party. They are fetched anew regularly, and when a token names a key that is not among them, but at
 * most once per cool-down. Those that are known stay while the other party cannot be reached, and nobody waits for it who needs no other.
 *
 * @param url where to begin
 */
export function keySet(algorithm: string, url: URL, fetchKeys: FetchKeys): KeySet {
  const stop = new AbortController();
  let version = 0;
  let published = '';
  let isUsable = false;
  let unusable: string | undefined;
  /** The names of keys that were published before and are not any more. */
  let withdrawn: ReadonlySet<string | undefined> = new Set();
  let names: readonly (string | undefined)[] = [];
  let isFailing = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let askedFor: TraceContext | undefined;
  let answer = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let report: (error: unknown) => void = () => undefined;

  const remote = createRemoteJWKSet(url, {
    // jose itself never asks: it would do so for each token as long as it has not succeeded.
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

  /** A clock that has been set back does not hold the next fetch up. */
  function isOver(milliseconds: number): boolean {
    const since = Date.now() - askedAt;
    return since >= milliseconds || since < 0;
  }

  /** Milliseconds: where no key is known there is nothing to protect the other party from but a flood. */
  function coolDown(): number {
    return isUsable ? COOL_DOWN : RETRY_INTERVAL;
  }

  /**
   * Asks the other party, unless that is going on or was done within so many milliseconds. Rejects where its answer takes long.
   */
  function ask(since: number, trace?: TraceContext): Promise<void> {
    if (!remote.reloading && isOver(since) && !stop.signal.aborted) {
      askedAt = Date.now();
      askedFor = trace;
      answer = answeredSoon(reload(), TIME_LIMIT);
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
      const known = await findKnown(header);
      if (known.length > 0) return known;
      unknownKey?.();
      if (!remote.reloading && !isOver(coolDown())) {
        if ((version > 0 && !isUsable) || withdrawn.has(header.kid)) return [];
        // It may have been published since the last fetch.
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
        // By itself it asks soon again what has failed: no token can make it ask more often.
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

/** Says what the first entries of a set of keys are for. */
function describeKeys({ keys }: Readonly<Record<string, unknown>>): string {
  const entries = (Array.isArray(keys) ? keys.slice(0, 10) : []).map((entry: unknown) => {
    const { kty, crv, alg, use } = Object(entry) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ kty, crv, alg, use }).slice(0, 100);
  });
  return entries.length === 0 ? 'it is empty' : entries.join(', ');
}
