import { forget, keep, kept } from '../storage.ts';

/** How a user signed in to this browser, to repeat it; never a token. `left`: they signed out. */
export type Remembered =
  | { way: 'demo'; email: string }
  | { way: 'provider' | 'token' | 'left' /** By which the provider was found. */; domain?: string | undefined };

const STORAGE_KEY = 'orgdesk.way';

/** Fallback for a browser without storage, until the page is reloaded. */
let last: Remembered | undefined;

export function remember(way: Remembered): void {
  last = way;
  keep('localStorage', STORAGE_KEY, way);
}

export function remembered(): Remembered | undefined {
  const { way, email, domain }: Readonly<Record<string, unknown>> = kept('localStorage', STORAGE_KEY) ?? last ?? {};
  if (way === 'demo') return typeof email === 'string' ? { way, email } : undefined;
  if (way !== 'provider' && way !== 'token' && way !== 'left') return undefined;
  return typeof domain === 'string' ? { way, domain } : { way };
}

export function forgetWay(): void {
  last = undefined;
  forget('localStorage', STORAGE_KEY);
}
