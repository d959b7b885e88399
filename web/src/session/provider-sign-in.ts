import type { ConsoleConfig } from '../api/client.ts';
import { texts } from '../texts.ts';
import type { Draft } from './draft.ts';

export type Provider = NonNullable<ConsoleConfig['provider']>;

/** What is to be there again after the way to the provider and back. */
export interface Stash {
  path: string;
  /** What was typed and not saved, and by whom. */
  draft?: { userId: string; fields: Draft };
}

/** A sign-in that has been begun at the provider, as the tab remembers it. */
export interface UnderWay extends Stash {
  state: string;
  nonce: string;
  verifier: string;
}

/** In the tab's own storage for the time at the provider alone: no token ever stands there. */
const PLACE = 'orgdesk.sign-in';

/**
 * Leaves for the provider: the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636).
 * Rejects with an error for people where the page was not loaded securely: browsers hash nothing there.
 *
 * @param anew asks for the credentials again, where somebody has signed out
 */
export async function leaveForProvider(provider: Provider, stash: Stash, anew: boolean): Promise<void> {
  if (!isSecureContext) throw new Error(texts.signIn.notSecure);
  const underWay: UnderWay = { ...stash, state: randomText(), nonce: randomText(), verifier: randomText() };
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(underWay.verifier));
  const url = new URL(provider.authorizationEndpoint);
  const parameters = {
    ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri(), scope: provider.scope },
    ...{ state: underWay.state, nonce: underWay.nonce },
    ...{ code_challenge: base64Url(new Uint8Array(challenge)), code_challenge_method: 'S256' },
    ...audienceOf(provider),
    ...(anew ? { prompt: 'login' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  sessionStorage.setItem(PLACE, JSON.stringify(underWay));
  location.assign(url);
}

/** Takes what was put aside for the way to the provider; undefined where nobody has left for it. */
export function takeUnderWay(): UnderWay | undefined {
  const kept = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  return kept === null ? undefined : (JSON.parse(kept) as UnderWay);
}

/** Takes the provider's answer out of the address; undefined where there is none. */
export function takeProviderAnswer(): URLSearchParams | undefined {
  const answer = new URLSearchParams(location.search);
  if (location.pathname !== '/' || !answer.has('state') || !(answer.has('code') || answer.has('error')))
    return undefined;
  history.replaceState(null, '', '/');
  return answer;
}

/**
 * Exchanges the code of the provider's answer for an access token. Rejects with an error for people.
 *
 * @param underWay the sign-in that this tab has begun: an answer to another one is not taken
 */
export async function finishSignIn(
  provider: Provider,
  answer: URLSearchParams,
  underWay: UnderWay | undefined,
): Promise<string> {
  const issuer = answer.get('iss');
  // RFC 9207: an answer may name who gives it.
  if (answer.get('state') !== underWay?.state || (issuer !== null && issuer !== provider.issuer)) {
    throw new Error(texts.signIn.notBegunHere);
  }
  const code = answer.get('code');
  if (code === null) throw new Error(refusal(answer));
  const response = await fetch(provider.tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: provider.clientId, redirect_uri: redirectUri() },
      ...{ code, code_verifier: underWay.verifier },
      ...audienceOf(provider),
    }),
  }).catch(() => {
    throw new Error(texts.signIn.providerSilent);
  });
  const tokens = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  if (typeof tokens.access_token !== 'string') {
    throw new Error(typeof tokens.error_description === 'string' ? tokens.error_description : texts.signIn.failed);
  }
  if (asksForIdToken(provider) && !isForThisSignIn(tokens.id_token, provider, underWay.nonce)) {
    throw new Error(texts.signIn.notForThis);
  }
  return tokens.access_token;
}

function refusal(answer: URLSearchParams): string {
  const description = answer.get('error_description');
  if (description !== null) return description;
  return answer.get('error') === 'access_denied' ? texts.signIn.denied : texts.signIn.failed;
}

function asksForIdToken({ scope }: Provider): boolean {
  return scope.split(' ').includes('openid');
}

/**
 * Whether an ID token is of this provider, for this client and for this very sign-in (OpenID Connect Core 1.0, section 3.1.3.7). It comes
 * from the provider itself over TLS, which point 6 there lets stand for its signature.
 */
function isForThisSignIn(idToken: unknown, { issuer, clientId }: Provider, nonce: string): boolean {
  try {
    const claims = JSON.parse(fromBase64Url(String(idToken).split('.')[1] ?? '')) as Readonly<Record<string, unknown>>;
    return claims.iss === issuer && [claims.aud].flat().includes(clientId) && claims.nonce === nonce;
  } catch {
    return false;
  }
}

/** RFC 8707 calls it `resource`; providers that are older call it `audience`, and others ignore that (RFC 6749, section 3.1). */
function audienceOf({ resource }: Provider): Record<string, string> {
  return resource === null ? {} : { resource, audience: resource };
}

function redirectUri(): string {
  return `${location.origin}/`;
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
