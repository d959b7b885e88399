import type { IncomingMessage } from 'node:http';
import { isatty } from 'node:tty';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { linesInBlocks } from './log-blocks.ts';
import { linesForPeople } from './log-lines.ts';
import { traceFields } from './request-trace.ts';

/** File descriptor of standard error. */
const STDERR = 2;

/** The operation of the health probes. */
const HEALTH = 'health';

/**
 * Creates the log: one JSON object per line on standard error, as standard output is for people. Lines are buffered, as
 * writing each by itself would take as long as its request. On a terminal they are human-readable and written at once.
 */
export function createLog(level: string, destination: DestinationStream = stderr()): Logger {
  return pino({ level }, destination);
}

let shared: DestinationStream | undefined;

/** Returns the one destination of the process: two that buffer lines would interleave them. */
function stderr(): DestinationStream {
  shared ??= isatty(STDERR) ? linesForPeople(process.stderr) : linesInBlocks(STDERR);
  return shared;
}

/** Why a request was refused, for its line in the log: names only, never values. */
export interface Refusal {
  code: string;
  /** The names of the fields at fault. */
  fields?: readonly string[] | undefined;
  /** A detail that the response does not disclose. */
  reason?: string | undefined;
}

/** Maximum of field names in one line. */
const MAX_FIELDS = 10;

const refusals = new WeakMap<IncomingMessage, Refusal>();

/** Records why a request is refused, for its line in the log. */
export function noteRefusal(request: IncomingMessage, { code, fields = [], reason }: Refusal): void {
  const named = fields.length > 0 ? { fields: fields.slice(0, MAX_FIELDS) } : {};
  refusals.set(request, { code, ...named, ...(reason === undefined ? {} : { reason }) });
}

/**
 * Logs one line per request after its response, with its trace if it has one. Query, headers and body are left out, as
 * they may hold personal data. Health probes are logged at `debug`.
 *
 * @param callerOf returns the id of the calling user or key; empty where it is not known
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
