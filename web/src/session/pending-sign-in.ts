import type { ConsoleConfig } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import type { Draft } from '../parts/draft.ts';
import { forget, isRecord, keep, kept } from '../storage.ts';

export type Provider = NonNullable<ConsoleConfig['provider']>;

/** Tokens of a provider: both stay in memory. */
export interface Tokens {
  access: string;
  /** Present if the scope asks for one. It may be valid for one use only. */
  refresh?: string | undefined;
  /** The domain by which the provider was found; absent: the provider of the platform. */
  domain?: string | undefined;
}

/** State to restore after the round trip to the provider. */
export interface Stash {
  path: string;
  /** Unsaved fields, and the user who typed them. */
  draft?: { userId: string; fields: Draft };
  /** See {@link Tokens}. */
  domain?: string | undefined;
}

/** A sign-in started at the provider, as the tab remembers it. */
export interface PendingSignIn extends Stash {
  state: string;
  nonce: string;
  verifier: string;
  /** Whether the user did not ask for it: a failure is not reported then. */
  isSilent: boolean;
}

/** In session storage, only during the round trip to the provider; no token is ever stored. */
const STORAGE_KEY = 'orgdesk.sign-in';

/** @returns whether the tab could store it */
export function keepPendingSignIn(pending: PendingSignIn): boolean {
  return keep('sessionStorage', STORAGE_KEY, pending);
}

/** Takes the pending sign-in out of storage; undefined if there is none. */
export function takePendingSignIn(): PendingSignIn | undefined {
  const { path, state, nonce, verifier, isSilent, draft, domain } = kept('sessionStorage', STORAGE_KEY) ?? {};
  forget('sessionStorage', STORAGE_KEY);
  if (typeof path !== 'string' || typeof state !== 'string') return undefined;
  if (typeof nonce !== 'string' || typeof verifier !== 'string') return undefined;
  const own = {
    ...{ path, state, nonce, verifier, isSilent: isSilent === true },
    ...(typeof domain === 'string' ? { domain } : {}),
  };
  return isDraft(draft) ? { ...own, draft } : own;
}

function isDraft(draft: unknown): draft is NonNullable<Stash['draft']> {
  if (!isRecord(draft) || typeof draft.userId !== 'string' || !isRecord(draft.fields)) return false;
  return Object.values(draft.fields).every(
    (field) => isRecord(field) && typeof field.typed === 'string' && typeof field.from === 'string',
  );
}

/** Takes the provider's response out of the address, where an ID token is in the fragment; undefined if there is none. */
export function takeProviderAnswer(): URLSearchParams | undefined {
  const answers = [location.search, location.hash.slice(1)].map((text) => new URLSearchParams(text));
  const answer = answers.find(
    (each) => each.has('state') && ['code', 'id_token', 'error'].some((name) => each.has(name)),
  );
  if (location.pathname !== `${BASE_PATH}/` || !answer) return undefined;
  history.replaceState(null, '', `${BASE_PATH}/`);
  return answer;
}

/** How a user signed in to this browser, to repeat it; never a token. `left`: they signed out. */
export type Remembered =
  | { way: 'demo'; email: string }
  | { way: 'provider' | 'token' | 'left' /** By which the provider was found. */; domain?: string | undefined };

const WAY_KEY = 'orgdesk.way';

/** Fallback for a browser without storage, until the page is reloaded. */
let last: Remembered | undefined;

export function remember(way: Remembered): void {
  last = way;
  keep('localStorage', WAY_KEY, way);
}

export function remembered(): Remembered | undefined {
  const { way, email, domain }: Readonly<Record<string, unknown>> = kept('localStorage', WAY_KEY) ?? last ?? {};
  if (way === 'demo') return typeof email === 'string' ? { way, email } : undefined;
  if (way !== 'provider' && way !== 'token' && way !== 'left') return undefined;
  return typeof domain === 'string' ? { way, domain } : { way };
}

export function forgetSignInMethod(): void {
  last = undefined;
  forget('localStorage', WAY_KEY);
}
