/** Where a piece of work stands in a trace that goes through several services (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** The span that the work belongs to: 16 hexadecimal digits. */
  spanId: string;
  /** Bits: 1 says that the trace is recorded, 2 that its id is random throughout. */
  flags: number;
  /** What the tracing systems on the way say of themselves (`tracestate`), as it came. */
  state: string | undefined;
}

/** Version, trace id, id of the caller's span, flags (section 3.2). Later versions may say more after that. */
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;
const KNOWN_FLAGS = 0b11;

/** A member of `tracestate` (section 3.3.1.3): the key, with or without a tenant, and the value. */
const MEMBER =
  /^([a-z][\w*/-]{0,255}|[a-z\d][\w*/-]{0,240}@[a-z][\w*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;
/** Characters; so many have to be passed on at least (section 3.3.1.5). */
const MAX_STATE = 512;

/** Reads the headers of a request. What is not well-formed counts as absent: whoever sent it begins no trace by that. */
export function readTraceContext(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  // Two of these headers come as one text with a comma, which is not well-formed either.
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
    // `\w` has capitals too, which keys have not.
    if (key === undefined || key !== key.toLowerCase() || keys.has(key)) return undefined;
    keys.add(key);
  }
  return named.length === 0 || named.length > MAX_MEMBERS ? undefined : named.join(',');
}

/** The headers by which a request of ours goes on with a trace; none where there is no trace. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  if (trace === undefined) return {};
  const { traceId, spanId, flags, state } = trace;
  const traceparent = `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
  return state === undefined ? { traceparent } : { traceparent, tracestate: state };
}
