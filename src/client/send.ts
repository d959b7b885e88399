import createHttpClient from 'openapi-fetch';
import { ApiError } from './api-error.ts';
import { pause, pauseBefore } from './repetition.ts';

/** Gives the token, or a new one where the service refused the last. It is asked before each request. */
export type TokenSource = (refused?: string) => string | undefined | Promise<string | undefined>;

export interface ClientOptions {
  /** Where the service is, such as `https://orgdesk.example.com`. */
  baseUrl: string;
  /** An access token or an API key, or what gives one. Absent: only what is public can be asked for. */
  token?: string | TokenSource | undefined;
  /** How often a request is sent again at most: 4 unless given. */
  retries?: number | undefined;
  /** In the place of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export interface Sent {
  method: 'get' | 'post';
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  /** The body, where it is a table. */
  csv?: string | undefined;
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Whether it may be sent again where nobody knows if it was done. */
  repeatable: boolean;
}

/** Sends a request until it is answered with a success, which it gives, or it is settled that it will not be. */
export type Send = (request: Sent) => Promise<object>;

interface Http {
  request(method: string, path: string, init: object): Promise<{ data?: unknown; error?: unknown; response: Response }>;
}

/** What sends requests with the token, and sends them again where that may help. */
export function sender({ baseUrl, token, retries = 4, fetch }: ClientOptions): Send {
  // Bodies are made before the first try. What belongs to a path is typed where the client is used.
  const bodySerializer = (text: unknown) => text as string;
  const http = createHttpClient({
    baseUrl: new URL(baseUrl).href,
    bodySerializer,
    ...(fetch ? { fetch } : {}),
  }) as unknown as Http;
  const tokenSource: TokenSource = typeof token === 'function' ? token : () => token;

  async function once({ method, path, query, csv, ifMatch, signal }: Sent, body: string | undefined, bearer?: string) {
    const headers = new Headers();
    if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
    if (csv !== undefined) headers.set('content-type', 'text/csv; charset=utf-8');
    if (ifMatch !== undefined) headers.set('if-match', ifMatch);
    const init = { params: { query }, headers, body, signal };
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
