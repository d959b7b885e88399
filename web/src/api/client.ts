import type { Answer, Body, CsvQuery, ErrorBody, Person, Query, ReadablePath, WritablePath, Written } from './types.ts';

/** What the service answers where it does not do what was asked; status 0: no answer came at all. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly { field: string; message: string }[];
  /** By which the service's log knows a fault of its own; undefined where it is none. */
  readonly requestId: string | undefined;
  /** Seconds after which it may be asked again, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfter?: string | null) {
    super(body.message ?? '');
    this.status = status;
    this.code = body.code ?? '';
    this.problems = body.errors ?? [];
    this.requestId = status >= 500 ? body.requestId : undefined;
    this.retryAfter = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  }
}

/** Milliseconds after which what failed is worth another try by itself; undefined where it would only fail again. */
export function pauseBeforeRetry(error: unknown): number | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const { status, retryAfter } = error;
  if (retryAfter !== undefined && (status === 429 || status === 503)) return Math.max(retryAfter, 1) * 1000;
  return status === 0 || status === 503 ? 10_000 : undefined;
}

/** The token that goes with each request, and what is done where the service does not take it any more. */
export interface Credentials {
  token: () => string;
  /** @returns whether there is another token than the one that was refused */
  renew: (refused: string) => Promise<boolean>;
  /** There is none, and why the last one was refused. */
  refused: (reason: string) => void;
}

type ImportPath = '/api/users/import';

/** A typed way to the service, with an access token or without. */
export interface Client {
  get<Path extends ReadablePath>(path: Path, query?: Query<Path>, signal?: AbortSignal): Promise<Answer<Path>>;
  /** Reads one thing together with its version, for a change of it. */
  read<Path extends ReadablePath>(
    path: Path,
    query?: Query<Path>,
    signal?: AbortSignal,
  ): Promise<Answer<Path> & { version: string }>;
  /** @param version rejects with a 412 where the thing has another one by now */
  post<Path extends WritablePath>(path: Path, body: Body<Path>, version?: string): Promise<Written<Path>>;
  /** Imports people from a CSV text, or checks them alone. */
  importPeople(query: CsvQuery<ImportPath>, csv: string, signal?: AbortSignal): Promise<Written<ImportPath>>;
  /** The own profile, and its version for an update. */
  profile(signal?: AbortSignal): Promise<{ profile: Person; version: string }>;
}

/** Never aborted: for what is asked without a token. */
const NEVER = new AbortController().signal;

/** @param ended aborted when the sign-in ends: nothing that was asked for before comes back after it */
export function createClient(credentials?: Credentials, ended: AbortSignal = NEVER): Client {
  async function ask(path: string, init: RequestInit): Promise<{ response: Response; token: string | undefined }> {
    const token = credentials?.token();
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = init.signal ? AbortSignal.any([ended, init.signal]) : ended;
    return { response: await fetch(path, { ...init, headers, signal }).catch(noAnswer), token };
  }

  async function send<Json>(path: string, init: RequestInit): Promise<{ body: Json; version: string }> {
    let { response, token } = await ask(path, init);
    if (response.status === 401 && token !== undefined && (await credentials?.renew(token))) {
      ({ response, token } = await ask(path, init));
    }
    const body = await response.json().catch(response.ok ? noAnswer : () => ({}));
    ended.throwIfAborted();
    if (response.ok) return { body, version: response.headers.get('etag') ?? '*' };
    if (response.status === 401 && token === credentials?.token()) credentials?.refused(body.message ?? '');
    throw new RequestError(response.status, body, response.headers.get('retry-after'));
  }

  const read: Client['read'] = async (path, query, signal) => {
    const asked = `${path}${queryString(query ?? {})}`;
    const { body, version } = await send<Answer<typeof path> & object>(asked, signal ? { signal } : {});
    return { ...body, version };
  };
  return {
    read,
    get: read,
    async post(path, body, version) {
      const headers = { 'content-type': 'application/json', ...(version === undefined ? {} : { 'if-match': version }) };
      const sent = await send<Written<typeof path>>(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return sent.body;
    },
    async importPeople(query, csv, signal) {
      const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv };
      const path = `/api/users/import${queryString(query)}`;
      return (await send<Written<ImportPath>>(path, signal ? { ...init, signal } : init)).body;
    },
    async profile(signal) {
      const { data, version } = await read('/api/users/profile', undefined, signal);
      return { profile: data, version };
    },
  };
}

/** What was given up by the page itself is none of its failures. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function noAnswer(error: unknown): never {
  if (isGivenUp(error)) throw error;
  throw new RequestError(0, {});
}

function queryString(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
