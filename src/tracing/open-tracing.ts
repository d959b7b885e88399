import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import type { batchLoader } from '../lib/batch-loader.ts';
import { PROGRAM } from '../lib/program.ts';
import { traceRequests } from './request-spans.ts';
import { tracedBatches, traceStatements } from './statement-spans.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** Gives requests and their statements spans, and sends these to a collector. Disposing of it sends what is left. */
export interface Tracing extends AsyncDisposable {
  /** To be called before there are routes. @returns puts the spans around what a listener does */
  traceRequests(app: FastifyInstance): (listener: RequestListener) => RequestListener;
  traceStatements(db: Database): Database;
  /** {@link batchLoader} that knows which requests a look-up is done for. */
  batchLoader: typeof batchLoader;
}

/** Milliseconds that the last spans have to be sent in when the service stops. */
const LAST_SPANS = 2_000;

/** Milliseconds between two reports of spans that could not be sent. */
const REPORT_INTERVAL = 60_000;

/** Characters: what a caller can write into a span, such as a path. */
const MAX_ATTRIBUTE = 1_024;

/**
 * Spans wait in a queue with a bound (2,048 unless `OTEL_BSP_MAX_QUEUE_SIZE` says otherwise): where the collector does not take them in
 * time, the newest are dropped.
 *
 * @param failed is told of spans that could not be sent, once a minute at most
 * @param lastSpans milliseconds that what is left may take to be sent, two seconds unless given
 */
export function openTracing(
  { url, serviceName }: TracingSettings,
  failed: (error: unknown) => void,
  lastSpans = LAST_SPANS,
): Tracing {
  const exporter = reporting(new OTLPTraceExporter({ url }), failed);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'orgdesk', 'service.version': PROGRAM.version }))
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(serviceName === undefined ? {} : { 'service.name': serviceName })),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE },
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('orgdesk');
  const work = new AsyncLocalStorage<readonly Span[]>();
  return {
    traceRequests: (app) => traceRequests(app, tracer, work),
    traceStatements: (db) => traceStatements(db, tracer, work),
    batchLoader: tracedBatches(work),
    async [Symbol.asyncDispose]() {
      // What went wrong has been reported.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(lastSpans, undefined, { ref: false })]);
    },
  };
}

/** The exporter, and a report of what it could not send: of itself it says nothing. */
function reporting(exporter: SpanExporter, failed: (error: unknown) => void): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const now = performance.now();
        // 0 is success.
        if (result.code !== 0 && now - reportedAt >= REPORT_INTERVAL) {
          reportedAt = now;
          failed(result.error);
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
