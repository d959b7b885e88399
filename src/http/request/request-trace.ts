import type { IncomingMessage } from 'node:http';
import { readTraceContext, type TraceContext } from '../../lib/trace-context.ts';

const ownSpans = new WeakMap<IncomingMessage, TraceContext>();

/** Says that a request is answered under a span of ours. */
export function enterSpan(request: IncomingMessage, span: TraceContext): void {
  ownSpans.set(request, span);
}

/** The trace that a request belongs to: by our own span where it has one, otherwise by the caller's. */
export function traceOf(request: IncomingMessage): TraceContext | undefined {
  return ownSpans.get(request) ?? readTraceContext(request.headers);
}

/** What a line of the log says of the trace of a request. */
export function traceFields(request: IncomingMessage): { traceId?: string; spanId?: string } {
  const trace = traceOf(request);
  return trace === undefined ? {} : { traceId: trace.traceId, spanId: trace.spanId };
}
