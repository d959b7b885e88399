import type { IncomingMessage } from 'node:http';
import { isatty } from 'node:tty';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { readableLines } from './log-lines.ts';
import { traceFields } from './request-context.ts';

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
  shared ??= isatty(STDERR) ? readableLines(process.stderr) : linesInBlocks(STDERR);
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
  const log = app.log as Logger;
  if (!log.isLevelEnabled('info')) return;
  const writeLine = lineWriter(log);
  app.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.id;
    const { statusCode: status } = reply;
    const line = {
      requestId: request.id,
      ...traceFields(request.raw),
      method: request.method,
      path: request.url.split('?', 1)[0] ?? '',
      status,
      milliseconds: Math.round(reply.elapsedTime * 100) / 100,
    };
    if (status >= 400) Object.assign(line, { operation, ...callerOf(request), ...refusals.get(request.raw) });
    if (operation === HEALTH) log.debug(line, 'request');
    else if (status >= 400) log.info(line, 'request');
    else writeLine(line);
    done();
  });
}

interface RequestLine {
  requestId: string;
  traceId?: string;
  spanId?: string;
  method: string;
  path: string;
  status: number;
  milliseconds: number;
}

/** Returns a writer of the lines of requests at `info`, the very lines of pino: that goes through the names and values of each. */
function lineWriter(log: Logger): (line: RequestLine) => void {
  const parts = log as unknown as Record<symbol, unknown>;
  const bindings = parts[pino.symbols.chindingsSym];
  const stream = parts[pino.symbols.streamSym] as DestinationStream;
  return ({ requestId, traceId, spanId, method, path, status, milliseconds }) => {
    // Ids and methods have no character that JSON escapes.
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}","spanId":"${spanId}"`;
    stream.write(
      `{"level":30,"time":${Date.now()}${bindings},"requestId":"${requestId}"${trace},"method":"${method}","path":${JSON.stringify(path)},"status":${status},"milliseconds":${milliseconds},"msg":"request"}\n`,
    );
  };
}

/** Characters of a block, and the milliseconds after which an incomplete one is written too. */
const BLOCK_LENGTH = 32 * 1024;
const FLUSH_INTERVAL_MS = 1_000;

/**
 * Writes lines to a file descriptor in blocks: when one is full, each second, on flush and at the end of the process.
 * The buffer of pino's own destination (`minLength`) measures all of its content again with each line.
 */
function linesInBlocks(fd: number): DestinationStream & { flush(done: (error?: Error) => void): void } {
  let gathered = '';
  const writeGathered = () => {
    const block = gathered;
    gathered = '';
    if (block !== '') file.write(block);
  };
  // Registered before pino's destination, which writes its own buffer on the same events.
  process.on('beforeExit', writeGathered).on('exit', writeGathered);
  const file = pino.destination({ fd, sync: false, minLength: 1 });
  setInterval(writeGathered, FLUSH_INTERVAL_MS).unref();
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= BLOCK_LENGTH) writeGathered();
    },
    flush(done) {
      writeGathered();
      file.flush(done);
    },
  };
}
