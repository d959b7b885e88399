import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { buildBareApp } from '../../support/bare-app.ts';
import { collectLog, type LogLine } from '../../support/collect-log.ts';
import { startKeyServer } from '../../support/key-server.ts';
import { makeToken, providerMaker } from '../../support/token-makers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${SPAN}-01`;
const tracestate = 'congo=t61rcWkgMzE';

/** What a caller can send that is no trace, and would do harm in a log or a header. */
const HOSTILE = [
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01\u00ff`,
  `${traceparent}, ${traceparent}`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-${'x'.repeat(5_000)}`,
  '"},"level":60,"msg":"forged',
  "00-'; drop table users;-- -01",
];

const shown = ({ requestId, traceId, spanId }: Partial<LogLine> = {}) => ({ requestId, traceId, spanId });

describe('the log', () => {
  it('the log line of a request contains its id or the id from its caller, and its trace', async () => {
    const { log, lines } = collectLog();
    await using bare = await buildBareApp({ log, settings: { LOG_LEVEL: 'info' } });
    const headers = { traceparent, tracestate, 'x-request-id': 'mine-7' };
    const answer = await bare.app.inject({ url: '/api/countries/list', headers });
    const own = await bare.app.inject('/api/countries/list');
    await waitUntil('two lines', () => lines.length >= 2);
    assert.equal(answer.headers['x-request-id'], 'mine-7');
    assert.deepEqual(shown(lines[0]), { requestId: 'mine-7', traceId: TRACE, spanId: SPAN });
    assert.match(String(own.headers['x-request-id']), /^[\da-f]{32}$/);
    assert.deepEqual(shown(lines[1]), {
      requestId: own.headers['x-request-id'],
      traceId: undefined,
      spanId: undefined,
    });
    assert.ok(!JSON.stringify(lines).includes('congo'));
  });

  it('the log entry of an internal error contains the id and the trace of its request', async () => {
    const { log, lines } = collectLog();
    const query = async () => {
      throw new Error('broken');
    };
    await using bare = await buildBareApp({ query, log, settings: { LOG_LEVEL: 'error' } });
    const authorization = `Bearer ${await bare.context.signToken('11111111-2222-4333-8444-555555555555', 60)}`;
    const headers = { authorization, traceparent, 'x-request-id': 'mine-8' };
    assert.equal((await bare.app.inject({ url: '/api/users/profile', headers })).statusCode, 500);
    assert.deepEqual(lines.map(shown), [{ requestId: 'mine-8', traceId: TRACE, spanId: SPAN }]);
  });

  it('the log contains no malformed trace and no hostile request id', async () => {
    const { log, lines } = collectLog();
    await using bare = await buildBareApp({ log, settings: { LOG_LEVEL: 'info' } });
    for (const hostile of HOSTILE) {
      const headers = { traceparent: hostile, 'x-request-id': `${hostile} "` };
      const answer = await bare.app.inject({ url: '/api/countries/list', headers });
      assert.equal(answer.statusCode, 200);
      assert.match(String(answer.headers['x-request-id']), /^[\da-f]{32}$/);
    }
    await waitUntil('a line for each', () => lines.length >= HOSTILE.length);
    for (const line of lines) {
      assert.deepEqual([line.level, line.traceId, line.spanId], [30, undefined, undefined]);
      assert.match(String(line.requestId), /^[\da-f]{32}$/);
    }
  });
});

describe('requests to the identity provider', () => {
  it('a request to the userinfo endpoint carries the trace of the caller, and one at the start no trace', async () => {
    const seen: [path: string | undefined, headers: IncomingHttpHeaders][] = [];
    await using server = await startKeyServer({});
    const maker = providerMaker(server.url, 'api');
    server.answer = (request: IncomingMessage, response: ServerResponse) => {
      seen.push([request.url, request.headers]);
      const answers: Record<string, unknown> = {
        '/keys': { keys: [maker.jwk] },
        '/me': { sub: maker.claims.sub, email: 'nobody@acme.example', email_verified: true },
      };
      const { url } = server;
      const discovery = { issuer: url, jwks_uri: `${url}/keys`, userinfo_endpoint: `${url}/me` };
      response.end(JSON.stringify(answers[request.url ?? ''] ?? discovery));
    };
    const settings = { JWT_SECRET: '', TOKEN_AUDIENCE: 'api', OIDC_ISSUER: server.url };
    await using bare = await buildBareApp({ settings, query: async () => [] });
    assert.deepEqual(
      seen.map(([path, headers]) => [path, headers.traceparent]),
      [
        ['/.well-known/openid-configuration', undefined],
        ['/keys', undefined],
      ],
    );
    seen.length = 0;
    const { email: _, ...claims } = maker.claims;
    const authorization = `Bearer ${makeToken(maker, maker.header, claims)}`;
    const headers = { authorization, traceparent, tracestate };
    await bare.app.inject({ url: '/api/users/profile', headers });
    assert.deepEqual(
      seen.map(([path, sent]) => [path, sent.traceparent, sent.tracestate]),
      [['/me', traceparent, tracestate]],
    );
  });

  it('a request to the identity provider carries no malformed trace headers', async (test) => {
    const seen: IncomingHttpHeaders[] = [];
    await using server = await startKeyServer({});
    const maker = providerMaker(server.url, 'api');
    server.answer = (request: IncomingMessage, response: ServerResponse) => {
      seen.push(request.headers);
      response.end(JSON.stringify({ keys: [maker.jwk] }));
    };
    const settings = {
      JWT_SECRET: '',
      TOKEN_AUDIENCE: 'api',
      TOKEN_ISSUER: server.url,
      JWKS_URL: `${server.url}/keys`,
    };
    await using bare = await buildBareApp({ settings, query: async () => [] });
    const unknownKey = `Bearer ${makeToken(maker, { ...maker.header, kid: 'another' })}`;
    let now = Date.now();
    test.mock.method(Date, 'now', () => now);
    const states = ['a=b\u00ff', 'A=b', 'a', `a=${'x'.repeat(600)}`];
    for (const headers of [
      ...HOSTILE.map((hostile) => ({ traceparent: hostile })),
      ...states.map((state) => ({ traceparent, tracestate: state })),
    ]) {
      seen.length = 0;
      // Beyond the cool-down: an unknown key has the keys fetched anew.
      now += 31_000;
      await bare.app.inject({ url: '/api/users/profile', headers: { ...headers, authorization: unknownKey } });
      const expected = 'tracestate' in headers ? traceparent : undefined;
      assert.deepEqual(
        seen.map((sent) => [sent.traceparent, sent.tracestate]),
        [[expected, undefined]],
      );
    }
  });
});
