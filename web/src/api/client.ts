import { BASE_PATH } from '../base-path.ts';
import { errorText, t } from '../translate.ts';
import type {
  Answer,
  Body,
  CompanyBrand,
  CsvQuery,
  ErrorBody,
  Person,
  Query,
  ReadablePath,
  WritablePath,
  Written,
} from './types.ts';

/** An error response of the service; status 0: no response came. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly { field: string; message: string }[];
  /** Identifies a fault of the service (5xx) in its log; undefined for any other error. */
  readonly requestId: string | undefined;
  /** Seconds after which to retry, if the response tells. */
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

/** Returns the milliseconds after which to retry automatically; undefined if a retry would only fail again. */
export function pauseBeforeRetry(error: unknown): number | undefined {
  if (!(error instanceof RequestError)) return undefined;
  const { status, retryAfter } = error;
  if (retryAfter !== undefined && (status === 429 || status === 503)) return Math.max(retryAfter, 1) * 1000;
  return status === 0 || status === 503 ? 10_000 : undefined;
}

/** The access token of the requests, and the handling of a token that the service refuses. */
export interface Credentials {
  token: () => string;
  /** @returns whether there is now another token than the refused one */
  renew: (refused: string) => Promise<boolean>;
  /** Called when there is no other token, with the reason of the refusal. */
  refused: (reason: string) => void;
}

type ImportPath = '/api/users/import';

interface PostOptions {
  /** Rejects with a 412 if the object has changed since. */
  version?: string | undefined;
  /** Identifies an attempt: the service does it once, however often it is sent. */
  key?: string;
  /** It asks, and changes nothing. */
  isQuestion?: boolean;
}

/** What a path returns, and its version (ETag) for an update of it. */
export type Read<Path extends ReadablePath> = Answer<Path> & { version: string };

/** A typed client of the service, with an access token or without. */
export interface Client {
  get<Path extends ReadablePath>(path: Path, query?: Query<Path>, signal?: AbortSignal): Promise<Read<Path>>;
  post<Path extends WritablePath>(
    path: Path,
    body: Body<Path>,
    options?: PostOptions,
  ): Promise<Written<Path> & { version: string; requestId: string }>;
  /** Imports people from a CSV text, or only checks it. */
  importPeople(query: CsvQuery<ImportPath>, csv: string, signal?: AbortSignal): Promise<Written<ImportPath>>;
  /** Returns the caller's own profile, the currency and the brand of their company, and its version for an update. */
  profile(signal?: AbortSignal): Promise<{
    profile: Person;
    currency: string | undefined;
    brand: CompanyBrand;
    version: string;
  }>;
}

/** Never aborted: for requests without a token. */
const NEVER = new AbortController().signal;

/** @param ended aborted when the session ends: pending requests are cancelled, so that no response arrives after it */
export function createClient(credentials?: Credentials, ended: AbortSignal = NEVER): Client {
  async function ask(path: string, init: RequestInit): Promise<{ response: Response; token: string | undefined }> {
    const token = credentials?.token();
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = init.signal ? AbortSignal.any([ended, init.signal]) : ended;
    return { response: await fetch(BASE_PATH + path, { ...init, headers, signal }).catch(noAnswer), token };
  }

  async function send<Json>(
    path: string,
    init: RequestInit,
  ): Promise<{ body: Json; version: string; requestId: string }> {
    let { response, token } = await ask(path, init);
    if (response.status === 401 && token !== undefined && (await credentials?.renew(token))) {
      ({ response, token } = await ask(path, init));
    }
    const body = await response.json().catch(response.ok ? noAnswer : () => ({}));
    ended.throwIfAborted();
    const [version = '*', requestId = ''] = ['etag', 'x-request-id'].map(
      (name) => response.headers.get(name) ?? undefined,
    );
    if (response.ok) return { body, version, requestId };
    if (response.status === 401 && token === credentials?.token()) credentials?.refused(body.message ?? '');
    throw new RequestError(response.status, body, response.headers.get('retry-after'));
  }

  const get: Client['get'] = async (path, query, signal) => {
    const asked = `${path}${queryString(query ?? {})}`;
    const { body, version } = await send<Answer<typeof path> & object>(asked, signal ? { signal } : {});
    return { ...body, version };
  };
  return {
    get,
    async post(path, body, { version: known, key, isQuestion = false } = {}) {
      const headers = {
        'content-type': 'application/json',
        ...(known === undefined ? {} : { 'if-match': known }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      const { body: answer, ...sent } = await send<Written<typeof path> & object>(path, init);
      if (!isQuestion) lastChange = { path, body: init.body };
      return { ...answer, ...sent };
    },
    async importPeople(query, csv, signal) {
      const init = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: csv };
      const path = `/api/users/import${queryString(query)}`;
      return (await send<Written<ImportPath>>(path, signal ? { ...init, signal } : init)).body;
    },
    async profile(signal) {
      const { data, version } = await get('/api/users/profile', { include: 'company' }, signal);
      const isStaff = data.companyRoles.some(({ role }) => role !== 'EMPLOYEE');
      // A refusal, or a fault, opens nothing.
      const own = isStaff ? undefined : await get('/api/roles/own', undefined, signal).catch(() => undefined);
      const opened = (own?.data.roles ?? []).filter(({ rules }) => LISTS_NEED.every((rule) => rules.includes(rule)));
      const profile = { ...data, opened: opened.map(({ companyId }) => companyId) };
      return { profile, currency: data.company.currency, brand: data.company.brand, version };
    },
  };
}

/** What the lists of a company read. */
const LISTS_NEED = ['staff', 'people', 'corporate'] as const;

/** The last change that the service did, to be repeated by a program; undefined before the first. */
let lastChange: { path: string; body: string } | undefined;

/** Returns the last change as a command line, and forgets it; the token has to be filled in. */
export function takeCurl(): string | undefined {
  if (!lastChange) return undefined;
  const { path, body } = lastChange;
  lastChange = undefined;
  const quoted = body.replaceAll("'", `'\\''`);
  return [
    `curl -X POST '${location.origin}${BASE_PATH}${path}'`,
    `-H "Authorization: Bearer $TOKEN"`,
    "-H 'Content-Type: application/json'",
    `-d '${quoted}'`,
  ].join(' \\\n  ');
}

/** Returns whether an error is a cancelled request, which is no failure. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function noAnswer(error: unknown): never {
  if (isGivenUp(error)) throw error;
  throw new RequestError(0, {});
}

function queryString(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, textOf(value)]))}`;
}

/**
 * Returns the message for an error in the reader's language, by its code; otherwise the service's own message, or
 * that no response came. For a 429, also of a proxy, it tells when to retry.
 */
export function explain(error: Error): string {
  if (error instanceof RequestError && error.status === 429) {
    const seconds = error.retryAfter;
    return seconds === undefined
      ? t('That was too much in a short time. Try again in a minute.')
      : t('That was too much in a short time. Try again in {seconds} s.', { seconds });
  }
  const known = error instanceof RequestError ? errorText(error.code) : undefined;
  return known || error.message || t('Can’t reach the service. Check your internet connection.');
}
