import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from './request-trace.ts';

/** Standard error. */
const STDERR = 2;
/** What is written at once, and when less is written too. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_INTERVAL_MS = 1_000;

/**
 * The log: one JSON object a line, on standard error, as standard output is for people. Lines are gathered and written each second
 * and at the end of the process: to write each by itself would take as long as the request that it is about.
 */
export function createLog(level: string, destination: DestinationStream = stderr()): Logger {
  return pino({ level }, destination);
}

let shared: DestinationStream | undefined;

/** One for the process: two that gather lines would mix them. */
function stderr(): DestinationStream {
  shared ??= pino.destination({ fd: STDERR, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
  return shared;
}

/**
 * Logs one line a request when it has been answered, with its trace where it has one: neither query, nor other headers, nor body,
 * which may be about people.
 */
export function logRequests(app: FastifyInstance): void {
  const { log }: { log: FastifyBaseLogger } = app;
  if (!(log as Logger).isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
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
    done();
  });
}
