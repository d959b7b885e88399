import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'https://orgdesk.example/api';
export const CLIENT_ID = 'orgdesk-console';

/** A provider that signs in one person at once, by code with PKCE as a public client in a browser does it. */
export async function startProvider(email: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  const challenges = new Map<string, string>();

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', issuer);
    const json = (value: unknown, status = 200) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        .end(JSON.stringify(value));
    if (url.pathname === '/keys') return json({ keys: [key] });
    if (url.pathname === '/auth') {
      const code = randomUUID();
      challenges.set(code, url.searchParams.get('code_challenge') ?? '');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      back.searchParams.set('iss', issuer);
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (challenges.get(form.get('code') ?? '') !== challenge) return json({ error: 'invalid_grant' }, 400);
      challenges.delete(form.get('code') ?? '');
      const token = new SignJWT({ email, email_verified: true }).setProtectedHeader({
        alg: 'RS256',
        kid: 'one',
        typ: 'at+jwt',
      });
      token
        .setIssuer(issuer)
        .setAudience(form.get('resource') ?? '')
        .setSubject('somebody');
      return json({ access_token: await token.setIssuedAt().setExpirationTime('1h').sign(privateKey) });
    }
    return json({
      issuer,
      jwks_uri: `${issuer}/keys`,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, TOKEN_AUDIENCE: AUDIENCE },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
