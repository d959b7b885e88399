import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnLoopback } from './loopback-server.ts';

/** A span as it came, with its attributes by name. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 2: of a server, 3: of a client. */
  kind: number;
  attributes: Readonly<Record<string, unknown>>;
  /** 2: an error. */
  status: number;
  links: { traceId: string; spanId: string }[];
  /** Nanoseconds. */
  start: bigint;
  end: bigint;
}

/** A collector of spans on the loopback interface that takes OTLP over HTTP in JSON. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Attributes of the services that spans came from, each time. */
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly requests: readonly { path: string; headers: IncomingHttpHeaders; body: string }[];
  /** What is answered; 200 at first. */
  status: number;
  /** Nothing is answered before it. */
  held: Promise<void>;
}

interface Attribute {
  key: string;
  value: Readonly<Record<string, unknown>>;
}
interface Batch {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        attributes: Attribute[];
        status: { code?: number };
        links?: { traceId: string; spanId: string }[];
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      }[];
    }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    await state.held;
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    if (state.status === 200) {
      assert.equal(request.headers['content-type'], 'application/json');
      take(JSON.parse(body) as Batch);
    }
    response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}');
  });

  function take({ resourceSpans }: Batch): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(byName(resource.attributes));
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { traceId, spanId, parentSpanId, name, kind, attributes, status, links = [] } = span;
        spans.push({
          traceId,
          spanId,
          parentSpanId: parentSpanId || undefined,
          name,
          kind,
          attributes: byName(attributes),
          status: status.code ?? 0,
          links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
          start: BigInt(span.startTimeUnixNano),
          end: BigInt(span.endTimeUnixNano),
        });
      }
    }
  }

  const listening = await listenOnLoopback(server);
  const state: Collector = {
    url: listening.url,
    spans,
    resources,
    requests,
    status: 200,
    held: Promise.resolve(),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
  return state;
}

function byName(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
