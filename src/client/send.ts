import { ApiError } from './api-error.ts';
import { isRedirect, pause, pauseBefore, within } from './repetition.ts';
import { VERSION } from './version.ts';

/** Returns the token, called before each request; after a 401, called with the refused token for a new one. */
export type TokenSource = (refused?: string) => string | undefined | Promise<string | undefined>;

export interface ClientOptions {
  /** Base address of the service, such as `https://orgdesk.example.com`. */
  baseUrl: string;
  /** An access token or API key, or a source of one. Absent: only public operations are allowed. */
  token?: string | TokenSource | undefined;
  /** Maximum number of retries; 4 by default. */
  retries?: number | undefined;
  /** Time limit of each attempt, in milliseconds; 30,000 by default. */
  timeout?: number | undefined;
  /** Called with the head of each response, before a retry also. */
  onResponse?: ((response: ResponseHead) => void) | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** What a response says beside its body. */
export interface ResponseHead {
  readonly method: string;
  readonly path: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
}

export interface Sent {
  method: 'get' | 'post';
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  /** The body of a CSV request. */
  csv?: string | undefined;
  ifMatch?: string | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Time limit of an attempt in milliseconds, if it is not the client's. */
  timeout?: number | undefined;
  /** Seconds that the service may wait before it answers. */
  wait?: number | undefined;
  /** Whether to retry without knowing whether the request was done. */
  repeatable: boolean;
}

/** Sends a request, with retries, and resolves to its successful response. */
export type Send = (request: Sent) => Promise<object>;

const TIMEOUT = 30_000;
/** Imports of many rows take longer, in milliseconds. */
const CSV_TIMEOUT = 600_000;

/** Returns a function that sends requests with the token, and retries where useful. */
export function sender({ baseUrl, token, retries = 4, timeout = TIMEOUT, onResponse, fetch }: ClientOptions): Send {
  const base = new URL(baseUrl).href.replace(/\/+$/, '');
  const tokenSource: TokenSource = typeof token === 'function' ? token : () => token;

  async function once(sent: Sent, body: string | undefined, signal: AbortSignal, bearer?: string): Promise<object> {
    const { method, path, query = {}, csv, ifMatch, idempotencyKey } = sent;
    const headers = new Headers(isBrowser() ? {} : { 'user-agent': `orgdesk-client/${VERSION}` });
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
    if (body !== undefined)
      headers.set('content-type', csv === undefined ? 'application/json' : 'text/csv; charset=utf-8');
    if (ifMatch !== undefined) headers.set('if-match', ifMatch);
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    const init = { method: method.toUpperCase(), headers, signal, ...(body === undefined ? {} : { body }) };
    const request = requestOf(`${base}${path}${inQuery(query)}`, init);
    const response = await (fetch ?? globalThis.fetch)(request);
    const url = response.url || request.url;
    const { status, statusText, headers: received } = response;
    onResponse?.({ method: request.method, path, url, status, headers: received });
    const answer = parsed(await response.text());
    const isOurs =
      typeof answer === 'object' && answer !== null && (answer.success === true || !path.startsWith('/api/'));
    if (!response.ok || !isOurs) throw new ApiError({ status, statusText, headers: received, url }, answer);
    const etag = received.get('etag');
    return { ...answer, ...(etag === null ? {} : { etag }) };
  }

  return async (request) => {
    const { signal, repeatable, wait = 0 } = request;
    const limit = (request.timeout ?? (request.csv === undefined ? timeout : CSV_TIMEOUT)) + wait * 1000;
    const body = request.csv ?? (request.body && JSON.stringify(request.body));
    let bearer = await tokenSource();
    let isRenewed = false;
    for (let attempts = 1; ; attempts++) {
      try {
        return await within(signal, (either) => once(request, body, either, bearer), limit);
      } catch (error) {
        if (signal?.aborted) throw error;
        if (error instanceof ApiError && error.status === 401 && bearer !== undefined && !isRenewed) {
          isRenewed = true;
          const next = await tokenSource(bearer);
          if (next === undefined || next === bearer) throw error;
          bearer = next;
          attempts--;
          continue;
        }
        if (error instanceof TypeError && isRedirect(error)) {
          throw new TypeError(`${base} redirects a POST, which is not followed: set baseUrl to where it leads`, {
            cause: error,
          });
        }
        const seconds = attempts > retries ? undefined : pauseBefore(error, attempts, repeatable);
        if (seconds === undefined) throw error;
        await pause(seconds, signal);
      }
    }
  };
}

/** A redirect would make a GET of a POST. Some hosts do not know `error`: there the redirect is the answer, and is refused. */
function requestOf(url: string, init: RequestInit & { method: string }): Request {
  if (init.method === 'GET') return new Request(url, init);
  try {
    return new Request(url, { ...init, redirect: 'error' });
  } catch {
    return new Request(url, { ...init, redirect: 'manual' });
  }
}

/** Facts and the like are JSON in a query. */
function inQuery(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const texts = given.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts as [string, string][])}`;
}

function parsed(text: string): { success?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Browsers send their own, and would ask the service first whether they may send another. */
function isBrowser(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith('Mozilla/') ?? false;
}
