import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import type { KeySet } from '../../../src/auth/tokens/key-set.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { everybodyWithoutRoles } from '../../support/caller-rows.ts';
import { AUDIENCE, startIdentityProvider } from '../../support/identity-provider.ts';
import { waitUntil } from '../../support/wait-until.ts';

const COOL_DOWN = 30_000;
const REFRESH_AFTER = 300_000;
/** Between two fetches while no key is known, and after one that failed. */
const WITHOUT_KEYS = 5_000;
const DISCOVERY = '/.well-known/openid-configuration';

const provider = await startIdentityProvider();
after(() => provider[Symbol.asyncDispose]());

/** Who is let in gets as far as to be told that a role is missing. */
const query = everybodyWithoutRoles;

const build = (settings = provider.settings) => buildBareApp({ query, settings });
const keysOf = ({ context }: BareApp): KeySet => context.identityProvider?.keys ?? assert.fail();
const token = async () => (await provider.signIn({ sub: 'ana' })).accessToken;
const ready = ({ app }: BareApp) => app.inject('/readyz');

/** `in`, `out`, or the status of any other answer. */
async function knock({ app }: BareApp, bearer: string): Promise<'in' | 'out' | number> {
  const headers = { authorization: `Bearer ${bearer}` };
  const { statusCode } = await app.inject({ url: '/api/companies/list', headers });
  return statusCode === 403 ? 'in' : statusCode === 401 ? 'out' : statusCode;
}

/** Takes the clock and the repeating timers into the test's hands: gives what lets time pass, in milliseconds. */
function holdTime({ mock }: TestContext): (milliseconds: number) => void {
  mock.timers.enable({ apis: ['Date', 'setInterval'], now: Date.now() });
  return (milliseconds) => mock.timers.tick(milliseconds);
}

function takeDown(t: TestContext): void {
  provider.isDown = true;
  t.after(() => {
    provider.isDown = false;
  });
}

describe('the keys of an identity provider', () => {
  it('the keys of a provider are fetched once, however many requests are waiting', async () => {
    const [before, discoveries] = [provider.requestsOf('/jwks'), provider.requestsOf(DISCOVERY)];
    const one = await token();
    await using service = await build();
    const answers = await Promise.all(Array.from({ length: 20 }, () => knock(service, one)));
    assert.deepEqual(new Set(answers), new Set(['in']));
    assert.deepEqual([provider.requestsOf('/jwks'), provider.requestsOf(DISCOVERY)], [before + 1, discoveries + 1]);
  });

  it('the keys of a provider are fetched from JWKS_URL without discovery', async () => {
    const { issuer } = provider;
    const before = provider.requestsOf(DISCOVERY);
    const settings = { JWKS_URL: `${issuer}/jwks`, TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, JWT_SECRET: '' };
    await using service = await build(settings);
    assert.equal(await knock(service, await token()), 'in');
    await using other = await build({ ...settings, TOKEN_ISSUER: `${issuer}/` });
    assert.equal(await knock(other, await token()), 'out');
    assert.equal(provider.requestsOf(DISCOVERY), before);
  });

  it('new keys of a provider are used without a restart', async (t) => {
    const pass = holdTime(t);
    await using service = await build();
    const old = await token();
    assert.equal(await knock(service, old), 'in');
    await provider.rotateKeys('stays');
    pass(COOL_DOWN);
    assert.equal(await knock(service, await token()), 'in');
    assert.equal(await knock(service, old), 'in');
  });

  it('a token with a key published just after a fetch gets 503 with Retry-After until the next fetch', async (t) => {
    const pass = holdTime(t);
    await using service = await build();
    const old = await token();
    assert.equal(await knock(service, old), 'in');
    await provider.rotateKeys('stays');
    const fresh = await token();
    pass(12_000);
    const headers = { authorization: `Bearer ${fresh}` };
    const refused = await service.app.inject({ url: '/api/companies/list', headers });
    assert.deepEqual(
      [refused.statusCode, refused.json().code, refused.headers['retry-after']],
      [503, 'UNAVAILABLE', '18'],
    );
    assert.equal(await knock(service, old), 'in');
    pass(18_000);
    assert.equal(await knock(service, fresh), 'in');
  });

  it('a token that was accepted gets 401 after the next refresh if its key was removed', async (t) => {
    const pass = holdTime(t);
    await using service = await build();
    const [used, unused] = [await token(), await token()];
    assert.equal(await knock(service, used), 'in');
    const { version } = keysOf(service);
    await provider.rotateKeys('goes');
    pass(REFRESH_AFTER);
    await waitUntil('other keys', () => keysOf(service).version > version);
    assert.deepEqual([await knock(service, used), await knock(service, unused)], ['out', 'out']);
    assert.equal(await knock(service, await token()), 'in');
  });

  it('a flood of tokens with unknown keys causes one fetch per cool-down', async (t) => {
    const pass = holdTime(t);
    await using service = await build();
    const good = await token();
    assert.equal(await knock(service, good), 'in');
    const [head = '', ...rest] = good.split('.');
    const header = JSON.parse(Buffer.from(head, 'base64url').toString());
    const withKey = (kid: string) =>
      [Buffer.from(JSON.stringify({ ...header, kid })).toString('base64url'), ...rest].join('.');
    for (const fetches of [0, 1, 1]) {
      const before = provider.requestsOf('/jwks');
      const flood = Array.from({ length: 100 }, (_, index) => knock(service, withKey(`unknown-${index}`)));
      assert.deepEqual(new Set(await Promise.all(flood)), new Set([fetches === 0 ? 503 : 'out']));
      // It may have been published meanwhile.
      assert.equal(await knock(service, withKey('another')), 503);
      assert.equal(provider.requestsOf('/jwks') - before, fetches);
      pass(COOL_DOWN);
    }
  });

  it('the keys are fetched every five seconds, and no more often, while none is known', async (t) => {
    const pass = holdTime(t);
    const good = await token();
    takeDown(t);
    const before = provider.refused;
    await using service = await build();
    for (const fetches of [1, 2, 3]) {
      const flood = Array.from({ length: 20 }, () => knock(service, good));
      assert.deepEqual(new Set(await Promise.all(flood)), new Set([503]));
      assert.equal(await knock(service, good), 503);
      assert.equal(provider.refused - before, fetches);
      pass(WITHOUT_KEYS);
    }
  });

  it('known keys stay in use while the provider is down, and readiness reports the outage', async (t) => {
    const pass = holdTime(t);
    await using service = await build();
    const [used, unused] = [await token(), await token()];
    assert.equal(await knock(service, used), 'in');
    assert.equal((await ready(service)).json().data.identityProvider, 'up');
    takeDown(t);
    for (let minutes = 0; minutes < 50; minutes += 5) {
      pass(REFRESH_AFTER);
      await waitUntil('a fetch that fails', () => keysOf(service).state === 'unreachable');
      assert.deepEqual([await knock(service, used), await knock(service, unused)], ['in', 'in']);
    }
    const answer = await ready(service);
    assert.deepEqual([answer.statusCode, answer.json().data.identityProvider], [200, 'unreachable']);
    provider.isDown = false;
    // One that failed may be in flight still: the next one comes after it.
    await waitUntil('a fetch that succeeds', () => {
      pass(COOL_DOWN);
      return keysOf(service).state === 'up';
    });
    assert.equal((await ready(service)).json().data.identityProvider, 'up');
  });

  it('the keys are fetched five seconds after a failed fetch, and readiness reports the success', async (t) => {
    const pass = holdTime(t);
    await using service = await build();
    assert.equal((await ready(service)).json().data.identityProvider, 'up');
    takeDown(t);
    pass(REFRESH_AFTER);
    await waitUntil('a fetch that fails', () => keysOf(service).state === 'unreachable');
    provider.isDown = false;
    pass(WITHOUT_KEYS);
    await waitUntil('a fetch that succeeds', () => keysOf(service).state === 'up');
    assert.equal((await ready(service)).json().data.identityProvider, 'up');
  });

  it('a service that starts without its provider serves the public lists, and tokens later', async (t) => {
    const pass = holdTime(t);
    const good = await token();
    takeDown(t);
    await using service = await build();
    assert.equal((await service.app.inject('/api/countries/list')).statusCode, 200);
    assert.deepEqual([await knock(service, good), await knock(service, 'garbage')], [503, 'out']);
    const answer = await ready(service);
    assert.deepEqual([answer.statusCode, answer.json().code], [503, 'UNAVAILABLE']);
    assert.match(answer.json().message, /identityProvider no-keys/);
    assert.match(String(answer.headers['retry-after']), /^\d+$/);
    provider.isDown = false;
    pass(WITHOUT_KEYS);
    assert.equal(await knock(service, good), 'in');
    assert.equal((await ready(service)).statusCode, 200);
  });
});
