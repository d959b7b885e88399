import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { type BareApp, type BareAppOptions, buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { everybodyWithoutRoles, ownersAsked } from '../../support/caller-rows.ts';
import { forgeries } from '../../support/forgeries.ts';
import { startKeyServer } from '../../support/key-server.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';
import { exchange, requestText } from '../../support/raw-http.ts';
import { makeToken, providerMaker } from '../../support/token-makers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const COOL_DOWN = 30_000;
const AUDIENCE = 'https://orgdesk.example/api';
const LIST = '/api/companies/list';

const server = await startKeyServer({});
after(() => server[Symbol.asyncDispose]());
const maker = providerMaker(server.url, AUDIENCE);
const rotated = providerMaker(server.url, AUDIENCE);
const newKey = { ...rotated.jwk, kid: 'two' };
const settings = { JWT_SECRET: '', TOKEN_AUDIENCE: AUDIENCE, JWKS_URL: `${server.url}/keys`, TOKEN_ISSUER: server.url };
/** Callers come from anywhere, by way of a proxy on this machine. */
const behindProxy = { ...settings, TRUST_PROXY: '127.0.0.1', RATE_LIMIT_BAD_TOKENS: '2' };

let made = 0;
/** Each is another one, and so none is remembered. */
const good = () => makeToken(maker, maker.header, { ...maker.claims, jti: ++made });
const ofNewKey = () => makeToken(rotated, { ...rotated.header, kid: 'two' }, { ...rotated.claims, jti: ++made });
const unknown = () => makeToken(maker, { ...maker.header, kid: `unknown-${++made}` });

/** The service, when it has the first key and may ask anew, and its provider has fallen silent. */
async function buildBeforeSilence(t: TestContext, options: BareAppOptions): Promise<BareApp & { clock: ManualClock }> {
  const clock = stopTime(t);
  server.answer = { keys: [maker.jwk] };
  const service = await buildBareApp({ query: everybodyWithoutRoles, ...options });
  await waitUntil('its key', async () => (await knock(service, good())) === 403);
  await clock.pass(COOL_DOWN);
  server.requests.length = 0;
  server.answer = () => undefined;
  return { ...service, clock };
}

/** Lets time pass by hand alone, to the end of the test. What is asked of a provider is not given up by itself. */
function stopTime(t: TestContext): ManualClock {
  t.mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
  const clock = manualClock(t);
  t.after(() => clock[Symbol.dispose]());
  return clock;
}

/** The status of an answer: 403 where the token is taken, as everybody is without a role. */
async function knock({ app }: BareApp, token: string, from = '192.0.2.1'): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
  return (await app.inject({ url: LIST, headers })).statusCode;
}

/** Sends so many requests at once; `answered` says how many have been so far. */
function startFlood(number: number, one: () => Promise<number>): { answered: number; statuses: Promise<Set<number>> } {
  const flood = { answered: 0, statuses: Promise.resolve(new Set<number>()) };
  const all = Array.from({ length: number }, () => one().finally(() => flood.answered++));
  flood.statuses = Promise.all(all).then((statuses) => new Set(statuses));
  return flood;
}

describe('while the identity provider does not answer', () => {
  it('a flood of unknown keys at a silent provider delays neither good tokens nor the public lists', async (t) => {
    await using service = await buildBeforeSilence(t, { settings: { ...settings, MAX_REQUESTS_UNDER_WAY: '5' } });
    const flood = startFlood(30, () => knock(service, unknown()));
    await waitUntil('the provider to be asked', () => server.requests.length > 0);
    for (let time = 0; time < 5; time++) {
      assert.equal(await knock(service, good()), 403);
      assert.equal((await service.app.inject('/api/countries/list')).statusCode, 200);
    }
    await service.clock.pass(999);
    assert.equal(flood.answered, 0);
    await service.clock.pass(1);
    assert.deepEqual(await flood.statuses, new Set([503]));
    // Nobody waits for it again: no time passes.
    const late = await service.app.inject({ url: LIST, headers: { authorization: `Bearer ${unknown()}` } });
    assert.deepEqual([late.statusCode, late.headers['retry-after']], [503, '5']);
    assert.equal(server.requests.length, 1);
  });

  it('a key that the provider returns late is used, even if no request is waiting', async (t) => {
    const silent: ServerResponse[] = [];
    await using service = await buildBeforeSilence(t, { settings });
    server.answer = (_: unknown, response: ServerResponse) => silent.push(response);
    const given = knock(service, ofNewKey());
    await waitUntil('the provider to be asked', () => silent.length === 1);
    await service.clock.pass(1_000);
    assert.equal(await given, 503);
    for (const response of silent) response.end(JSON.stringify({ keys: [maker.jwk, newKey] }));
    await waitUntil('the new key', async () => (await knock(service, ofNewKey())) === 403);
    assert.equal(await knock(service, good()), 403);
    assert.equal(server.requests.length, 1);
  });

  it('a caller that disconnects before its key is fetched leaves no slot in use', async (t) => {
    const silent: ServerResponse[] = [];
    await using service = await buildBeforeSilence(t, { settings: { ...settings, MAX_REQUESTS_UNDER_WAY: '1' } });
    server.answer = (_: unknown, response: ServerResponse) => silent.push(response);
    const port = await listenLocally(service.app);
    const request = () => requestText(`GET ${LIST}`, [`Authorization: Bearer ${ofNewKey()}`]);
    const socket = connect(port, '127.0.0.1', () => socket.write(request()));
    await waitUntil('the provider to be asked', () => silent.length === 1);
    socket.destroy();
    const connections = () => new Promise<number>((resolve) => service.app.server.getConnections((_, n) => resolve(n)));
    await waitUntil('the caller to be gone', async () => (await connections()) === 0);
    silent[0]?.end(JSON.stringify({ keys: [newKey] }));
    await waitUntil('the new key', () => service.context.identityProvider?.keys.version === 2);
    for (let time = 0; time < 3; time++) assert.equal((await exchange(port, request())).status, 403);
  });
});

describe('bad tokens', () => {
  it('bad tokens beyond the limit get 429 without a wait and without a request to the provider', async (t) => {
    await using service = await buildBeforeSilence(t, { settings: behindProxy });
    for (const token of ['garbage', 'a.b.c']) assert.equal(await knock(service, token), 401);
    assert.deepEqual(await startFlood(20, () => knock(service, unknown())).statuses, new Set([429]));
    assert.deepEqual(server.requests, []);
    assert.equal(await knock(service, good()), 403, 'a good token from the same address');
    server.answer = { keys: [maker.jwk, newKey] };
    assert.equal(await knock(service, ofNewKey(), '192.0.2.2'), 403, 'a new key from another address');
  });

  it('each bad token counts once, with or without a request to the provider', async (t) => {
    await using service = await buildBeforeSilence(t, { settings: behindProxy });
    server.answer = { keys: [maker.jwk] };
    assert.deepEqual([await knock(service, unknown()), await knock(service, unknown())], [401, 503]);
    assert.equal(await knock(service, unknown()), 429);
    assert.equal(server.requests.length, 1);
  });

  it('a bad token takes no slot of the requests in flight', async (t) => {
    const waiting: (() => void)[] = [];
    let isSlow = false;
    const query: typeof everybodyWithoutRoles = async (statement) => {
      if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
      return everybodyWithoutRoles(statement);
    };
    const bounded = { ...settings, MAX_REQUESTS_UNDER_WAY: '1' };
    await using service = await buildBeforeSilence(t, { query, settings: bounded });
    server.answer = { keys: [maker.jwk] };
    isSlow = true;
    const inFlight = knock(service, good());
    await waitUntil('the one slot to be taken', () => waiting.length === 1);
    assert.equal(await knock(service, good()), 503);
    for (const token of ['garbage', unknown(), `${good().slice(0, -8)}AAAAAAAA`]) {
      assert.equal(await knock(service, token), 401);
    }
    for (const end of waiting) end();
    assert.equal(await inFlight, 403);
  });

  it('a token with an unknown key and another fault causes no request to the provider', async (t) => {
    await using service = await buildBeforeSilence(t, { settings });
    server.answer = { keys: [maker.jwk] };
    /** What only the key can tell. */
    const undecided =
      /^(?:another key|other claims under the signature|the signature of another token|half a signature|a (?:truncated|longer) signature|a signature (?:of zeros|with a flipped bit)|kid ".*")$/;
    const all = forgeries({ ...maker, header: { ...maker.header, kid: 'unknown' } }, server.url);
    const decided = all.filter(([what]) => !undecided.test(what));
    assert.deepEqual([decided.length, all.length], [136, 151]);
    for (const [what, token] of decided) {
      assert.equal(await knock(service, token), 401, what);
      assert.deepEqual(server.requests, [], what);
    }
    const [, token = ''] = all.find(([what]) => undecided.test(what)) ?? [];
    assert.equal(await knock(service, token), 401);
    assert.equal(server.requests.length, 1);
  });
});

describe('a userinfo endpoint that does not answer', () => {
  it('few requests wait for a silent userinfo endpoint, for one second, and other callers are served', async (t) => {
    const bound = 60;
    const stranger = (index: number) => makeToken(maker, maker.header, { ...maker.claims, sub: `stranger-${index}` });
    const query: typeof everybodyWithoutRoles = async (statement) =>
      ownersAsked(statement).includes('ana') ? everybodyWithoutRoles(statement) : [];
    const silent: ServerResponse[] = [];
    const discovery = { issuer: server.url, jwks_uri: `${server.url}/keys`, userinfo_endpoint: `${server.url}/me` };
    server.answer = ({ url }: { url: string }, response: ServerResponse) => {
      if (url === '/me') silent.push(response);
      else response.end(JSON.stringify(url === '/keys' ? { keys: [maker.jwk] } : discovery));
    };
    const { JWKS_URL: _, TOKEN_ISSUER: __, ...byDiscovery } = { ...settings, OIDC_ISSUER: server.url };
    const bounded = { ...byDiscovery, MAX_REQUESTS_UNDER_WAY: String(bound) };
    await using service = await buildBareApp({ query, settings: bounded });
    const clock = stopTime(t);
    let index = 0;
    const flood = startFlood(100, () => knock(service, stranger(++index % 75)));
    await waitUntil('the endpoint to be asked', () => silent.length > 0);
    await waitUntil('those for whom there is no room', () => flood.answered > 0);
    for (let time = 0; time < 5; time++) assert.equal(await knock(service, good()), 403);
    assert.ok(flood.answered <= 50);
    await clock.pass(1_000);
    assert.deepEqual(await flood.statuses, new Set([503]));
    assert.ok(silent.length <= 50);
    for (const response of silent) response.end('{}');
    await waitUntil('its answer to be known', async () => (await knock(service, stranger(1))) === 401);
  });
});
