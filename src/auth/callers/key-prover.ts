import { LRUCache } from 'lru-cache';
import type { AddressedRequest } from '../../http/limits/client-address.ts';
import type { Limits } from '../../http/limits/limits.ts';
import type { KeyCaller } from './api-keys.ts';

/** Limits guessing of API keys, per client address. */
export interface KeyProver {
  /**
   * Returns whether a key is valid, remembering keys that this process found valid. An unproven key counts as a bad token until its look-up
   * finds it.
   *
   * @throws ApiError `TOO_MANY_REQUESTS`
   */
  prove(hash: string, request: AddressedRequest): Promise<boolean>;
  /** Forgets a key that is no longer valid. */
  forget(hash: string): void;
}

const MAX_PROVEN_KEYS = 10_000;

/** @param load looks a key up by its hash */
export function keyProver(
  load: (hash: string) => Promise<KeyCaller | undefined>,
  limits: Pick<Limits, 'countBadToken' | 'forgiveBadToken'>,
): KeyProver {
  const proven = new LRUCache<string, true>({ maxSize: MAX_PROVEN_KEYS, sizeCalculation: () => 1 });
  /** Look-ups in flight: concurrent requests with one key count once, unless it is bad. */
  const lookups = new Map<string, Promise<KeyCaller | undefined>>();

  async function lookUp(hash: string, request: AddressedRequest): Promise<boolean> {
    limits.countBadToken(request);
    const lookup = load(hash);
    lookups.set(hash, lookup);
    let isBad = false;
    try {
      isBad = (await lookup) === undefined;
    } finally {
      lookups.delete(hash);
      if (!isBad) limits.forgiveBadToken(request);
    }
    if (!isBad) proven.set(hash, true);
    return !isBad;
  }

  return {
    async prove(hash, request) {
      if (proven.get(hash)) return true;
      const lookup = lookups.get(hash);
      if (lookup === undefined) return lookUp(hash, request);
      if ((await lookup) !== undefined) return true;
      limits.countBadToken(request);
      return false;
    },
    forget: (hash) => void proven.delete(hash),
  };
}
