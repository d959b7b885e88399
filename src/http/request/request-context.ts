import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readTraceContext, type TraceContext } from '../../lib/trace-context.ts';

const PLAIN = /^[\w.:/+=-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is plain (see the pattern), otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && PLAIN.test(given) ? given : newRequestId();
}

/** Returns a random UUID in hexadecimal, without hyphens. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}

const ownSpans = new WeakMap<IncomingMessage, TraceContext>();

/** Records the service's own span of a request. */
export function enterSpan(request: IncomingMessage, span: TraceContext): void {
  ownSpans.set(request, span);
}

/** Returns the trace context of a request: of its own span if it has one, otherwise of the caller's headers. */
export function traceOf(request: IncomingMessage): TraceContext | undefined {
  return ownSpans.get(request) ?? readTraceContext(request.headers);
}

/** Returns the log fields that identify the trace of a request; empty without one. */
export function traceFields(request: IncomingMessage): { traceId?: string; spanId?: string } {
  const trace = traceOf(request);
  return trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId };
}
