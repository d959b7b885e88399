import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parseAddressRanges } from '../lib/address-ranges.ts';
import { clientAddress, isLoopback, networkOf } from './client-address.ts';
import type { CountExchange } from './count-exchange.ts';
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

/** Stands for callers that are not counted. */
const UNCOUNTED = '';

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
  figures(): LimitFigures;
}

/** What the limits have done so far. */
export interface LimitFigures {
  /** Requests that take a while and are under way at the moment. */
  underWay: number;
  /** Requests that were refused, by the limit that did it. */
  refused: { public: number; user: number; bad_token: number; under_way: number };
}

/** @param exchange with the other processes of the service; absent: it is this one alone */
export function createLimits(settings: LimitSettings, exchange?: CountExchange): Limits {
  const { trustProxy, rateLimits, maxRequestsUnderWay } = settings;
  const trusted = trustProxy.length === 0 ? undefined : parseAddressRanges(trustProxy);

  /** What the caller of each connection counts as; the same for all its requests where no proxy says otherwise. */
  const networks = new WeakMap<Socket, string>();

  function callerNetwork(request: IncomingMessage): string {
    if (trusted !== undefined && request.headers['x-forwarded-for'] !== undefined) {
      return networkOf(clientAddress(request, trusted));
    }
    let network = networks.get(request.socket);
    if (network === undefined) {
      const address = clientAddress(request, trusted);
      network = trusted === undefined && isLoopback(address) ? UNCOUNTED : networkOf(address);
      networks.set(request.socket, network);
    }
    return network;
  }

  const refused = { public: 0, user: 0, bad_token: 0 };
  /** A request may be counted twice: where it could be answered at once, and where it is refused. */
  const refusedRequests = new WeakSet<IncomingMessage>();

  /** Counts a request by what is given, or by the caller's network. */
  const counter = (name: keyof LimitSettings['rateLimits'], label: keyof typeof refused) => {
    const limit = rateLimits[name];
    const limiter = createRateLimiter(limit);
    exchange?.onTold(name, limiter.add);
    return (request: IncomingMessage, key?: string) => {
      if (limit === 0) return;
      const network = callerNetwork(request);
      if (network === UNCOUNTED) return;
      try {
        limiter.take(key ?? network);
        exchange?.tell(name, key ?? network);
      } catch (error) {
        if (!refusedRequests.has(request)) refused[label] += 1;
        refusedRequests.add(request);
        throw error;
      }
    };
  };
  const underWay = boundRequestsUnderWay(maxRequestsUnderWay);
  return {
    countPublic: counter('publicLists', 'public'),
    countUser: counter('user', 'user'),
    countBadToken: counter('badTokens', 'bad_token'),
    enter: underWay.enter,
    figures: () => ({ underWay: underWay.count, refused: { ...refused, under_way: underWay.refused } }),
  };
}
