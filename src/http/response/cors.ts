import type { FastifyInstance } from 'fastify';

/** Request headers that tracing in a page adds (W3C Trace Context, Baggage). */
const TRACE_HEADERS = 'traceparent, tracestate, baggage';

/** Request headers that a page of another origin may send, and response headers that it may read. */
const ALLOWED_HEADERS = `Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-Request-Id, ${TRACE_HEADERS}`;
const EXPOSED_HEADERS =
  'ETag, Idempotent-Replayed, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/** Seconds for which a browser caches the result of a preflight. */
const MAX_AGE = '600';

/** Stands in the list for every origin, on the public paths. */
const EVERY_ORIGIN = '*';

/** Request headers that a page of an unlisted origin may send. */
const ALLOWED_TO_ALL = `Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, ${TRACE_HEADERS}`;

/**
 * Lets pages of the listed origins call the service (CORS: Fetch standard, section 3.3); with `*` among them, pages of every
 * origin may call the public paths. Credentials are not allowed: callers authenticate by token, never by cookie. With an
 * empty list no response gets a header.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[], publicPaths: readonly string[]): void {
  if (origins.length === 0) return;
  const named = origins.filter((origin) => origin !== EVERY_ORIGIN);
  const open = new Set(named.length < origins.length ? publicPaths : []);
  const isOpen = (url: string) => open.size > 0 && open.has(url.split('?', 1)[0] ?? '');

  app.addHook('onRequest', async ({ method, headers, url }, reply) => {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    const isNamed = named.includes(headers.origin ?? '');
    if (!isPreflight || !(isNamed || isOpen(url))) return;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': isNamed ? ALLOWED_HEADERS : ALLOWED_TO_ALL,
        'access-control-max-age': MAX_AGE,
      })
      .send();
  });

  app.addHook('onSend', async ({ headers, url }, reply) => {
    const { origin } = headers;
    if (isOpen(url)) {
      reply.headers({ 'access-control-allow-origin': EVERY_ORIGIN, 'access-control-expose-headers': EXPOSED_HEADERS });
      return;
    }
    if (named.length === 0) return;
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'Origin' : `${vary}, Origin`);
    if (origin === undefined || !named.includes(origin)) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS });
  });
}
