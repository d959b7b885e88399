import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUnwanted } from '../../db/database-errors.ts';
import { ApiError, type ErrorCode } from '../../entities/api-error.ts';
import { afterAnswersDue } from '../connections/response-over.ts';
import { newRequestId, traceFields } from '../request/request-context.ts';
import { noteRefusal } from '../request/request-log.ts';
import { type ErrorAnswer, errorAnswer, toApiError } from './error-responses.ts';

/** Answers errors of routes, hooks and the framework in the service's error format; logs those with status 5xx. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
}

type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Returns a handler that answers errors by `write`, and logs those with status 5xx. */
export function errorHandler(
  write: (error: ApiError, requestId: string, accept: string | undefined) => ErrorAnswer<string | Buffer>,
): SendError {
  return (error, request, reply) => {
    const apiError = toApiError(error, request.routeOptions.bodyLimit);
    const fields = apiError.problems.map(({ field }) => field);
    noteRefusal(request.raw, { code: apiError.code, fields, reason: apiError.reason });
    // A deliberate 5xx, such as that of readiness, has no cause: the request's line in the log has its code.
    const cause = error === apiError ? apiError.cause : error;
    if (apiError.status >= 500 && cause !== undefined && !isUnwanted(cause)) {
      request.server.log.error({ requestId: request.id, ...traceFields(request.raw), err: cause }, apiError.message);
    }
    const { status, headers, body } = write(apiError, request.id, request.headers.accept);
    return reply.code(status).headers(headers).send(body);
  };
}

/** Sends an error in the service's error format. */
export const sendError = errorHandler(errorAnswer);

/** Errors of Node's HTTP parser, by code; any other is a malformed request. */
const PARSER_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'HEADERS_TOO_LARGE',
    'The headers of the request are larger than 16 KiB, or more than 1,000 lines.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

/** Returns the error of a request with too large headers. */
export function headersTooLarge(): ApiError {
  return parserError('HPE_HEADER_OVERFLOW');
}

function parserError(code: string | undefined): ApiError {
  const [name, message] = PARSER_ERRORS[code ?? ''] ?? ['MALFORMED_REQUEST', 'The request is not well-formed HTTP.'];
  return new ApiError(name, message);
}

/** Answers a request that Node's HTTP parser rejected, and closes its connection. */
export function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  writeRawError(socket, parserError(error.code));
}

/** Milliseconds that a client has to read an error before its connection is destroyed, whether it closes its side or not. */
const LINGER = 1_000;

/**
 * Writes an error to a socket without a response object, after the responses that are due on it, and closes it.
 * Until then the socket is paused.
 */
export function writeRawError(socket: Socket, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // The client may be gone already. A parser may fail more than once on a socket: `off` keeps it at one listener.
  socket.off('error', destroySocket).on('error', destroySocket).pause();
  afterAnswersDue(socket, () => {
    socket.resume();
    if (socket.writable) sendRawError(socket, error);
  });
}

function destroySocket(this: Socket): void {
  this.destroy();
}

function sendRawError(socket: Socket, error: ApiError): void {
  const { status, headers, body } = errorAnswer(error, newRequestId(), undefined);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({
      ...headers,
      date: new Date().toUTCString(),
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
