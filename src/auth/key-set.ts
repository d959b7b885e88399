import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';
import { ApiError } from '../lib/errors.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { VerifyingKeys } from './token-keys.ts';

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

/** Milliseconds between two fetches at least, whatever tokens come in. */
export const COOL_DOWN = 30_000;
/** Milliseconds after which the keys are fetched anew: for so long a key counts on that has been taken out of the set. */
const REFRESH_AFTER = 5 * 60_000;
/** Milliseconds that a start waits for the first keys. */
const START_PATIENCE = 1_000;

/**
 * Keeps the keys of another party. They are fetched anew regularly, and when a token names a key that is not among them, but at
 * most once per cool-down. Those that are known stay while the other party cannot be reached: jose's own remote set gives
 * them up when they get old, and its cool-down counts from the last fetch that succeeded.
 *
 * @param fetchKeys gives the set as it came; gives up by itself in time, and when the signal says so. The trace is that of the
 *   request that the keys are fetched for, if any
 */
export function keySet(
  algorithm: string,
  fetchKeys: (stop: AbortSignal, trace: TraceContext | undefined) => Promise<unknown>,
): KeySet {
  const stop = new AbortController();
  let keys: ReturnType<typeof createLocalJWKSet> | undefined;
  let published = '';
  let version = 0;
  let usable = false;
  let failing = false;
  let lastFetch = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let report: (error: unknown) => void = () => undefined;

  async function fetchNow(trace: TraceContext | undefined): Promise<void> {
    try {
      const set = (await fetchKeys(stop.signal, trace)) as JSONWebKeySet;
      const fetched = createLocalJWKSet(set);
      const text = JSON.stringify(set);
      const fits = await hasKeyFor(fetched, algorithm);
      if (text !== published) [keys, published, usable, version] = [fetched, text, fits, version + 1];
      failing = false;
    } catch (error) {
      failing = true;
      if (!stop.signal.aborted) report(error);
    } finally {
      fetching = undefined;
    }
  }

  /** A clock that has been set back does not hold the next fetch up. */
  function isOver(milliseconds: number): boolean {
    const since = Date.now() - lastFetch;
    return since >= milliseconds || since < 0;
  }

  async function refresh(trace?: TraceContext): Promise<void> {
    if (fetching === undefined && isOver(COOL_DOWN) && !stop.signal.aborted) {
      lastFetch = Date.now();
      fetching = fetchNow(trace);
    }
    await fetching;
  }

  async function known(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    try {
      return await keys?.(header);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return undefined;
      throw error;
    }
  }

  return {
    algorithm,
    get version() {
      return version;
    },
    get state() {
      return usable ? (failing ? 'unreachable' : 'up') : 'no-keys';
    },
    async find(header, trace) {
      const key = await known(header);
      if (key) return key;
      await refresh(trace);
      if (!keys) throw unavailable();
      return known(header);
    },
    async start(failed) {
      report = failed;
      const first = refresh();
      timer = setInterval(() => {
        if (failing || isOver(REFRESH_AFTER)) void refresh();
      }, COOL_DOWN).unref();
      await Promise.race([first, sleep(START_PATIENCE, undefined, { ref: false })]);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      stop.abort();
    },
  };
}

/** Whether the set has a key for the algorithm; several are as good as one, as long as tokens say which. */
async function hasKeyFor(keys: ReturnType<typeof createLocalJWKSet>, algorithm: string): Promise<boolean> {
  try {
    return Boolean(await keys({ alg: algorithm }));
  } catch (error) {
    return error instanceof errors.JWKSMultipleMatchingKeys;
  }
}

function unavailable(): ApiError {
  return new ApiError('UNAVAILABLE', 'The service cannot reach its identity provider: try again shortly.', {
    headers: { 'retry-after': String(COOL_DOWN / 1000) },
  });
}
