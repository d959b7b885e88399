import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';

export const CLIENT = 'console';
export const CALLBACK = 'https://console.example/callback';

/**
 * Signs in at a provider by the authorization code flow with PKCE (RFC 7636), as a browser and a public client do together: follows the
 * redirects with their cookies up to the callback, then exchanges the code.
 */
export async function signInByCode(
  issuer: string,
  loginHint: string,
  resource: string,
): Promise<{ accessToken: string; idToken: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const code = await authorize(issuer, {
    client_id: CLIENT,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email',
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: loginHint,
  });
  const response = await fetch(endpoint(issuer, 'token'), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT,
      redirect_uri: CALLBACK,
      code,
      code_verifier: verifier,
      resource,
    }),
  });
  const tokens = (await response.json()) as { access_token?: string; id_token?: string };
  assert.ok(tokens.access_token && tokens.id_token, JSON.stringify(tokens));
  return { accessToken: tokens.access_token, idToken: tokens.id_token };
}

/** Endpoints are below the issuer, whether it ends with a slash or not. */
function endpoint(issuer: string, name: string): string {
  return `${issuer.replace(/\/$/, '')}/${name}`;
}

async function authorize(issuer: string, parameters: Record<string, string>): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(`?${new URLSearchParams(parameters)}`, endpoint(issuer, 'auth'));
  for (let steps = 0; steps < 5; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    assert.ok(location, `${url.pathname} answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
    if (`${url.origin}${url.pathname}` === CALLBACK) {
      return url.searchParams.get('code') ?? assert.fail(`No code: ${url.search}`);
    }
  }
  assert.fail('The sign-in does not come to its end');
}
