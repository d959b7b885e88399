import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { traceFields } from './request-trace.ts';

/** The log: one JSON object a line, on standard error, as standard output is for people. */
export function createLog(level: string): Logger {
  return pino({ level }, process.stderr);
}

/**
 * Makes `log` the log of the service, and logs one line a request when it has been answered, with its trace where it has
 * one: neither query, nor other headers, nor body, which may be about people. Where the level leaves these lines out, a request costs nothing here.
 *
 * The framework itself gets no log: with one, it watches the end of every answer, whatever the level. So `request.log`
 * says nothing, and what is to be said of a request goes to `request.server.log`.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.log = log;
  if (!log.isLevelEnabled('info')) return;
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        requestId: request.id,
        ...traceFields(request.raw),
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
  });
}
