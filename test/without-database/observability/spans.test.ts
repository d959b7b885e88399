import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { BareApp } from '../../support/bare-app.ts';
import { collectLog } from '../../support/collect-log.ts';
import { collectSpans, type TracedApp, type TracedAppOptions, USER } from '../../support/collect-spans.ts';
import { type Collector, startCollector } from '../../support/collector.ts';
import { startKeyServer } from '../../support/key-server.ts';
import { everythingUntilClosed, exchange, requestText } from '../../support/raw-http.ts';
import { makeToken, providerMaker } from '../../support/token-makers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SAMPLED = `traceparent: 00-${TRACE}-${SPAN}-01`;
const NOT_SAMPLED = `traceparent: 00-${TRACE}-${SPAN}-00`;
const [SERVER, CLIENT] = [2, 3];
const ERROR = 2;

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector[Symbol.asyncDispose]());
const spansOf = (work: (service: TracedApp) => Promise<unknown>, options: TracedAppOptions = {}) =>
  collectSpans(collector, work, options);

/** Waits until the service knows that nobody is connected any more. */
function allGone({ app }: BareApp): Promise<unknown> {
  const connections = promisify(app.server.getConnections.bind(app.server));
  return waitUntil('the callers to be gone', async () => (await connections()) === 0);
}

const ask = (port: number, line: string, headers: string[] = [], body?: string) =>
  exchange(port, requestText(line, headers, body));

describe('a request', () => {
  it('a request has one server span with its method, route and status', async () => {
    const spans = await spansOf(async ({ port }) => {
      await ask(port, 'GET /api/cities/list?search=hidden-7f3a');
      await ask(
        port,
        'POST /api/cities/list?search=hidden-7f3a',
        ['Content-Type: application/json'],
        '{"search":"hidden-7f3a"}',
      );
      for (let time = 0; time < 3; time++) await ask(port, 'GET /api/countries/list?isPaginationNeeded=true');
      await ask(port, 'GET /docs/nothing?hidden-7f3a');
      await ask(port, 'GET /api/nothing?hidden-7f3a');
      await ask(port, 'PURGE /api/cities/list');
      await ask(port, 'GET /%zz');
    });
    assert.deepEqual(
      spans.map(({ name, attributes }) => [name, attributes['http.route'], attributes['http.response.status_code']]),
      [
        ['GET /api/cities/list', '/api/cities/list', 200],
        ['POST /api/cities/list', '/api/cities/list', 200],
        ...Array(3).fill(['GET /api/countries/list', '/api/countries/list', 200]),
        ['GET /docs/*', '/docs/*', 404],
        ['GET', undefined, 404],
        ['HTTP', undefined, 405],
        ['GET', undefined, 400],
      ],
    );
    const [first] = spans;
    assert.deepEqual(first?.attributes, {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/api/cities/list',
      'network.protocol.version': '1.1',
      'url.path': '/api/cities/list',
      'url.scheme': 'http',
    });
    for (const { kind, parentSpanId, status, start, end } of spans) {
      assert.deepEqual([kind, parentSpanId, status], [SERVER, undefined, 0]);
      assert.ok(end >= start);
    }
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, spans.length);
    for (const { body } of collector.requests) assert.ok(!body.includes('hidden'), body);
  });

  it('a request continues a well-formed trace of its caller, and otherwise starts a new trace', async () => {
    const spans = await spansOf(async ({ port }) => {
      await ask(port, 'GET /livez', [SAMPLED, 'tracestate: congo=t61rcWkgMzE']);
      await ask(port, 'GET /livez', [`traceparent: 00-${'0'.repeat(32)}-${SPAN}-01`]);
      await ask(port, 'GET /livez', [`traceparent: 00-${TRACE}-${SPAN}-01-more`, 'tracestate: congo=t61rcWkgMzE']);
      await ask(port, 'GET /livez', [NOT_SAMPLED]);
    });
    assert.equal(spans.length, 3);
    const [own, ...others] = spans;
    assert.deepEqual([own?.traceId, own?.parentSpanId], [TRACE, SPAN]);
    for (const { traceId, parentSpanId } of others) {
      assert.notEqual(traceId, TRACE);
      assert.match(traceId, /^[\da-f]{32}$/);
      assert.equal(parentSpanId, undefined);
    }
  });

  it('the span of a failed request is an error, and that of an aborted request has no status', async () => {
    let requested = 0;
    const query = async () => {
      requested += 1;
      if (requested > 1) throw Object.assign(new Error('secret-4c1d'), { code: '42P01' });
      return new Promise<never>(() => undefined);
    };
    const spans = await spansOf(
      async ({ bare, port, authorization }) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(requestText('GET /api/users/profile', [authorization])),
        );
        await waitUntil('the request to wait', () => requested === 1);
        socket.destroy();
        assert.equal((await ask(port, 'GET /api/companies/list', [authorization])).status, 500);
        await allGone(bare);
      },
      { query },
    );
    const [gone] = spans.filter(({ name }) => name.endsWith('/profile'));
    assert.equal(gone?.attributes['error.type'], 'aborted');
    assert.equal(gone?.attributes['http.response.status_code'], undefined);
    const [failed] = spans.filter(({ name }) => name === 'GET /api/companies/list');
    assert.deepEqual([failed?.status, failed?.attributes['error.type']], [ERROR, '500']);
    const [statement] = spans.filter(({ kind }) => kind === CLIENT);
    assert.deepEqual([statement?.status, statement?.attributes['db.response.status_code']], [ERROR, '42P01']);
    for (const { body } of collector.requests) assert.ok(!body.includes('secret'), body);
  });

  it('the span of a request ends when its caller disconnects, also if its response waits for another', async () => {
    let requested = 0;
    const query = async () => {
      requested += 1;
      return new Promise<never>(() => undefined);
    };
    const spans = await spansOf(
      async ({ bare, port, authorization }) => {
        const texts = [requestText('GET /api/users/profile', [authorization]), requestText('GET /livez')];
        const socket = connect(port, '127.0.0.1', () => socket.write(texts.join('')));
        await waitUntil('the first request to wait', () => requested === 1);
        socket.destroy();
        await allGone(bare);
      },
      { query },
    );
    const aborted = spans
      .filter(({ kind }) => kind === SERVER)
      .map(({ name, attributes }) => [name, attributes['error.type']]);
    assert.deepEqual(aborted.sort(), [
      ['GET /api/users/profile', 'aborted'],
      ['GET /livez', 'aborted'],
    ]);
  });

  it('the log line of a request contains the id of its span', async () => {
    const { log, lines } = collectLog();
    const settings = { LOG_LEVEL: 'debug' };
    const [span] = await spansOf(({ port }) => ask(port, 'GET /livez', [SAMPLED]), { log, settings });
    const [line] = lines.filter(({ msg }) => msg === 'request');
    assert.deepEqual([line?.traceId, line?.spanId], [TRACE, span?.spanId]);
  });

  it("a request for the keys of the identity provider carries the span of the caller's request", async (test) => {
    const seen: unknown[] = [];
    await using server = await startKeyServer({});
    const maker = providerMaker(server.url, 'api');
    server.answer = ({ headers }: IncomingMessage, response: ServerResponse) => {
      seen.push(headers.traceparent);
      response.end(JSON.stringify({ keys: [maker.jwk] }));
    };
    const unknownKey = `Authorization: Bearer ${makeToken(maker, { ...maker.header, kid: 'another' })}`;
    const settings = {
      JWT_SECRET: '',
      TOKEN_AUDIENCE: 'api',
      TOKEN_ISSUER: server.url,
      JWKS_URL: `${server.url}/keys`,
    };
    const [span] = await spansOf(
      ({ port }) => {
        // Beyond the cool-down: an unknown key has the keys fetched anew.
        const now = Date.now() + 31_000;
        test.mock.method(Date, 'now', () => now);
        return ask(port, 'GET /api/users/profile', [unknownKey, SAMPLED]);
      },
      { settings },
    );
    assert.deepEqual(seen, [undefined, `00-${TRACE}-${span?.spanId}-01`]);
  });
});

describe('a statement', () => {
  it('a statement has a span within that of its request, with a summary and without values', async (t) => {
    const spans = await spansOf(({ port, authorization }) => {
      // A span begins by one clock, and measures from there by another: here neither goes on.
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
      t.mock.method(performance, 'now', () => 1_000);
      return ask(port, 'GET /api/users/profile', [authorization, SAMPLED]);
    });
    const [request] = spans.filter(({ kind }) => kind === SERVER);
    const [statement, ...more] = spans.filter(({ kind }) => kind === CLIENT);
    assert.ok(request && statement && more.length === 0);
    assert.deepEqual([statement.traceId, statement.parentSpanId, statement.links], [TRACE, request.spanId, []]);
    assert.match(statement.name, /^SELECT .*\busers\b/);
    assert.deepEqual(statement.attributes, {
      'db.operation.name': 'SELECT',
      'db.query.summary': statement.name,
      'db.system.name': 'postgresql',
    });
    assert.ok(statement.start >= request.start && statement.end <= request.end);
    for (const { body } of collector.requests) assert.ok(!body.includes(USER), body);
  });

  it('a statement for several requests has no parent span, and links to the recorded ones', async () => {
    let queries = 0;
    const query = async () => {
      queries += 1;
      return [];
    };
    const spans = await spansOf(
      async ({ port, authorization }) => {
        // From the second time on the token is known, and what arrives together asks together.
        await ask(port, 'GET /api/users/profile', [authorization, NOT_SAMPLED]);
        queries = 0;
        const texts = [[SAMPLED], [], [NOT_SAMPLED], ['Connection: close']].map((headers) =>
          requestText('GET /api/users/profile', [authorization, ...headers]),
        );
        await everythingUntilClosed(port, texts.join(''));
        await ask(port, 'GET /api/users/profile', [authorization, NOT_SAMPLED]);
        assert.equal(queries, 2);
      },
      { query },
    );
    const requests = spans.filter(({ kind }) => kind === SERVER);
    const [statement, ...more] = spans.filter(({ kind }) => kind === CLIENT);
    assert.deepEqual([requests.length, more.length], [3, 0]);
    assert.equal(statement?.parentSpanId, undefined);
    assert.deepEqual(statement?.links.map(({ spanId }) => spanId).sort(), requests.map(({ spanId }) => spanId).sort());
  });

  it('a statement outside of a request has no span', async () => {
    const spans = await spansOf(async ({ bare }) => {
      await bare.context.db.query({ text: 'select 1', values: [] } as never);
    });
    assert.deepEqual(spans, []);
  });
});
