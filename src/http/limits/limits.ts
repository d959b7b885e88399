import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../entities/api-error.ts';
import { type AcquireSlot, boundInFlight } from '../connections/in-flight.ts';
import { EXEMPT } from '../connections/slow-readers.ts';
import { type AddressedRequest, type AddressOf, isLoopback, networkOf } from './client-address.ts';
import type { CountExchange } from './count-exchange.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface LimitSettings {
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is believed. */
  trustProxy: readonly string[];
  /** Requests a minute; 0: as many as anyone likes. */
  rateLimits: {
    /** To the public lists, from one address. */
    publicLists: number;
    /** With tokens of one user. */
    user: number;
    /** That change something, with tokens of one user. */
    writes: number;
    /** With tokens that are not good, from one address. */
    badTokens: number;
  };
  /** Requests that wait for the database at once, at most. */
  maxRequestsInFlight: number;
}

/**
 * How much callers may ask for. Callers on this machine's own loopback address are not counted, unless a trusted proxy is
 * named: then it may be the proxy that stands there.
 */
export interface Limits {
  /** Counts a request to a public list, by its address, and tells by `RateLimit` (draft-ietf-httpapi-ratelimit-headers) what is left. @throws ApiError `TOO_MANY_REQUESTS` */
  countPublic(request: AddressedRequest, reply: HeaderSetter): void;
  /** Counts a request with a token of that user. @throws ApiError `TOO_MANY_REQUESTS` */
  countUser(request: AddressedRequest, reply: HeaderSetter, user: string): void;
  /** Counts a request of that user that changes something. @throws ApiError `TOO_MANY_REQUESTS` */
  countWrite(request: AddressedRequest, reply: HeaderSetter, user: string): void;
  /** Counts a token that is not good, by the caller's address. @throws ApiError `TOO_MANY_REQUESTS` */
  countBadToken(request: AddressedRequest): void;
  /** Takes back the count of a token that has turned out to be good. */
  forgiveBadToken(request: AddressedRequest): void;
  acquire: AcquireSlot;
  /** What the caller counts as: a network, or {@link EXEMPT}. */
  networkOf(request: AddressedRequest): string;
  figures(): LimitFigures;
}

/** Where the state of a limit is told: on the answer. */
interface HeaderSetter {
  header(name: string, value: string): unknown;
}

/** What the limits have done so far. */
export interface LimitFigures {
  /** Requests that wait for the database at the moment. */
  inFlight: number;
  /** Requests that were refused, by the limit that did it. */
  refused: { public: number; user: number; write: number; bad_token: number; in_flight: number };
}

/**
 * @param addressOf where requests come from
 * @param exchange with the other processes of the service; absent: it is this one alone
 */
export function createLimits(settings: LimitSettings, addressOf: AddressOf, exchange?: CountExchange): Limits {
  const { trustProxy, rateLimits, maxRequestsInFlight } = settings;
  const trustsProxy = trustProxy.length > 0;

  /** What the caller of each connection counts as; the same for all its requests where no proxy says otherwise. */
  const networks = new WeakMap<Socket, string>();

  function callerNetwork(request: AddressedRequest): string {
    const { headers, socket } = request.raw;
    if (trustsProxy && headers['x-forwarded-for'] !== undefined) return networkOf(addressOf(request.raw));
    let network = networks.get(socket);
    if (network === undefined) {
      const address = addressOf(request.raw);
      network = !trustsProxy && isLoopback(address) ? EXEMPT : networkOf(address);
      networks.set(socket, network);
    }
    return network;
  }

  const refused = { public: 0, user: 0, write: 0, bad_token: 0 };
  /** A request may be counted twice: where it could be answered at once, and where it is refused. */
  const refusedRequests = new WeakSet<IncomingMessage>();

  /** Counts a request by what is given, or by the caller's network. */
  const counter = (name: keyof LimitSettings['rateLimits'], label: keyof typeof refused) => {
    const limit = rateLimits[name];
    const limiter = createRateLimiter(limit);
    exchange?.onTold(name, limiter.add);
    const policy = `"${label}";q=${limit};w=60`;
    const count = (request: AddressedRequest, reply?: HeaderSetter, key?: string) => {
      if (limit === 0) return;
      const network = callerNetwork(request);
      if (network === EXEMPT) return;
      reply?.header('ratelimit-policy', policy);
      try {
        const { remaining, seconds } = limiter.take(key ?? network);
        reply?.header('ratelimit', `"${label}";r=${remaining};t=${seconds}`);
        exchange?.tell(name, key ?? network, 1);
      } catch (error) {
        if (error instanceof ApiError) reply?.header('ratelimit', `"${label}";r=0;t=${error.headers['retry-after']}`);
        if (!refusedRequests.has(request.raw)) refused[label] += 1;
        refusedRequests.add(request.raw);
        throw error;
      }
    };
    const forgive = (request: AddressedRequest) => {
      const network = callerNetwork(request);
      if (limit === 0 || network === EXEMPT) return;
      limiter.add(network, -1);
      exchange?.tell(name, network, -1);
    };
    return { count, forgive };
  };
  const inFlight = boundInFlight(maxRequestsInFlight);
  const badTokens = counter('badTokens', 'bad_token');
  return {
    countPublic: counter('publicLists', 'public').count,
    countUser: counter('user', 'user').count,
    countWrite: counter('writes', 'write').count,
    countBadToken: (request) => badTokens.count(request),
    forgiveBadToken: badTokens.forgive,
    acquire: inFlight.acquire,
    networkOf: callerNetwork,
    figures: () => ({ inFlight: inFlight.count, refused: { ...refused, in_flight: inFlight.refused } }),
  };
}
