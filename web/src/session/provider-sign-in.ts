import type { ConsoleConfig } from '../api/client.ts';
import { texts } from '../texts.ts';

export type Provider = NonNullable<ConsoleConfig['provider']>;

/** What is to be there again after the way to the provider and back. */
export interface Stash {
  path: string;
  /** What was typed and not saved, and by whom. */
  draft?: { userId: string; fields: Record<string, string> };
}

interface UnderWay extends Stash {
  state: string;
  verifier: string;
}

/** In the tab's own storage for the time at the provider alone: no token ever stands there. */
const PLACE = 'orgdesk.sign-in';

/**
 * Leaves for the provider: the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636).
 *
 * @param anew asks for the credentials again, where somebody has signed out
 */
export async function leaveForProvider(provider: Provider, stash: Stash, anew: boolean): Promise<void> {
  const underWay: UnderWay = { ...stash, state: randomText(), verifier: randomText() };
  sessionStorage.setItem(PLACE, JSON.stringify(underWay));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(underWay.verifier));
  const url = new URL(provider.authorizationEndpoint);
  const parameters = {
    ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri(), scope: provider.scope },
    ...{ state: underWay.state, code_challenge: base64Url(new Uint8Array(challenge)), code_challenge_method: 'S256' },
    ...audienceOf(provider),
    ...(anew ? { prompt: 'login' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Takes the provider's answer out of the address; undefined where there is none. */
export function takeProviderAnswer(): URLSearchParams | undefined {
  const answer = new URLSearchParams(location.search);
  if (location.pathname !== '/' || !answer.has('state') || !(answer.has('code') || answer.has('error')))
    return undefined;
  history.replaceState(null, '', '/');
  return answer;
}

/** Exchanges the code of the provider's answer for an access token. Rejects with an error for people. */
export async function finishSignIn(
  provider: Provider,
  answer: URLSearchParams,
): Promise<{ token: string; stash: Stash }> {
  const underWay = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as UnderWay | null;
  sessionStorage.removeItem(PLACE);
  const { state, verifier, ...stash } = underWay ?? { state: undefined, verifier: '', path: '/' };
  const issuer = answer.get('iss');
  const code = answer.get('code');
  if (state === undefined || answer.get('state') !== state || (issuer !== null && issuer !== provider.issuer)) {
    throw new Error(texts.signIn.failed);
  }
  if (code === null) throw new Error(answer.get('error_description') ?? answer.get('error') ?? texts.signIn.failed);
  const response = await fetch(provider.tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: provider.clientId, redirect_uri: redirectUri() },
      ...{ code, code_verifier: verifier },
      ...audienceOf(provider),
    }),
  });
  const tokens = (await response.json().catch(() => ({}))) as { access_token?: unknown; error_description?: unknown };
  if (typeof tokens.access_token === 'string') return { token: tokens.access_token, stash };
  throw new Error(typeof tokens.error_description === 'string' ? tokens.error_description : texts.signIn.failed);
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
