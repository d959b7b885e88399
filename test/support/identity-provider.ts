import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mock } from 'node:test';
import type { Configuration, JWK, Provider } from 'oidc-provider';
import { listenOnLoopback } from './loopback-server.ts';
import { CALLBACK, CLIENT, signInByCode } from './sign-in-by-code.ts';

/** `aud` of tokens for the service. */
export const AUDIENCE = 'https://orgdesk.example/api';

/** Who signs in. All of it stands in the access token. */
export interface Account {
  sub: string;
  [claim: string]: unknown;
}

/** A real OpenID provider in this process. It signs in whoever a request names by a hint; without one it shows a page that asks. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly client: string;
  /** Sets the service up with it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Signs in and gives the tokens; the access token is a JWT for the audience. */
  signIn(account: Account, audience?: string): Promise<{ accessToken: string; idToken: string }>;
  /** Makes an account that its page signs in. */
  addAccount(account: Account): void;
  /** Whether it gives refresh tokens, each good for one use. */
  givesRefreshTokens: boolean;
  /** Signs with a new key from now on; the one before stays published, or not. */
  rotateKeys(before: 'stays' | 'goes'): Promise<void>;
  /** Whether each connection is cut off, and how many requests were. */
  isDown: boolean;
  readonly refused: number;
  /** How often a path has been asked for. */
  requestsOf(path: string): number;
  /** What the userinfo endpoint answers, and the tokens that it was sent. */
  readonly userinfo: { answer: unknown; jwt?: string | undefined; readonly tokens: string[] };
}

/** How the provider of a vendor differs. */
export interface VendorBehaviour {
  /** The path of its issuer, with a slash at the end if the issuer has one; absent: none. */
  path?: string;
  /** Whether its access tokens are no JWTs. */
  isOpaque?: boolean;
  /** The claims of access tokens that are its own, `aud` among them. */
  claims?: object;
}

/**
 * @param callbacks where else than to {@link CALLBACK} its client may lead back
 * @param vendor its own ways
 */
export async function startIdentityProvider(
  callbacks: readonly string[] = [],
  vendor: VendorBehaviour = {},
): Promise<TestProvider> {
  const accounts = new Map<string, Account>();
  const requests = new Map<string, number>();
  const userinfo: TestProvider['userinfo'] = { answer: {}, tokens: [] };
  let keys = [newKey()];
  let isDown = false;
  let refused = 0;

  const server = createServer(async (request, response) => {
    if (isDown) {
      refused++;
      request.socket.destroy();
      return;
    }
    if (mount !== '' && request.url?.startsWith(mount)) {
      // As frameworks do for what they mount below a path.
      Object.assign(request, { originalUrl: request.url, url: request.url.slice(mount.length) });
    }
    const path = new URL(request.url ?? '', issuer).pathname;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    if (path.startsWith('/sign-in/')) return logIn(request, response);
    // The provider's own endpoint refuses tokens for another audience.
    if (path === '/me') return answerUserinfo(request, response);
    return provider.callback()(request, response);
  });
  const listening = await listenOnLoopback(server);
  const { path: below = '' } = vendor;
  const issuer = listening.url + below;
  const mount = below.replace(/\/$/, '');
  const settings = { accounts, callbacks: [CALLBACK, ...callbacks], givesRefreshTokens: false, vendor };
  let provider = await buildProvider(issuer, keys, settings);

  async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const form =
      request.method === 'POST' ? new URLSearchParams(String(Buffer.concat(await request.toArray()))) : undefined;
    const account = form?.get('account') ?? subjectOf(params.login_hint);
    if (form?.has('cancel')) {
      const result = { error: 'access_denied', error_description: form.get('reason') ?? '' };
      await provider.interactionFinished(request, response, result);
    } else if (typeof account === 'string') {
      await provider.interactionFinished(request, response, { login: { accountId: account } });
    } else {
      response.setHeader('content-type', 'text/html').end(SIGN_IN_PAGE);
    }
  }

  /** The account that a hint names, by its subject or its address. */
  function subjectOf(hint: unknown): string | undefined {
    return [...accounts.values()].find(({ sub, email }) => sub === hint || email === hint)?.sub;
  }

  function answerUserinfo(request: IncomingMessage, response: ServerResponse): void {
    userinfo.tokens.push(String(request.headers.authorization));
    const { jwt } = userinfo;
    response.setHeader('content-type', jwt === undefined ? 'application/json' : 'application/jwt');
    response.end(jwt ?? JSON.stringify(userinfo.answer));
  }

  return {
    issuer,
    client: CLIENT,
    settings: { OIDC_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, JWT_SECRET: '' },
    userinfo,
    get isDown() {
      return isDown;
    },
    set isDown(down) {
      isDown = down;
    },
    get refused() {
      return refused;
    },
    requestsOf: (path) => requests.get(path) ?? 0,
    async rotateKeys(before) {
      keys = [newKey(), ...(before === 'stays' ? keys : [])];
      provider = await buildProvider(issuer, keys, settings);
    },
    addAccount: (account) => void accounts.set(account.sub, account),
    get givesRefreshTokens() {
      return settings.givesRefreshTokens;
    },
    set givesRefreshTokens(gives) {
      settings.givesRefreshTokens = gives;
    },
    signIn(account, audience = AUDIENCE) {
      accounts.set(account.sub, account);
      return signInByCode(issuer, account.sub, audience);
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>Provider</title><form method="post">
<label>Account <input name="account"></label> <button>Continue</button>
<label>Reason <input name="reason"></label> <button name="cancel">Cancel</button></form></html>`;

interface Behaviour {
  accounts: ReadonlyMap<string, Account>;
  callbacks: string[];
  givesRefreshTokens: boolean;
  vendor: VendorBehaviour;
}

let madeKeys = 0;

function newKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'RS256', kid: `key-${++madeKeys}` };
}

async function buildProvider(issuer: string, keys: JWK[], behaviour: Behaviour): Promise<Provider> {
  const { accounts, callbacks, vendor } = behaviour;
  // It warns of what is for development only, such as keeping all in memory.
  const quiet = mock.method(console, 'warn', () => undefined);
  try {
    const { interactionPolicy, Provider } = await import('oidc-provider');
    const policy = interactionPolicy.base();
    policy.get('consent')?.checks.remove('native_client_prompt');
    const configuration: Configuration = {
      jwks: { keys },
      clients: [
        {
          client_id: CLIENT,
          redirect_uris: callbacks,
          // Others may have no address without TLS for tokens in the fragment.
          application_type: 'native',
          response_types: ['code', 'id_token'],
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token', 'implicit'],
        },
      ],
      issueRefreshToken: async () => behaviour.givesRefreshTokens,
      rotateRefreshToken: true,
      cookies: { keys: ['a key of cookies'] },
      findAccount: (_context, accountId) => ({ accountId, claims: () => accounts.get(accountId) ?? assert.fail() }),
      extraTokenClaims: (_context, token) => {
        const { sub: _, ...claims } = accounts.get('accountId' in token ? String(token.accountId) : '') ?? { sub: '' };
        return claims;
      },
      // The console asks for its tokens from its own origin.
      clientBasedCORS: () => true,
      interactions: { policy, url: (_context, { uid }) => `/sign-in/${uid}` },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: false,
      async loadExistingGrant({ oidc }) {
        const { session, params, client } = oidc;
        const grant = new oidc.provider.Grant({
          accountId: String(session?.accountId),
          clientId: String(client?.clientId),
        });
        grant.addOIDCScope('openid email');
        grant.addResourceScope(String(params?.resource), 'api');
        await grant.save();
        return grant;
      },
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, audience) => ({
            audience,
            scope: 'api',
            accessTokenFormat: vendor.isOpaque ? 'opaque' : 'jwt',
          }),
        },
      },
      formats: {
        customizers: {
          jwt: (_context, _token, parts) => void Object.assign(parts.payload, vendor.claims),
        },
      },
      ttl: {
        AccessToken: 3600,
        IdToken: 3600,
        Interaction: 600,
        Session: 600,
        Grant: 600,
        RefreshToken: 600,
      },
    };
    return new Provider(issuer, configuration);
  } finally {
    quiet.mock.restore();
  }
}
