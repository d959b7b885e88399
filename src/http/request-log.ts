import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/** The levels of the log at which requests are seen. */
const LOGGED_AT: ReadonlySet<string> = new Set(['info', 'debug', 'trace']);

/** Logs one line a request, when it has been answered: neither query, nor headers, nor body, which may be about people. */
export class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (!LOGGED_AT.has(request.log.level)) return;
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 100) / 100,
      },
      'request',
    );
  }
}
