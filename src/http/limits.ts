import type { IncomingMessage } from 'node:http';
import { parseAddressRanges } from '../lib/address-ranges.ts';
import { clientAddress, isLoopback, networkOf } from './client-address.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { boundRequestsUnderWay, type UnderWay } from './requests-under-way.ts';

export interface LimitSettings {
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is believed. */
  trustProxy: readonly string[];
  /** Requests a minute; 0: as many as anyone likes. */
  rateLimits: {
    /** To the public lists, from one address. */
    publicLists: number;
    /** With tokens of one user. */
    user: number;
    /** With tokens that are not good, from one address. */
    badTokens: number;
  };
  /** Requests that wait for the database or are being sent at once, at most. */
  maxRequestsUnderWay: number;
}

/**
 * How much callers may ask for. Callers on this machine's own loopback address are not counted, unless a trusted proxy is
 * named: then it may be the proxy that stands there.
 */
export interface Limits {
  /** Counts a request to a public list, by its address. @throws ApiError `TOO_MANY_REQUESTS` */
  countPublic(request: IncomingMessage): void;
  /** Counts a request with a token of that user. @throws ApiError `TOO_MANY_REQUESTS` */
  countUser(request: IncomingMessage, user: string): void;
  /** Counts a token that is not good, by the caller's address. @throws ApiError `TOO_MANY_REQUESTS` */
  countBadToken(request: IncomingMessage): void;
  /** Counts a request that takes a while. @throws ApiError `OVERLOADED` */
  enter: UnderWay;
}

export function createLimits(settings: LimitSettings): Limits {
  const { trustProxy, rateLimits, maxRequestsUnderWay } = settings;
  const trusted = trustProxy.length === 0 ? undefined : parseAddressRanges(trustProxy);

  /** @param keyOf what is counted, by the address of the caller */
  const counter = (limit: number) => {
    const limiter = createRateLimiter(limit);
    return (request: IncomingMessage, keyOf: (address: string) => string) => {
      if (limit === 0) return;
      const address = clientAddress(request, trusted);
      if (trusted === undefined && isLoopback(address)) return;
      limiter.take(keyOf(address));
    };
  };
  const publicLists = counter(rateLimits.publicLists);
  const users = counter(rateLimits.user);
  const badTokens = counter(rateLimits.badTokens);
  return {
    countPublic: (request) => publicLists(request, networkOf),
    countUser: (request, user) => users(request, () => user),
    countBadToken: (request) => badTokens(request, networkOf),
    enter: boundRequestsUnderWay(maxRequestsUnderWay),
  };
}
