import type { ConsoleConfig } from '../api/types.ts';
import { forget, isRecord, keep, kept } from '../storage.ts';
import type { Draft } from './draft.ts';

export type Provider = NonNullable<ConsoleConfig['provider']>;

/** What a provider gives: both stay in memory. */
export interface Tokens {
  access: string;
  /** Where the scope asks for one. Each may be good for one use. */
  refresh?: string | undefined;
}

/** What is to be there again after the way to the provider and back. */
export interface Stash {
  path: string;
  /** What was typed and not saved, and by whom. */
  draft?: { userId: string; fields: Draft };
}

/** A sign-in that has been begun at the provider, as the tab remembers it. */
export interface PendingSignIn extends Stash {
  state: string;
  nonce: string;
  verifier: string;
  /** Nobody has asked for it: where it does not succeed, there is nothing to say. */
  isSilent: boolean;
}

/** In the tab's own storage for the time at the provider alone: no token ever stands there. */
const PLACE = 'orgdesk.sign-in';

/** @returns whether the tab could keep it */
export function keepPendingSignIn(pending: PendingSignIn): boolean {
  return keep('sessionStorage', PLACE, pending);
}

/** Takes what was put aside for the way to the provider; undefined where nobody has left for it. */
export function takePendingSignIn(): PendingSignIn | undefined {
  const { path, state, nonce, verifier, isSilent, draft } = kept('sessionStorage', PLACE) ?? {};
  forget('sessionStorage', PLACE);
  if (typeof path !== 'string' || typeof state !== 'string') return undefined;
  if (typeof nonce !== 'string' || typeof verifier !== 'string') return undefined;
  const own = { path, state, nonce, verifier, isSilent: isSilent === true };
  return isDraft(draft) ? { ...own, draft } : own;
}

function isDraft(draft: unknown): draft is NonNullable<Stash['draft']> {
  if (!isRecord(draft) || typeof draft.userId !== 'string' || !isRecord(draft.fields)) return false;
  return Object.values(draft.fields).every(
    (field) => isRecord(field) && typeof field.typed === 'string' && typeof field.from === 'string',
  );
}

/** Takes the provider's answer out of the address; undefined where there is none. */
export function takeProviderAnswer(): URLSearchParams | undefined {
  const answer = new URLSearchParams(location.search);
  if (location.pathname !== '/' || !answer.has('state') || !(answer.has('code') || answer.has('error')))
    return undefined;
  history.replaceState(null, '', '/');
  return answer;
}
