import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { it } from 'node:test';
import { HTTP_LIMITS } from '../../../src/http/server-options.ts';
import { deferred } from '../../../src/lib/deferred.ts';
import { UserError } from '../../../src/lib/errors.ts';
import { type Metrics, openMetrics } from '../../../src/metrics/metrics.ts';
import { listenForScrapes } from '../../../src/server/serve.ts';
import { assertErrorForm, everythingUntilClosed, exchange, requestText } from '../../support/raw-http.ts';
import { parseScrape } from '../../support/scrape.ts';

const FREE = { host: '127.0.0.1', port: 0 };
/** Where Node tells of each request that has arrived. */
const REQUEST_STARTS = 'http.server.request.start';

/** A listener on a free port. */
async function listen(metrics: Metrics, failures: unknown[] = []) {
  const listener = await listenForScrapes(metrics, FREE, (error) => failures.push(error));
  return { ...listener, port: Number(new URL(listener.url).port) };
}

it('the metrics listener serves /metrics and returns 404 for other paths and 405 for other methods', async () => {
  await using listener = await listen(openMetrics());
  assert.match(listener.url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  const { status, headers, body } = await exchange(listener.port, requestText('GET /metrics?x=y'));
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal(headers['cache-control'], 'no-store');
  const { types } = parseScrape(body);
  assert.equal(types.get('orgdesk_http_requests_total'), 'counter');
  for (const [name, type] of types) assert.equal(name.endsWith('_total'), type === 'counter', name);
  for (const path of ['/', '/metric', '/metrics/', '/METRICS', '/readyz', '/api/cities/list', '//metrics']) {
    assertErrorForm(await exchange(listener.port, requestText(`GET ${path}`)), 404, 'NOT_FOUND');
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    const answer = await exchange(listener.port, requestText(`${method} /metrics`, [], '{}'));
    assertErrorForm(answer, 405, 'METHOD_NOT_ALLOWED');
    assert.equal(answer.headers.allow, 'GET');
  }
});

it('the metrics listener refuses the same malformed requests as the service', async () => {
  await using listener = await listen(openMetrics());
  assertErrorForm(await exchange(listener.port, 'nonsense\r\n\r\n'), 400, 'MALFORMED_REQUEST');
  const large = requestText('GET /metrics', [`X: ${'x'.repeat(17_000)}`]);
  assertErrorForm(await exchange(listener.port, large), 431, 'HEADERS_TOO_LARGE');
  const many = requestText('GET /metrics', [...Array(1_000).fill('a:'), 'Host: another']);
  assertErrorForm(await exchange(listener.port, many), 431, 'HEADERS_TOO_LARGE');
  const upgrade = requestText('GET /metrics', ['Connection: Upgrade', 'Upgrade: websocket']);
  const upgraded = await everythingUntilClosed(listener.port, `${upgrade}${requestText('GET /metrics')}`);
  assert.deepEqual(upgraded.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200']);
});

it('the metrics listener returns 408 for a slow request after the same time as the service', async () => {
  const own = { ...HTTP_LIMITS };
  Object.assign(HTTP_LIMITS, { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 });
  await using listener = await listen(openMetrics()).finally(() => Object.assign(HTTP_LIMITS, own));
  const slow = connect(listener.port, '127.0.0.1', () => slow.write('GET /metrics HT'));
  slow.on('error', () => undefined);
  let received = '';
  slow.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  await once(slow, 'close');
  assert.match(received, /^HTTP\/1\.1 408 /);
});

it('the metrics listener returns 500, logs the error and continues if metrics cannot be read', async () => {
  const failures: unknown[] = [];
  let fails = true;
  const metrics = openMetrics();
  const text = async () => (fails ? Promise.reject(new Error('unreadable')) : metrics.text());
  await using listener = await listen({ ...metrics, text }, failures);
  const answer = await exchange(listener.port, requestText('GET /metrics'));
  assertErrorForm(answer, 500, 'INTERNAL_ERROR');
  assert.ok(!answer.body.includes('unreadable'));
  assert.deepEqual(failures.map(String), ['Error: unreadable']);
  fails = false;
  assert.equal((await exchange(listener.port, requestText('GET /metrics'))).status, 200);
});

it('the metrics listener reads the metrics once for simultaneous requests', async () => {
  let [reads, arrived] = [0, 0];
  const allArrived = deferred();
  const count = () => {
    arrived += 1;
    if (arrived === 10) allArrived.resolve();
  };
  const metrics = openMetrics();
  const text = async () => {
    reads += 1;
    await allArrived.promise;
    return metrics.text();
  };
  await using listener = await listen({ ...metrics, text });
  const ask = () => exchange(listener.port, requestText('GET /metrics'));
  subscribe(REQUEST_STARTS, count);
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  unsubscribe(REQUEST_STARTS, count);
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(reads, 1);
  await ask();
  assert.equal(reads, 2);
});

it('the metrics listener reports a port that is in use and the setting to change', async () => {
  const other = createServer().listen(FREE);
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const failure = listenForScrapes(openMetrics(), { ...FREE, port }, () => assert.fail());
  await assert.rejects(failure, (error) => {
    assert.ok(error instanceof UserError);
    assert.equal(
      error.message,
      `Port ${port} on 127.0.0.1 is taken by another program: set METRICS_PORT to a free one.`,
    );
    return true;
  });
  other.close();
});
