import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, describe, it, type TestContext } from 'node:test';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { everybodyWithoutRoles } from '../../support/caller-rows.ts';
import { collectLog } from '../../support/collect-log.ts';
import { startKeyServer } from '../../support/key-server.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { makeToken, providerMaker } from '../../support/token-makers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const COOL_DOWN = 30_000;
const AUDIENCE = 'https://orgdesk.example/api';
const FAR_ISSUER = 'https://id.example/realm';

const server = await startKeyServer({});
after(() => server[Symbol.asyncDispose]());
const elsewhere = await startKeyServer({ keys: [] });
after(() => elsewhere[Symbol.asyncDispose]());

const maker = providerMaker(server.url, AUDIENCE);
const good = { keys: [maker.jwk] };
const jwksUrl = `${server.url}/keys`;
const settings = { JWT_SECRET: '', TOKEN_AUDIENCE: AUDIENCE };
const byKeys = { ...settings, JWKS_URL: jwksUrl, TOKEN_ISSUER: server.url };
const byDiscovery = { ...settings, OIDC_ISSUER: server.url };

const query = everybodyWithoutRoles;

async function knock({ app }: BareApp, token = makeToken(maker)): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.inject({ url: '/api/companies/list', headers })).statusCode;
}

const stateOf = ({ context }: BareApp) => context.identityProvider?.keys.state;
const text =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

/** What is no set of keys, and so must leave the one that is known in use. */
const NO_KEYS: Readonly<Record<string, unknown>> = {
  'an error': text(500, JSON.stringify({ keys: [] })),
  'another success': text(203, JSON.stringify({ keys: [] })),
  'a redirect': text(302, '', { location: `${elsewhere.url}/keys` }),
  'a permanent redirect': text(308, '', { location: `${elsewhere.url}/keys` }),
  'no JSON': text(200, '<html>'),
  'half of it': text(200, JSON.stringify(good).slice(0, -3)),
  nothing: text(200, ''),
  'a list': [maker.jwk],
  'no keys': {},
  'keys that are no list': { keys: { one: maker.jwk } },
  'keys that are no objects': { keys: ['one'] },
  'more than 256 KiB': { keys: [], more: 'x'.repeat(300_000) },
  'bytes without an end': (_request: IncomingMessage, response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '.repeat(50_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
  'nothing in time': () => undefined,
  'half an answer in time': (_request: IncomingMessage, response: ServerResponse) => void response.write('{"keys":'),
};

/** Makes the time limit of an outward request a short one. */
function hurry({ mock }: TestContext): void {
  const timeout = AbortSignal.timeout;
  mock.method(AbortSignal, 'timeout', (milliseconds: number) => timeout(milliseconds / 50));
}

describe('a provider that returns no keys', () => {
  for (const [what, answer] of Object.entries(NO_KEYS)) {
    it(`a provider that returns ${what} leaves the known keys in use`, async (t) => {
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
      server.answer = good;
      await using service = await buildBareApp({ query, settings: byKeys });
      assert.equal(await knock(service), 403);
      hurry(t);
      server.answer = answer;
      t.mock.timers.tick(COOL_DOWN);
      assert.equal(await knock(service, makeToken(maker, { ...maker.header, kid: 'unknown' })), 503);
      assert.equal(stateOf(service), 'unreachable');
      assert.equal(await knock(service), 403);
      assert.deepEqual(elsewhere.requests, []);
    });
  }

  for (const [what, key] of Object.entries({
    'a key of another kind': { kty: 'EC', crv: 'P-256', kid: 'one', x: 'AA', y: 'AA' },
    'a shared secret': { kty: 'oct', kid: 'one', k: 'c2VjcmV0', alg: 'HS256' },
    'a key for another algorithm': { ...maker.jwk, alg: 'RS512' },
    'a key for encryption': { ...maker.jwk, use: 'enc' },
    'a key without its modulus': { ...maker.jwk, n: undefined },
    'no key at all': undefined,
  })) {
    it(`tokens get 401 and readiness reports no keys if the provider returns ${what}`, async () => {
      server.answer = { keys: key === undefined ? [] : [key] };
      await using service = await buildBareApp({ query, settings: byKeys });
      assert.equal(await knock(service), 401);
      const ready = await service.app.inject('/readyz');
      assert.equal(ready.statusCode, 503);
      assert.match(ready.json().message, /identityProvider no-keys/);
    });
  }
});

describe('a silent provider', () => {
  it('a provider that does not answer delays the start by one second and the stop not at all', async (t) => {
    server.answer = () => undefined;
    server.requests.length = 0;
    t.mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
    using clock = manualClock(t);
    let hasStarted = false;
    const starting = buildBareApp({ query, settings: byKeys }).finally(() => {
      hasStarted = true;
    });
    await waitUntil('the provider to be asked', () => server.requests.length > 0);
    await clock.pass(999);
    assert.equal(hasStarted, false);
    await clock.pass(1);
    await using service = await starting;
    assert.equal((await service.app.inject('/api/countries/list')).statusCode, 200);
    assert.equal((await service.app.inject('/readyz')).statusCode, 503);
  });
});

describe('discovery of a provider', () => {
  after(() => assert.deepEqual(elsewhere.requests, []));
  const discovered = (document: object) => (request: IncomingMessage, response: ServerResponse) => {
    const isKeys = request.url === '/keys';
    response.end(JSON.stringify(isKeys ? good : { issuer: server.url, jwks_uri: jwksUrl, ...document }));
  };

  it('discovery of a provider leads to its keys', async () => {
    server.answer = discovered({});
    server.requests.length = 0;
    await using service = await buildBareApp({ query, settings: byDiscovery });
    assert.equal(await knock(service), 403);
    assert.deepEqual(server.requests, ['/.well-known/openid-configuration', '/keys']);
  });

  for (const [what, document] of Object.entries({
    'of another issuer': { issuer: elsewhere.url },
    'of the issuer in another writing': { issuer: `${server.url}/` },
    'without an issuer': { issuer: undefined },
    'without an address of keys': { jwks_uri: undefined },
    'with a list of addresses': { jwks_uri: [jwksUrl] },
    'with an address of keys that is no address': { jwks_uri: '/keys' },
    'with a file as its keys': { jwks_uri: 'file:///etc/passwd' },
    'with plain http to another machine': { jwks_uri: 'http://192.0.2.1/keys' },
    'with a password': { jwks_uri: jwksUrl.replace('//', '//user:word@') },
  })) {
    it(`a discovery document ${what} is not followed`, async () => {
      server.answer = discovered(document);
      server.requests.length = 0;
      await using service = await buildBareApp({ query, settings: byDiscovery });
      assert.equal(await knock(service), 503);
      assert.deepEqual(server.requests, ['/.well-known/openid-configuration']);
    });
  }

  it('discovery of a remote issuer follows no local address and sends no token over plain http', async (t) => {
    const far = providerMaker(FAR_ISSUER, AUDIENCE);
    const requested: string[] = [];
    const documents: Record<string, object> = {};
    t.mock.method(globalThis, 'fetch', async (url: URL) => {
      requested.push(url.href);
      return new Response(JSON.stringify(documents[url.href]), { status: url.href in documents ? 200 : 404 });
    });
    const discovery = `${FAR_ISSUER}/.well-known/openid-configuration`;
    const [keys, userinfo] = ['https://keys.example/all', 'https://id.example/me'];
    const unlinked = async <Row>() => [] as Row[];
    documents[keys] = { keys: [far.jwk] };
    for (const [document, expected] of [
      [{ jwks_uri: jwksUrl }, [discovery]],
      [{ jwks_uri: keys, userinfo_endpoint: userinfo }, [discovery, keys, userinfo]],
      [{ jwks_uri: keys, userinfo_endpoint: 'https://me.example/me' }, [discovery, keys, 'https://me.example/me']],
      [{ jwks_uri: keys, userinfo_endpoint: 'http://id.example/me' }, [discovery, keys]],
      [{ jwks_uri: keys, userinfo_endpoint: `${server.url}/me` }, [discovery, keys]],
    ] as const) {
      requested.length = 0;
      documents[discovery] = { issuer: FAR_ISSUER, ...document };
      const far_settings = { ...settings, OIDC_ISSUER: FAR_ISSUER };
      await using service = await buildBareApp({ query: unlinked, settings: far_settings });
      await knock(service, makeToken(far));
      await waitUntil('the last question', () => requested.length >= expected.length);
      assert.deepEqual(requested, expected);
    }
  });
});

describe('the log', () => {
  it('the log states the fault of the provider and contains no part of a token', async () => {
    const { log, lines } = collectLog();
    const discovery = { issuer: server.url, jwks_uri: jwksUrl, userinfo_endpoint: `${server.url}/me` };
    server.answer = (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/me') return response.writeHead(500).end(request.headers.authorization);
      return response.end(JSON.stringify(request.url === '/keys' ? good : discovery));
    };
    const unlinked = async <Row>() => [] as Row[];
    await using service = await buildBareApp({
      query: unlinked,
      log,
      settings: { ...byDiscovery, LOG_LEVEL: 'trace' },
    });
    const token = makeToken(maker);
    assert.equal(await knock(service, token), 401);
    assert.equal(await knock(service, `${token}x`), 401);
    await waitUntil(
      'two requests in the log',
      () => lines.filter(({ path }) => path === '/api/companies/list').length >= 2,
    );
    const text = JSON.stringify(lines);
    assert.match(text, /\/me answered with the status 500/);
    for (const part of token.split('.')) assert.ok(!text.includes(part), 'a part of the token is in the log');
  });
});
