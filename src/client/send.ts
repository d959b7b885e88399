import createHttpClient from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { pause, pauseBefore } from './repetition.ts';

/** Returns the token, called before each request; after a 401, called with the refused token for a new one. */
export type TokenSource = (refused?: string) => string | undefined | Promise<string | undefined>;

export interface ClientOptions {
  /** Base address of the service, such as `https://orgdesk.example.com`. */
  baseUrl: string;
  /** An access token or API key, or a source of one. Absent: only public operations are allowed. */
  token?: string | TokenSource | undefined;
  /** Maximum number of retries; 4 by default. */
  retries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
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
  /** Whether to retry without knowing whether the request was done. */
  repeatable: boolean;
}

/** Sends a request, with retries, and resolves to its successful response. */
export type Send = (request: Sent) => Promise<object>;

interface Http {
  request(method: string, path: string, init: object): Promise<{ data?: unknown; error?: unknown; response: Response }>;
}

/** Returns a query whose objects are JSON. */
function asParameters(query: object): object {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(query).map(([name, value]) => [name, isObject(value) ? JSON.stringify(value) : value]);
  return Object.fromEntries(entries);
}

/** Returns a function that sends requests with the token, and retries where useful. */
export function sender({ baseUrl, token, retries = 4, fetch }: ClientOptions): Send {
  // Bodies are serialised before the first attempt. Types by path exist only at the call site.
  const bodySerializer = (text: unknown) => text as string;
  const http = createHttpClient({
    baseUrl: new URL(baseUrl).href,
    bodySerializer,
    ...(fetch ? { fetch } : {}),
  }) as unknown as Http;
  const tokenSource: TokenSource = typeof token === 'function' ? token : () => token;

  async function once({ method, path, query, csv, signal, ...given }: Sent, body: string | undefined, bearer?: string) {
    const headers = new Headers();
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
    if (csv !== undefined) headers.set('content-type', 'text/csv; charset=utf-8');
    if (given.ifMatch !== undefined) headers.set('if-match', given.ifMatch);
    if (given.idempotencyKey !== undefined) headers.set('idempotency-key', given.idempotencyKey);
    const init = { params: { query: query && asParameters(query) }, headers, body, signal };
    const { data, error, response } = await http.request(method, path, init);
    if (!response.ok) throw new ApiError(response, error);
    const etag = response.headers.get('etag');
    return { ...(data as object), ...(etag === null ? {} : { etag }) };
  }

  return async (request) => {
    const { signal, repeatable } = request;
    const body = request.csv ?? (request.body && JSON.stringify(request.body));
    let bearer = await tokenSource();
    let isRenewed = false;
    for (let attempts = 1; ; attempts++) {
      signal?.throwIfAborted();
      try {
        return await once(request, body, bearer);
      } catch (error) {
        if (error instanceof ApiError && error.status === 401 && bearer !== undefined && !isRenewed) {
          isRenewed = true;
          const next = await tokenSource(bearer);
          if (next === undefined || next === bearer) throw error;
          bearer = next;
          attempts--;
          continue;
        }
        const seconds = attempts > retries ? undefined : pauseBefore(error, attempts, repeatable);
        if (seconds === undefined) throw error;
        await pause(seconds, signal);
      }
    }
  };
}
