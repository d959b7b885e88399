import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listenOnLoopback } from './loopback-server.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** An identity provider that signs whatever claims a test gives, and publishes its keys. */
export interface SigningProvider extends AsyncDisposable {
  readonly issuer: string;
  /** What its discovery document has besides or instead; undefined leaves a field out. */
  document: Claims;
  /** What userinfo answers. */
  userinfo: Claims;
  /** Whether requests are never answered. */
  isDead: boolean;
  /** Whether connections are broken off. */
  refuses: boolean;
  /** The number of requests that wait for an answer that never comes. */
  readonly held: number;
  /** The paths that were asked for. */
  readonly requests: string[];
  token(claims: Claims): Promise<string>;
}

/** @param audience of its tokens, where the claims name no other one */
export async function startSigningProvider(audience: string): Promise<SigningProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' }];
  const hanging: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    state.requests.push(path);
    if (state.refuses) {
      request.socket.destroy();
      return;
    }
    if (state.isDead) {
      hanging.push(response);
      return;
    }
    const discovery = {
      issuer: state.issuer,
      jwks_uri: `${state.issuer}/keys`,
      userinfo_endpoint: `${state.issuer}/me`,
      authorization_endpoint: `${state.issuer}/auth`,
      token_endpoint: `${state.issuer}/token`,
      ...state.document,
    };
    const answers: Readonly<Record<string, unknown>> = { '/keys': { keys }, '/me': state.userinfo };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path] ?? discovery));
  });
  const listening = await listenOnLoopback(server);
  const state: SigningProvider = {
    issuer: listening.url,
    document: {},
    userinfo: {},
    isDead: false,
    refuses: false,
    get held() {
      return hanging.filter(({ destroyed }) => !destroyed).length;
    },
    requests: [],
    token: (claims) =>
      new SignJWT({ iss: state.issuer, aud: audience, exp: Math.floor(Date.now() / 1000) + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: keys[0]?.kid ?? '', typ: 'JWT' })
        .sign(privateKey),
    async [Symbol.asyncDispose]() {
      for (const response of hanging) response.destroy();
      await listening[Symbol.asyncDispose]();
    },
  };
  return state;
}
