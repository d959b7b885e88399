import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../lib/errors.ts';
import { ErrorSchema, errorAnswer, ProblemSchema, toApiError } from './error-answers.ts';
import { newRequestId } from './request-id.ts';
import { traceFields } from './request-trace.ts';

/** Answers every error of a route, a hook or the framework in the one form of errors; logs those that are ours. */
export function handleErrors(app: FastifyInstance): void {
  app.addSchema(ErrorSchema);
  app.addSchema(ProblemSchema);
  app.setErrorHandler(sendError);
}

/** Sends an error as the answer to a request. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiError = toApiError(error);
  if (apiError.status >= 500) {
    const fields = { requestId: request.id, ...traceFields(request.raw), err: error };
    request.server.log.error(fields, apiError.message);
  }
  const { status, headers, body } = errorAnswer(apiError, request.id, request.headers.accept);
  return reply.code(status).headers(headers).send(body);
}

/** The errors of Node's HTTP parser, by their code; any other is a malformed request. */
const PARSER_ERRORS: Readonly<Record<string, [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time.'],
};

/** Answers a request that Node's HTTP parser has given up on, and closes its connection. */
export function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  const [code, message] = PARSER_ERRORS[error.code ?? ''] ?? [
    'MALFORMED_REQUEST',
    'The request is not well-formed HTTP.',
  ];
  writeRawError(socket, new ApiError(code, message));
}

/**
 * Whether the answer to an earlier request is on its way: an error would end up in the middle of it.
 * Node's own handler looks at the same property; it has no public name.
 */
function hasBegunAnswer(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

/** Milliseconds that a client has to read an error before its connection is cut, whether it closes its own side or not. */
const LINGER = 1_000;

/** Writes an error onto a socket that no response object stands for, and closes it. */
export function writeRawError(socket: Socket, error: ApiError): void {
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
  // The client may be gone already.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
}
