import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../../entities/api-error.ts';
import { type AcquireSlot, boundInFlight } from '../connections/in-flight.ts';
import { EXEMPT } from '../connections/slow-readers.ts';
import { type AddressedRequest, type AddressOf, isLoopback, networkOf } from './client-address.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface LimitSettings {
  /** Addresses and ranges of the proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[];
  /** Requests a minute; 0: unlimited. */
  rateLimits: {
    /** To the public lists, per caller network. */
    publicLists: number;
    /** Per user, or API key. */
    user: number;
    /** To SCIM, per API key. */
    scim: number;
    /** Writes, per user. */
    writes: number;
    /** Of all people and API keys of a company. */
    company: number;
    /** With invalid tokens, per caller network. */
    badTokens: number;
  };
  /** Maximum of requests that wait for the database at once. */
  maxRequestsInFlight: number;
}

/** Caller networks whose invalid tokens, all of which are refused, also bring a connection to its limit. */
const NETWORKS_OF_A_CONNECTION = 8;

/**
 * Rate limits and the bound on concurrent requests. Callers on the loopback address are exempt from rate limits,
 * unless a trusted proxy is configured: then the loopback address may be the proxy's.
 */
export interface Limits {
  /**
   * Counts a request to a public list by its caller network, and sets `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
   *
   * @throws ApiError `TOO_MANY_REQUESTS`
   */
  countPublic(request: AddressedRequest, reply: HeaderSetter): void;
  /** Counts a request of the user. @throws ApiError `TOO_MANY_REQUESTS` */
  countUser(request: AddressedRequest, reply: HeaderSetter, user: string): void;
  /** Counts a request of an API key to SCIM. @throws ApiError `TOO_MANY_REQUESTS` */
  countScim(request: AddressedRequest, reply: HeaderSetter, key: string): void;
  /** Counts a write of the user. @throws ApiError `TOO_MANY_REQUESTS` */
  countWrite(request: AddressedRequest, reply: HeaderSetter, user: string): void;
  /** Counts a request of the company. @throws ApiError `TOO_MANY_REQUESTS` */
  countCompany(request: AddressedRequest, company: string): void;
  /** Counts an invalid token by the caller network, and by the connections that it names. @throws ApiError `TOO_MANY_REQUESTS` */
  countBadToken(request: AddressedRequest, connections?: Iterable<string>): void;
  /** Checks, before a token of a connection is verified, that neither is over its limit of invalid ones. @throws ApiError `TOO_MANY_REQUESTS` */
  assertMayProve(request: AddressedRequest, connection: string): void;
  /** Reverts {@link Limits.countBadToken} for a token that turned out to be valid. */
  forgiveBadToken(request: AddressedRequest, connections?: Iterable<string>): void;
  acquire: AcquireSlot;
  /** Returns the network that the caller is counted by, or {@link EXEMPT}. */
  networkOf(request: AddressedRequest): string;
  figures(): LimitFigures;
}

/** The reply, of which only the headers are set. */
interface HeaderSetter {
  header(name: string, value: string): unknown;
}

/** Figures of the limits, for the metrics. */
export interface LimitFigures {
  /** Requests that wait for the database now. */
  inFlight: number;
  /** Requests refused so far, by limit. */
  refused: { public: number; user: number; write: number; company: number; bad_token: number; in_flight: number };
}

/** @param addressOf returns the client address of a request */
export function createLimits(settings: LimitSettings, addressOf: AddressOf): Limits {
  const { trustProxy, rateLimits, maxRequestsInFlight } = settings;
  const trustsProxy = trustProxy.length > 0;

  /** The caller network per connection: the same for all its requests unless a proxy forwards several callers. */
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

  const refused = { public: 0, user: 0, write: 0, company: 0, bad_token: 0 };
  /** Keeps a request that two checks refuse from being counted as refused twice. */
  const refusedRequests = new WeakSet<IncomingMessage>();

  /** Counts requests by `key`, or by the caller network without one. */
  const counter = (name: keyof LimitSettings['rateLimits'], label: keyof typeof refused, times = 1) => {
    const limit = rateLimits[name] * times;
    const limiter = createRateLimiter(limit);
    const policy = `"${label}";q=${limit};w=60`;
    const count = (request: AddressedRequest, reply?: HeaderSetter, key?: string) => {
      if (limit === 0) return;
      const network = callerNetwork(request);
      if (network === EXEMPT) return;
      reply?.header('ratelimit-policy', policy);
      try {
        const { remaining, seconds } = limiter.take(key ?? network);
        reply?.header('ratelimit', `"${label}";r=${remaining};t=${seconds}`);
      } catch (error) {
        if (error instanceof ApiError) reply?.header('ratelimit', `"${label}";r=0;t=${error.headers['retry-after']}`);
        if (!refusedRequests.has(request.raw)) refused[label] += 1;
        refusedRequests.add(request.raw);
        throw error;
      }
    };
    const isCounted = (network: string) => limit > 0 && network !== EXEMPT;
    const forgive = (request: AddressedRequest, key?: string) => {
      const network = callerNetwork(request);
      if (isCounted(network)) limiter.forgive(key ?? network);
    };
    const check = (request: AddressedRequest, key?: string) => {
      const network = callerNetwork(request);
      if (isCounted(network)) limiter.check(key ?? network);
    };
    return { count, forgive, check };
  };
  const inFlight = boundInFlight(maxRequestsInFlight);
  const companies = counter('company', 'company');
  const badTokens = counter('badTokens', 'bad_token');
  const badTokensOfConnections = counter('badTokens', 'bad_token', NETWORKS_OF_A_CONNECTION);
  return {
    countPublic: counter('publicLists', 'public').count,
    countUser: counter('user', 'user').count,
    countScim: counter('scim', 'user').count,
    countWrite: counter('writes', 'write').count,
    countCompany: (request, company) => companies.count(request, undefined, company),
    countBadToken(request, connections = []) {
      for (const connection of connections) badTokensOfConnections.count(request, undefined, connection);
      badTokens.count(request);
    },
    assertMayProve(request, connection) {
      badTokens.check(request);
      badTokensOfConnections.check(request, connection);
    },
    forgiveBadToken(request, connections = []) {
      for (const connection of connections) badTokensOfConnections.forgive(request, connection);
      badTokens.forgive(request);
    },
    acquire: inFlight.acquire,
    networkOf: callerNetwork,
    figures: () => ({ inFlight: inFlight.count, refused: { ...refused, in_flight: inFlight.refused } }),
  };
}
