import type { FastifyInstance } from 'fastify';

/** What tracing in a page adds to each request (W3C Trace Context, Baggage). */
const TRACE_HEADERS = 'traceparent, tracestate, baggage';

/** Request headers that a page of another origin may send, and answer headers that it may read. */
const ALLOWED_HEADERS = `Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id, ${TRACE_HEADERS}`;
const EXPOSED_HEADERS = 'ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

/** Seconds for which a browser remembers what it was allowed. */
const MAX_AGE = '600';

/** Among the origins: every one, for what anyone may have. */
export const EVERY_ORIGIN = '*';

/** The same for pages that nobody knows. */
const ALLOWED_TO_ALL = `Content-Type, If-None-Match, X-Request-Id, ${TRACE_HEADERS}`;

/**
 * Lets pages of the named origins call the service from a browser (Fetch standard, section 3.3: CORS), and where `*` is among them
 * those of every origin the public paths. Callers are known by their token alone, never by a cookie, so no credentials are
 * allowed. Without a name in the list nothing is added to any answer.
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
