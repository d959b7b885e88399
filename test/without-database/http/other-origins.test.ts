import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { exchange, requestText } from '../../support/raw-http.ts';

const COUNTRIES = '/api/countries/list';

describe('pages of other origins', () => {
  const origin = 'https://app.example';
  const settings = { CORS_ORIGINS: `${origin},http://localhost:5173` };
  const allowed = (answer: LightMyRequestResponse) => answer.headers['access-control-allow-origin'];

  it('a page of a configured origin can read responses and errors of the service', async () => {
    await using bare = await buildBareApp({ settings });
    for (const url of [COUNTRIES, '/api/users/profile', '/api/nothing', `${COUNTRIES}?isPaginationNeeded=x`]) {
      const answer = await bare.app.inject({ url, headers: { origin } });
      assert.equal(allowed(answer), origin, url);
      assert.match(String(answer.headers.vary), /(?:^|, )Origin$/);
      assert.match(String(answer.headers['access-control-expose-headers']), /ETag/);
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
  });

  it('a preflight of a configured origin returns the allowed methods and headers', async () => {
    await using bare = await buildBareApp({ settings });
    const preflight = (from: string) =>
      bare.app.inject({
        method: 'OPTIONS',
        url: '/api/users/update-profile',
        headers: { origin: from, 'access-control-request-method': 'POST' },
      });
    const answer = await preflight(origin);
    assert.deepEqual([answer.statusCode, answer.body, allowed(answer)], [204, '', origin]);
    assert.match(String(answer.headers['access-control-allow-headers']), /Authorization/);
    assert.match(String(answer.headers['access-control-allow-methods']), /POST/);
    const refused = await preflight('https://evil.example');
    assert.deepEqual([refused.statusCode, allowed(refused)], [405, undefined]);
  });

  it('a page of another origin can send tracing headers and read a 431 response', async () => {
    for (const [CORS_ORIGINS, url] of [
      [settings.CORS_ORIGINS, '/api/users/profile'],
      ['*', COUNTRIES],
    ] as const) {
      await using bare = await buildBareApp({ settings: { CORS_ORIGINS } });
      const requested = 'traceparent,tracestate,baggage';
      const headers = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': requested };
      const preflight = await bare.app.inject({ method: 'OPTIONS', url, headers });
      const answered = String(preflight.headers['access-control-allow-headers']).toLowerCase().split(', ');
      for (const name of requested.split(',')) assert.ok(answered.includes(name), name);
      const port = await listenLocally(bare.app);
      const large = requestText(`GET ${url}`, [`Authorization: Bearer ${'a'.repeat(20_000)}`, `Origin: ${origin}`]);
      const refused = await exchange(port, large);
      assert.deepEqual([refused.status, JSON.parse(refused.body).code], [431, 'HEADERS_TOO_LARGE']);
      const expected = CORS_ORIGINS === '*' ? '*' : origin;
      assert.deepEqual(
        [refused.headers['access-control-allow-origin'], refused.headers.connection],
        [expected, 'close'],
      );
    }
  });

  it('a page of an origin that is not configured gets no CORS headers', async () => {
    await using bare = await buildBareApp({ settings });
    for (const from of [
      'https://evil.example',
      `${origin}.evil.example`,
      'null',
      `${origin}:8443`,
      origin.toUpperCase(),
    ]) {
      const answer = await bare.app.inject({ url: COUNTRIES, headers: { origin: from } });
      assert.deepEqual([answer.statusCode, allowed(answer)], [200, undefined], from);
      assert.match(String(answer.headers.vary), /Origin/);
    }
    await using closed = await buildBareApp();
    const answer = await closed.app.inject({ url: COUNTRIES, headers: { origin } });
    assert.deepEqual([allowed(answer), answer.headers.vary], [undefined, 'Accept-Encoding']);
  });

  for (const CORS_ORIGINS of ['*', `*,${origin}`]) {
    it(`a page of any origin can read only the public lists with CORS_ORIGINS=${CORS_ORIGINS}`, async () => {
      await using bare = await buildBareApp({ settings: { CORS_ORIGINS } });
      const stranger = 'https://stranger.example';
      for (const list of ['/api/cities/list', '/api/states/list', COUNTRIES]) {
        for (const headers of [{ origin: stranger }, { origin }, {}]) {
          const answer = await bare.app.inject({ url: `${list}?search=a`, headers });
          assert.deepEqual([answer.statusCode, allowed(answer)], [200, '*']);
          assert.doesNotMatch(String(answer.headers.vary), /Origin/);
          assert.match(String(answer.headers['access-control-expose-headers']), /ETag/);
          assert.equal(answer.headers['access-control-allow-credentials'], undefined);
        }
        const preflight = await bare.app.inject({
          method: 'OPTIONS',
          url: list,
          headers: { origin: stranger, 'access-control-request-method': 'POST' },
        });
        assert.deepEqual([preflight.statusCode, allowed(preflight)], [204, '*']);
        assert.doesNotMatch(String(preflight.headers['access-control-allow-headers']), /Authorization/);
      }
      for (const url of ['/api/users/profile', '/api/companies/list', '/api/nothing', '/readyz', '/openapi.json']) {
        const answer = await bare.app.inject({ url, headers: { origin: stranger } });
        assert.equal(allowed(answer), undefined, url);
        const preflight = await bare.app.inject({
          method: 'OPTIONS',
          url,
          headers: { origin: stranger, 'access-control-request-method': 'GET' },
        });
        assert.equal(allowed(preflight), undefined, url);
        const own = await bare.app.inject({ url, headers: { origin } });
        assert.equal(allowed(own), CORS_ORIGINS === '*' ? undefined : origin, url);
      }
    });
  }
});
