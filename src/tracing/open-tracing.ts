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

/** Creates spans of requests and their statements, and exports them to a collector. Disposing of it sends the remaining ones. */
export interface Tracing extends AsyncDisposable {
  /** To be called before routes are registered. @returns a wrapper for the request listener that opens the spans */
  traceRequests(app: FastifyInstance): (listener: RequestListener) => RequestListener;
  traceStatements(db: Database): Database;
  /** {@link batchLoader} that keeps track of the requests that a look-up serves. */
  batchLoader: typeof batchLoader;
}

/** Milliseconds to send the remaining spans when the service stops. */
const LAST_SPANS = 2_000;

/** Minimum milliseconds between two reports of spans that could not be sent. */
const REPORT_INTERVAL = 60_000;

/** Maximum characters of an attribute: callers control some, such as the path. */
const MAX_ATTRIBUTE = 1_024;

/**
 * Opens tracing. Spans wait in a bounded queue (`OTEL_BSP_MAX_QUEUE_SIZE`, 2,048 by default); when the collector is too
 * slow, the newest are dropped.
 *
 * @param failed is called when spans could not be sent, at most once a minute
 * @param lastSpans milliseconds to send the remaining spans on disposal
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
      // Errors have been reported already.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(lastSpans, undefined, { ref: false })]);
    },
  };
}

/** Wraps an exporter to report failures, which it does not do itself. */
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

/** Settings of the span exporter. */
export interface TracingSettings {
  /** The URL of the OTLP endpoint for traces (HTTP, JSON), path included. */
  url: string;
  /** `service.name`; undefined: that of `OTEL_RESOURCE_ATTRIBUTES`, otherwise `orgdesk`. */
  serviceName: string | undefined;
}
