import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { assertRefused, type ErrorBody } from '../../support/answers.ts';
import { type BareApp, buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, exchange, type RawAnswer, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const COUNTRIES = '/api/countries/list';
/** Behind a proxy on this machine, so that callers can come from anywhere. */
const PROXY = { TRUST_PROXY: '127.0.0.1' };

function ask({ app }: BareApp, from: string, url = COUNTRIES): Promise<LightMyRequestResponse> {
  return app.inject({ url, headers: { 'x-forwarded-for': from } });
}

function assertTooMany(answer: LightMyRequestResponse): void {
  assert.equal(answer.statusCode, 429);
  assert.equal(answer.json<ErrorBody>().code, 'TOO_MANY_REQUESTS');
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
}

describe('the rate limit of the public lists', () => {
  it('the rate limit of the public lists counts each address separately, over all lists and methods', async () => {
    await using bare = await buildBareApp({ settings: { ...PROXY, RATE_LIMIT_PUBLIC: '3' } });
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    assert.equal((await ask(bare, '192.0.2.1')).statusCode, 200);
    assert.equal((await ask(bare, '192.0.2.1', '/api/states/list?isPaginationNeeded=true')).statusCode, 200);
    assert.equal((await bare.app.inject({ method: 'POST', url: '/api/cities/list', headers })).statusCode, 200);
    assertTooMany(await ask(bare, '192.0.2.1'));
    assertTooMany(await ask(bare, '192.0.2.1', '/api/states/list?isPaginationNeeded=true'));
    assert.equal((await ask(bare, '192.0.2.2')).statusCode, 200);
  });

  it('the rate limit of the public lists returns the remaining quota and the limit with each response', async () => {
    await using bare = await buildBareApp({ settings: { ...PROXY, RATE_LIMIT_PUBLIC: '3' } });
    for (const [remaining, status] of [
      [2, 200],
      [1, 200],
      [0, 200],
      [0, 429],
    ]) {
      const { headers, statusCode } = await ask(bare, '192.0.2.1');
      assert.equal(statusCode, status);
      assert.equal(headers['ratelimit-policy'], '"public";q=3;w=60');
      const [, left, seconds] = /^"public";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? [];
      assert.equal(left, String(remaining));
      assert.ok(Number(seconds) >= 1 && Number(seconds) <= 120, `${seconds} s`);
      if (status === 429) assert.equal(seconds, headers['retry-after']);
    }
    await using unlimited = await buildBareApp({ settings: { ...PROXY, RATE_LIMIT_PUBLIC: '0' } });
    assert.equal((await ask(unlimited, '192.0.2.1')).headers['ratelimit-policy'], undefined);
  });

  it('the rate limit of the public lists counts the addresses of one IPv6 network together', async () => {
    await using bare = await buildBareApp({ settings: { ...PROXY, RATE_LIMIT_PUBLIC: '1' } });
    assert.equal((await ask(bare, '2001:db8:1:2::1')).statusCode, 200);
    assertTooMany(await ask(bare, '2001:db8:1:2::2'));
    assert.equal((await ask(bare, '2001:db8:1:3::1')).statusCode, 200);
  });

  it('the rate limit of the public lists is off at 0, and on this machine without a trusted proxy', async () => {
    await using unlimited = await buildBareApp({ settings: { ...PROXY, RATE_LIMIT_PUBLIC: '0' } });
    await using local = await buildBareApp({ settings: { RATE_LIMIT_PUBLIC: '1' } });
    for (let time = 0; time < 3; time++) {
      assert.equal((await ask(unlimited, '192.0.2.1')).statusCode, 200);
      assert.equal((await ask(local, '192.0.2.1')).statusCode, 200);
    }
    const far = await local.app.inject({ url: COUNTRIES, remoteAddress: '192.0.2.1' });
    assert.equal(far.statusCode, 200);
    assertTooMany(await local.app.inject({ url: COUNTRIES, remoteAddress: '192.0.2.1' }));
  });
});

describe('the rate limits behind tokens', () => {
  const PROFILE = '/api/users/profile';
  const USERS = ['11111111-2222-4333-8444-555555555555', '11111111-2222-4333-8444-666666666666'] as const;
  const call = ({ app }: BareApp, token: string, from: string) =>
    app.inject({ url: PROFILE, headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from } });

  it('the rate limit of users counts each request with a token before a database query', async () => {
    let queries = 0;
    const query = async () => {
      queries++;
      return [];
    };
    await using bare = await buildBareApp({ query, settings: { ...PROXY, RATE_LIMIT_USER: '2' } });
    const [first = '', second = ''] = await Promise.all(USERS.map((user) => bare.context.signToken(user, 60)));
    // Nobody is in this database.
    for (const from of ['192.0.2.1', '192.0.2.2']) assertRefused(await call(bare, first, from), 401, 'INVALID_TOKEN');
    assertTooMany(await call(bare, first, '192.0.2.3'));
    assert.equal(queries, 2);
    assertRefused(await call(bare, second, '192.0.2.3'), 401, 'INVALID_TOKEN');
  });

  it('the rate limit of bad tokens counts each address separately and ignores requests without a token', async () => {
    await using bare = await buildBareApp({ settings: { ...PROXY, RATE_LIMIT_BAD_TOKENS: '2' } });
    for (const token of ['a.b.c', 'nonsense'])
      assertRefused(await call(bare, token, '192.0.2.1'), 401, 'INVALID_TOKEN');
    assertTooMany(await call(bare, 'a.b.d', '192.0.2.1'));
    assertRefused(await call(bare, 'a.b.c', '192.0.2.2'), 401, 'INVALID_TOKEN');
    const without = await bare.app.inject({ url: PROFILE, headers: { 'x-forwarded-for': '192.0.2.1' } });
    assertRefused(without, 401, 'AUTHENTICATION_REQUIRED');
  });
});

describe('the bound on requests in flight', () => {
  it('a request beyond the maximum in flight gets 503, and one after another has ended is admitted', async () => {
    const waiting: (() => void)[] = [];
    const query = () => new Promise<never[]>((resolve) => waiting.push(() => resolve([])));
    await using bare = await buildBareApp({ query, settings: { MAX_REQUESTS_UNDER_WAY: '2' } });
    const authorization = `Bearer ${await bare.context.signToken('11111111-2222-4333-8444-555555555555', 60)}`;
    const ask = () => bare.app.inject({ url: '/api/users/profile', headers: { authorization } });

    // One after the other: those that come together wait for one statement.
    const under = [ask()];
    await waitUntil('the first to wait', () => waiting.length === 1);
    under.push(ask());
    await waitUntil('both to wait', () => waiting.length === 2);
    const refused = await ask();
    assertRefused(refused, 503, 'OVERLOADED');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(
      (await bare.app.inject(`${COUNTRIES}?isPaginationNeeded=true`)).statusCode,
      200,
      'pages need no waiting',
    );
    for (const end of waiting) end();
    for (const answer of under) assertRefused(await answer, 401, 'INVALID_TOKEN');
    const next = ask();
    await waitUntil('the next to wait', () => waiting.length === 3);
    waiting[2]?.();
    assertRefused(await next, 401, 'INVALID_TOKEN');
  });

  it('a caller that disconnects before the response leaves no slot in use', async () => {
    const waiting: (() => void)[] = [];
    const query = () => new Promise<never[]>((resolve) => waiting.push(() => resolve([])));
    await using bare = await buildBareApp({ query, settings: { MAX_REQUESTS_UNDER_WAY: '1' } });
    const port = await listenLocally(bare.app);
    const token = await bare.context.signToken('11111111-2222-4333-8444-555555555555', 60);
    const request = requestText('GET /api/users/profile', [`Authorization: Bearer ${token}`]);
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    await waitUntil('the first to wait', () => waiting.length === 1);
    assertErrorForm(await exchange(port, request), 503, 'OVERLOADED');
    socket.destroy();
    let answer: Promise<RawAnswer>;
    do {
      answer = exchange(port, request);
      await Promise.race([answer, waitUntil('another to be let in', () => waiting.length === 2)]);
    } while (waiting.length < 2);
    for (const end of waiting) end();
    assertErrorForm(await answer, 401, 'INVALID_TOKEN');
  });
});
