import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { deferred } from '../../../src/lib/deferred.ts';
import { openTracing } from '../../../src/tracing/open-tracing.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { collectSpans } from '../../support/collect-spans.ts';
import { type Collector, startCollector } from '../../support/collector.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { everythingUntilClosed, exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const HEADERS = 'OTEL_EXPORTER_OTLP_HEADERS';
const SAMPLER = 'OTEL_TRACES_SAMPLER';

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector[Symbol.asyncDispose]());

const ask = (port: number) => exchange(port, requestText('GET /livez'));

describe('the collector', () => {
  it('the trace collector receives the service name that is set for OpenTelemetry', async () => {
    await collectSpans(collector, ({ port }) => ask(port));
    assert.equal(collector.resources[0]?.['service.name'], 'orgdesk');
    assert.equal(collector.requests[0]?.path, '/v1/traces');
    await collectSpans(collector, ({ port }) => ask(port), { serviceName: 'orgdesk-eu' });
    assert.equal(collector.resources[1]?.['service.name'], 'orgdesk-eu');
  });

  it('the trace collector receives the headers and the share of spans that are set for OpenTelemetry', async () => {
    process.env[HEADERS] = 'x-api-key=of-the-tests';
    await collectSpans(collector, ({ port }) => ask(port));
    assert.equal(collector.requests[0]?.headers['x-api-key'], 'of-the-tests');
    process.env[SAMPLER] = 'always_off';
    await collectSpans(collector, ({ port }) => ask(port));
    assert.equal(collector.spans.length, 1);
    delete process.env[HEADERS];
    delete process.env[SAMPLER];
  });

  it('a slow trace collector receives a full queue of spans, and the other spans are dropped', async () => {
    const held = deferred();
    collector.held = held.promise;
    const spans = await collectSpans(collector, async ({ port }) => {
      for (let round = 0; round < 5; round++) await flood(port);
      held.resolve();
    });
    // A queue of 2,048, and the batch of 512 on its way.
    assert.equal(spans.length, 2_560);
  });

  for (const [fault, status] of [
    ['refuses', 400],
    ['is overloaded', 503],
    ['is not there', undefined],
  ] as const) {
    it(`a trace collector that ${fault} is logged once, and delays the stop by two seconds at most`, async (t) => {
      if (status === undefined) await collector[Symbol.asyncDispose]();
      else collector.status = status;
      using clock = manualClock(t);
      const failures: unknown[] = [];
      const url = `${collector.url}/v1/traces`;
      const tracing = openTracing({ url, serviceName: undefined }, (error) => failures.push(error));
      const bare = await buildBareApp({ query: async () => [], tracing });
      const port = await listenLocally(bare.app);
      // More than a batch, so that some are sent at once.
      await flood(port);
      await bare[Symbol.asyncDispose]();
      await clock.passUntil('the failure to be told', () => failures.length > 0, 500);
      let hasStopped = false;
      const stopped = tracing[Symbol.asyncDispose]().then(() => {
        hasStopped = true;
      });
      await clock.pass(2_000);
      await waitUntil('the end', () => hasStopped);
      await stopped;
      assert.equal(failures.length, 1);
      if (status === undefined) collector = await startCollector();
    });
  }
});

/** Sends a thousand requests, all of which must be answered. */
async function flood(port: number): Promise<void> {
  const texts = Array.from({ length: 999 }, () => requestText('GET /livez'));
  const last = requestText('GET /livez', ['Connection: close']);
  const answers = await everythingUntilClosed(port, [...texts, last].join(''));
  assert.equal(answers.split('HTTP/1.1 200 ').length - 1, 1_000);
}
