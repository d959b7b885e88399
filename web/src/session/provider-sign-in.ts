import * as oauth from 'oauth4webapi';
import { BASE_PATH } from '../base-path.ts';
import { isRecord } from '../storage.ts';
import { t } from '../translate.ts';
import {
  forgetSignInMethod,
  keepPendingSignIn,
  type PendingSignIn,
  type Provider,
  type Stash,
  type Tokens,
} from './pending-sign-in.ts';
import { PROVIDER_DEADLINE_MS } from './tabs.ts';

/** `login` makes the provider ask for credentials; `none` makes it answer at once, by its session or with an error. */
export type Prompt = 'login' | 'none' | undefined;

/**
 * Redirects to the provider: authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636), or for an ID token
 * alone (OpenID Connect Core 1.0, section 3.2). Rejects with an error for people without a secure context, as browsers
 * hash nothing there, or without storage.
 *
 * @param hint the e-mail address of whoever signs in
 */
export async function leaveForProvider(provider: Provider, stash: Stash, prompt: Prompt, hint?: string): Promise<void> {
  if (!isSecureContext)
    throw new Error(t('You can sign in only over https: ask whoever runs the service for its secure address.'));
  const pending: PendingSignIn = {
    ...stash,
    // By the id the service permits the page to exchange the code at the provider of the connection.
    state: [provider.connectionId ?? [], oauth.generateRandomState()].flat().join('.'),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    isSilent: prompt === 'none',
  };
  const url = new URL(provider.authorizationEndpoint);
  const parameters = {
    response_type: provider.responseType,
    client_id: provider.clientId,
    redirect_uri: redirectUri(),
    scope: provider.scope,
    state: pending.state,
    nonce: pending.nonce,
    ...(provider.responseType === 'code'
      ? { code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier), code_challenge_method: 'S256' }
      : {}),
    ...audienceOf(provider),
    ...(prompt ? { prompt } : {}),
    ...(hint ? { login_hint: hint } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (!keepPendingSignIn(pending))
    throw new Error(
      t('This browser keeps nothing for this page, and so cannot sign in: allow it to store data for this site.'),
    );
  // Prevents an automatic second redirect when the user comes back without a response.
  if (prompt !== 'login') forgetSignInMethod();
  location.assign(url);
}

/**
 * Exchanges the code of the provider's response for tokens, or takes the ID token of it. Rejects with an error for people.
 *
 * @param pending the sign-in that this tab started; a response to any other is refused
 */
export async function finishSignIn(
  provider: Provider | undefined,
  answer: URLSearchParams,
  pending: PendingSignIn | undefined,
): Promise<Tokens> {
  if (!provider || !pending || answer.get('state') !== pending.state)
    throw new Error(t('This answer belongs to a sign-in that was not begun here. Sign in again.'));
  const { domain } = pending;
  const { server, client, options } = partiesOf(provider);
  const hasIdToken = provider.scope.split(' ').includes('openid');
  try {
    const idToken = answer.get('id_token');
    answer.delete('id_token');
    const parameters = oauth.validateAuthResponse(server, client, answer, pending.state);
    if (provider.responseType === 'id_token') {
      if (!isMeant(idToken ?? '', provider, pending))
        throw new oauth.OperationProcessingError('of another sign-in', { code: oauth.JWT_CLAIM_COMPARISON });
      return { access: idToken ?? '', domain };
    }
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri(),
      pending.verifier,
      options,
    );
    const checks = hasIdToken ? { expectedNonce: pending.nonce, requireIdToken: true } : {};
    const clocked = { ...client, [oauth.clockSkew]: await clockSkewOf(response) };
    return {
      ...tokensOf(await oauth.processAuthorizationCodeResponse(server, clocked, response, checks), provider),
      domain,
    };
  } catch (error) {
    throw new Error(refusal(error));
  }
}

/**
 * Exchanges a refresh token for new tokens (RFC 6749, section 6); undefined if the provider refuses it. Rejects if
 * the provider fails: the refresh token may still be valid.
 */
export async function refreshTokens(provider: Provider, refresh: string): Promise<Tokens | undefined> {
  const { server, client, options } = partiesOf(provider);
  const signal = AbortSignal.timeout(PROVIDER_DEADLINE_MS);
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh, { ...options, signal });
  const clocked = { ...client, [oauth.clockSkew]: await clockSkewOf(response, signal) };
  try {
    return { refresh, ...tokensOf(await oauth.processRefreshTokenResponse(server, clocked, response), provider) };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw error;
  }
}

/**
 * Returns the seconds by which the provider's clock is ahead of this machine's, which may be wrong: by the `Date` of
 * the response, or of the service's own where CORS hides that; 0 if neither tells.
 */
async function clockSkewOf(response: Response, signal?: AbortSignal): Promise<number> {
  const date = response.headers.get('date') ?? (await dateOfService(signal));
  const seconds = (Date.parse(date) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.round(seconds) : 0;
}

/** Returns the `Date` of a response of the service; empty if none comes, as the tokens are given already. */
async function dateOfService(signal?: AbortSignal): Promise<string> {
  return fetch(`${BASE_PATH}/livez`, { cache: 'no-store', signal: signal ?? null }).then(
    ({ headers }) => headers.get('date') ?? '',
    () => '',
  );
}

function tokensOf(
  { access_token, id_token, refresh_token }: oauth.TokenEndpointResponse,
  { tokenUse }: Provider,
): Tokens {
  const access = (tokenUse === 'id' ? id_token : undefined) ?? access_token;
  return { access, ...(refresh_token === undefined ? {} : { refresh: refresh_token }) };
}

/** Returns whether an ID token answers this sign-in. The service checks its signature and its times. */
function isMeant(idToken: string, { issuer, clientId }: Provider, { nonce }: PendingSignIn): boolean {
  const { iss, aud, nonce: given } = claimsOf(idToken);
  return iss === issuer && [aud].flat().includes(clientId) && given === nonce;
}

function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(payload), (each) => each.charCodeAt(0))),
    );
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Any of these may sign an ID token: it comes from the provider itself over TLS, which may replace the check of its signature. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((size) => family + size));

function partiesOf(provider: Provider) {
  const server: oauth.AuthorizationServer = {
    issuer: provider.issuer,
    authorization_endpoint: provider.authorizationEndpoint,
    token_endpoint: provider.tokenEndpoint,
    id_token_signing_alg_values_supported: [...ALGORITHMS, 'EdDSA', 'Ed25519'],
  };
  const client: oauth.Client = { client_id: provider.clientId };
  const options = {
    additionalParameters: audienceOf(provider),
    // The service itself accepts a provider without TLS only on this machine.
    [oauth.allowInsecureRequests]: provider.tokenEndpoint.startsWith('http:'),
  };
  return { server, client, options };
}

/** Returns why the sign-in failed, for people. */
function refusal(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied') {
    return error.error_description || t('You were not signed in: the sign-in was cancelled.');
  }
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return error.error_description || t('The sign-in was not finished. Try again.');
  }
  if (error instanceof oauth.OperationProcessingError) {
    if (error.code === oauth.JWT_CLAIM_COMPARISON || error.code === oauth.JWT_TIMESTAMP_CHECK) {
      return t('The answer of your organisation’s sign-in is not for this one. Sign in again.');
    }
    return error.message.includes('"iss"')
      ? t('This answer belongs to a sign-in that was not begun here. Sign in again.')
      : t('The sign-in was not finished. Try again.');
  }
  // The request itself failed.
  return error instanceof TypeError
    ? t('Your organisation’s sign-in does not answer. Try again in a moment.')
    : t('The sign-in was not finished. Try again.');
}

/** RFC 8707 calls it `resource`, older providers `audience`; providers ignore unknown parameters (RFC 6749, section 3.1). */
function audienceOf({ resource }: Provider): Record<string, string> {
  return resource === null ? {} : { resource, audience: resource };
}

function redirectUri(): string {
  return `${location.origin}${BASE_PATH}/`;
}
