import type { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener } from 'node:http';
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { whenOver } from '../http/connections/response-over.ts';
import { enterSpan } from '../http/request/request-context.ts';
import { readTraceContext, type TraceContext } from '../lib/trace-context.ts';

/** The spans of the requests that the current work serves: usually one, several for a batched statement. */
export type Work = AsyncLocalStorage<readonly Span[]>;

/** The known HTTP methods (OpenTelemetry semantic conventions, HTTP); any other becomes `_OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/**
 * Creates a span for each request, from its head to the end of its response, as a child of the caller's span if it sent
 * one. To be called before routes are registered.
 *
 * @returns a wrapper for the request listener that opens the spans
 */
export function traceRequests(
  app: FastifyInstance,
  tracer: Tracer,
  work: Work,
): (listener: RequestListener) => RequestListener {
  const spans = new WeakMap<IncomingMessage, Span>();

  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    if (route !== undefined) {
      spans.get(request.raw)?.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    }
    done();
  });
  // The body arrives in an event of the connection, which loses the async context: it is restored here.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request.raw);
    if (span === undefined) done();
    else work.run([span], done);
  });

  return (listener) => (request, response) => {
    const span = startSpan(tracer, request);
    spans.set(request, span);
    enterSpan(request, contextOf(span));
    whenOver(response, () => {
      const { headersSent, statusCode, writableFinished } = response;
      if (headersSent) span.setAttribute('http.response.status_code', statusCode);
      if (!writableFinished) span.setAttribute('error.type', 'aborted');
      else if (statusCode >= 500) {
        span.setAttribute('error.type', String(statusCode)).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    });
    work.run([span], () => listener(request, response));
  };
}

function startSpan(tracer: Tracer, { method = '', url = '', headers, httpVersion }: IncomingMessage): Span {
  const isKnown = METHODS.has(method);
  const attributes = {
    'http.request.method': isKnown ? method : '_OTHER',
    ...(isKnown ? {} : { 'http.request.method_original': method }),
    // Without the query, which may hold personal data.
    'url.path': url.split('?', 1)[0] ?? '',
    'url.scheme': 'http',
    'network.protocol.version': httpVersion,
  };
  const name = isKnown ? method : 'HTTP';
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentOf(readTraceContext(headers)));
}

function parentOf(caller: TraceContext | undefined): Context {
  if (caller === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags, state } = caller;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: flags,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  });
}

function contextOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  return { traceId, spanId, flags: traceFlags, state: traceState?.serialize() || undefined };
}
