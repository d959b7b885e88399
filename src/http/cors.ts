import type { FastifyInstance } from 'fastify';

/** Request headers that a page of another origin may send, and answer headers that it may read. */
const ALLOWED_HEADERS = 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id';
const EXPOSED_HEADERS = 'ETag, Retry-After, WWW-Authenticate, X-Request-Id';

/** Seconds for which a browser remembers what it was allowed. */
const MAX_AGE = '600';

/**
 * Lets pages of the named origins call the service from a browser (Fetch standard, section 3.3: CORS). Callers are known by
 * their token alone, never by a cookie, so no credentials are allowed. Without a name in the list nothing is added to any answer.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;

  app.addHook('onRequest', async ({ method, headers }, reply) => {
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (!isPreflight || !origins.includes(headers.origin ?? '')) return;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': MAX_AGE,
      })
      .send();
  });

  app.addHook('onSend', async ({ headers }, reply) => {
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'Origin' : `${vary}, Origin`);
    if (headers.origin === undefined || !origins.includes(headers.origin)) return;
    reply.headers({
      'access-control-allow-origin': headers.origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
    });
  });
}
