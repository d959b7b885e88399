/** Position of an operation in a distributed trace (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** Span of the operation: 16 hexadecimal digits. */
  spanId: string;
  /** Bit mask: 1, the trace is sampled; 2, its id is random. */
  flags: number;
  /** Vendor data of the tracing systems upstream (`tracestate`). */
  state: string | undefined;
}

/** Version, trace id, parent span id, flags (section 3.2). Later versions may append fields. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;
const KNOWN_FLAGS = 0b11;

/** A member of `tracestate` (section 3.3.1.3): a key, with or without a tenant, and a value. */
const MEMBER =
  /^([a-z][\w*/-]{0,255}|[a-z\d][\w*/-]{0,240}@[a-z][\w*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;
/** Characters: the minimum that must be propagated (section 3.3.1.5). */
const MAX_STATE = 512;

/** Parses the trace headers of a request. Malformed headers count as absent. */
export function readTraceContext(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  // Repeated headers arrive joined by a comma, which is malformed too.
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (parts === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = parts;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  const state = typeof tracestate === 'string' ? readState(tracestate) : undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & KNOWN_FLAGS, state };
}

function readState(text: string): string | undefined {
  if (text.length > MAX_STATE) return undefined;
  const keys = new Set<string>();
  const members = text.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
  const named = members.filter((member) => member !== '');
  for (const member of named) {
    const key = MEMBER.exec(member)?.[1];
    // `\w` also matches capitals, which keys must not have.
    if (key === undefined || key !== key.toLowerCase() || keys.has(key)) return undefined;
    keys.add(key);
  }
  return named.length === 0 || named.length > MAX_MEMBERS ? undefined : named.join(',');
}

/** Returns the headers that propagate a trace with an outgoing request; empty without a trace. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  const { traceId, spanId, flags, state } = trace;
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}
