import type { IncomingMessage } from 'node:http';
import { isatty } from 'node:tty';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { linesForPeople } from './log-lines.ts';
import { traceFields } from './request-trace.ts';

/** Standard error. */
const STDERR = 2;
/** What is written at once, and when less is written too. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_INTERVAL_MS = 1_000;

/**
 * The log: one JSON object a line, on standard error, as standard output is for people. Lines are gathered and written each second
 * and at the end of the process: to write each by itself would take as long as the request that it is about. At a terminal it is for
 * people too, and each line is written at once.
 */
export function createLog(level: string, destination: DestinationStream = stderr()): Logger {
  return pino({ level }, destination);
}

let shared: DestinationStream | undefined;

/** One for the process: two that gather lines would mix them. */
function stderr(): DestinationStream {
  shared ??= isatty(STDERR)
    ? linesForPeople(process.stderr)
    : pino.destination({ fd: STDERR, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_INTERVAL_MS });
  return shared;
}

const reasons = new WeakMap<IncomingMessage, string>();

/** Notes why a request is refused, for its line in the log: the answer does not say it. */
export function noteReason(request: IncomingMessage, reason: string): void {
  reasons.set(request, reason);
}

/**
 * Logs one line a request when it has been answered, with its trace where it has one: neither query, nor other headers, nor body,
 * which may be about people.
 */
export function logRequests(app: FastifyInstance): void {
  const { log }: { log: FastifyBaseLogger } = app;
  if (!(log as Logger).isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const reason = reasons.get(request.raw);
    log.info(
      {
        requestId: request.id,
        ...traceFields(request.raw),
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
        ...(reason === undefined ? {} : { reason }),
      },
      'request',
    );
    done();
  });
}
