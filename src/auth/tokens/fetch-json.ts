import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { type ApiError, tryAgain } from '../../entities/api-error.ts';
import { isObject } from '../../entities/check-fields.ts';
import { checkedLookup, type HostRules, hostOf, permittedAddresses } from '../../lib/public-addresses.ts';
import { type TraceContext, traceHeaders } from '../../lib/trace-context.ts';

/** Time limit of a call to another party with all of its requests, in milliseconds. */
export const TIME_LIMIT = 5_000;
/** Time that a request waits for a response of the identity provider, in milliseconds. */
const MAX_WAIT = 1_000;
/** Maximum size of a response, in bytes. */
const MAX_ANSWER = 256 * 1024;

/**
 * Fetches a JSON object, or the claims of a JWT as userinfo may be (OpenID Connect Core 1.0, section 5.3.2), trusting TLS for its
 * signature. Redirects are not followed: only configured addresses, and those that a configured party names, are contacted.
 *
 * @param signal aborts the request; must include a timeout
 * @param trace of the request that caused it
 * @throws if the response is not a 200 with a JSON object of at most 256 KiB
 */
export async function fetchJsonObject(
  url: URL,
  options: { signal: AbortSignal; headers?: Readonly<Record<string, string>>; trace?: TraceContext | undefined },
  send: Send = fetch,
): Promise<Readonly<Record<string, unknown>>> {
  const { signal, headers = {}, trace } = options;
  const response = await send(url, {
    headers: { accept: 'application/json, application/jwt;q=0.9', ...headers, ...traceHeaders(trace) },
    redirect: 'error',
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${nameOf(url)} answered with the status ${response.status}`);
  }
  const text = await readBounded(response, url);
  const isJwt = /^application\/jwt\b/i.test(response.headers.get('content-type') ?? '');
  const value: unknown = isJwt ? decodeJwt(text) : JSON.parse(text);
  if (!isObject(value)) {
    throw new Error(`${nameOf(url)} answered with something else than a JSON object`);
  }
  return value;
}

/** Sends a GET request. */
export type Send = (
  url: URL,
  options: { headers: Record<string, string>; redirect: 'error'; signal: AbortSignal },
) => Promise<Response>;

/** Returns what sends requests to the addresses that others name: public ones alone, checked as each connection is made. */
export function guardedFetch(rules: HostRules): Send {
  const lookup = checkedLookup(rules);
  return async (url, { headers, signal }) => {
    if (url.protocol !== 'https:' && !rules.permitsPrivate) throw new TypeError('Nothing is fetched without TLS.');
    // For an IP address no look-up is made.
    if (isIP(hostOf(url)) !== 0) await permittedAddresses(url.hostname, rules);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { headers, signal, lookup }).on('response', resolve).on('error', reject).end();
    });
    const { statusCode = 500, headers: received } = answer;
    const init = { status: statusCode, headers: { 'content-type': received['content-type'] ?? '' } };
    if (statusCode === 200) return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, init);
    answer.destroy();
    return new Response(null, init);
  };
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest of the response.
    if (length > MAX_ANSWER) throw new Error(`${nameOf(url)} answered with more than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** Returns the URL without its query, which may hold secrets. */
function nameOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Returns the error for a request that needs the identity provider while it is unreachable. @param retryAfter in seconds */
export function unavailable(retryAfter: number): ApiError {
  return tryAgain('UNAVAILABLE', 'The service cannot reach its identity provider: try again shortly.', retryAfter);
}

/**
 * Resolves to the response of the provider, or rejects with `UNAVAILABLE` after a second. The call continues, so that later requests can
 * use its result.
 */
export function answeredSoon<T>(answer: Promise<T>): Promise<T> {
  const late = sleep(MAX_WAIT, undefined, { ref: false }).then(() => {
    throw unavailable(Math.ceil(TIME_LIMIT / 1000));
  });
  const first = Promise.race([answer, late]);
  // Prevents an unhandled rejection if nobody awaits the result.
  first.catch(() => undefined);
  return first;
}
