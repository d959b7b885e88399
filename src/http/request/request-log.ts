import type { IncomingMessage } from 'node:http';
import { isatty } from 'node:tty';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { linesInBlocks } from './log-blocks.ts';
import { linesForPeople } from './log-lines.ts';
import { traceFields } from './request-trace.ts';

/** Standard error. */
const STDERR = 2;

/** The operation of the health probes. */
const HEALTH = 'health';

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
  shared ??= isatty(STDERR) ? linesForPeople(process.stderr) : linesInBlocks(STDERR);
  return shared;
}

/** Why a request was refused, as far as its line in the log may tell: names, and never values. */
export interface Refusal {
  code: string;
  /** The names of the fields at fault. */
  fields?: readonly string[] | undefined;
  /** More than the caller is told. */
  reason?: string | undefined;
}

/** Field names that one line tells of. */
const MAX_FIELDS = 10;

const refusals = new WeakMap<IncomingMessage, Refusal>();

/** Notes why a request is refused, for its line in the log. */
export function noteRefusal(request: IncomingMessage, { code, fields = [], reason }: Refusal): void {
  const named = fields.length > 0 ? { fields: fields.slice(0, MAX_FIELDS) } : {};
  refusals.set(request, { code, ...named, ...(reason === undefined ? {} : { reason }) });
}

/**
 * Logs one line a request when it has been answered, with its trace where it has one: neither query, nor other headers, nor body,
 * which may be about people. Requests of health probes are logged at `debug`.
 *
 * @param callerOf returns the id of the user or key that calls, none where that is not known
 */
export function logRequests(
  app: FastifyInstance,
  callerOf: (request: FastifyRequest) => { userId?: string; keyId?: string },
): void {
  const { log }: { log: FastifyBaseLogger } = app;
  if (!(log as Logger).isLevelEnabled('info')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.id;
    const line = {
      requestId: request.id,
      ...traceFields(request.raw),
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      ...(reply.statusCode < 400 ? {} : { operation, ...callerOf(request), ...refusals.get(request.raw) }),
    };
    log[operation === HEALTH ? 'debug' : 'info'](line, 'request');
    done();
  });
}
