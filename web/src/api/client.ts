import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];
export type ConsoleConfig = Schemas['ConsoleConfig'];
export type Pagination = Schemas['Pagination'];
export type Profile = Schemas['Profile'];

type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type Query<Path extends keyof paths> =
  Get<Path> extends { parameters: { query?: infer Q } } ? Exclude<Q, undefined> : never;
type Answer<Path extends keyof paths> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
export type ReadablePath = { [Path in keyof paths]: Get<Path> extends never ? never : Path }[keyof paths];

/** What the service answers where it does not do what was asked; status 0: no answer came at all. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly { field: string; message: string }[];
  /** By which the service's log knows a fault of its own; undefined where it is none. */
  readonly requestId: string | undefined;

  constructor(status: number, body: Partial<Schemas['Error']>) {
    super(body.message ?? '');
    this.status = status;
    this.code = body.code ?? '';
    this.problems = body.errors ?? [];
    this.requestId = status >= 500 ? body.requestId : undefined;
  }
}

/** Who is told that a token is not taken any more, and why. */
export type TokenRefused = (token: string, reason: string) => void;

/** A typed way to the service, with an access token or without. */
export interface Client {
  get<Path extends ReadablePath>(path: Path, query?: Query<Path>, signal?: AbortSignal): Promise<Answer<Path>>;
  /** The own profile, and its version for an update. */
  profile(signal?: AbortSignal): Promise<{ profile: Profile; version: string }>;
  /** Updates the own profile where it still has this version; rejects with a 412 otherwise. */
  updateProfile(patch: Record<string, string | null>, version: string): Promise<void>;
}

/** Never aborted: for what is asked without a token. */
const NEVER = new AbortController().signal;

/** @param ended aborted when the sign-in ends: nothing that was asked for before comes back after it */
export function createClient(token: string | undefined, refused: TokenRefused, ended: AbortSignal = NEVER): Client {
  async function send<Body>(path: string, init: RequestInit): Promise<{ body: Body; version: string }> {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const signal = init.signal ? AbortSignal.any([ended, init.signal]) : ended;
    const response = await fetch(path, { ...init, headers, signal }).catch(noAnswer);
    const body = await response.json().catch(response.ok ? noAnswer : () => ({}));
    ended.throwIfAborted();
    if (response.ok) return { body, version: response.headers.get('etag') ?? '*' };
    if (response.status === 401 && token !== undefined) refused(token, body.message ?? '');
    throw new RequestError(response.status, body);
  }

  return {
    async get(path, query, signal) {
      const { body } = await send<Answer<typeof path>>(`${path}${queryString(query ?? {})}`, signal ? { signal } : {});
      return body;
    },
    async profile(signal) {
      const { body, version } = await send<Answer<'/api/users/profile'>>(
        '/api/users/profile',
        signal ? { signal } : {},
      );
      return { profile: body.data, version };
    },
    async updateProfile(patch, version) {
      await send('/api/users/update-profile', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'if-match': version },
        body: JSON.stringify(patch),
      });
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
