import type { FastifyInstance } from 'fastify';

/** Logs one line a request, when it has been answered: neither query, nor headers, nor body, which may be about people. */
export function logRequests(app: FastifyInstance): void {
  if (!['info', 'debug', 'trace'].includes(app.log.level)) return;
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
    done();
  });
}
