import type { Server, ServerOptions } from 'node:http';
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify';
import { MAX_HEADER_SIZE } from './request/request-checks.ts';
import { requestIdOf } from './request/request-id.ts';
import { answerParserError, sendError } from './response/error-handler.ts';

/** Milliseconds within which a request has to have arrived; Node looks for late ones every `connectionsCheckingInterval`. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_500 };

/** Bytes. Between the two, headers are refused by an answer that pages of other origins can read; beyond, the parser gives up. */
const MAX_PARSED_HEADER_SIZE = 2 * MAX_HEADER_SIZE;
const MAX_BODY_SIZE = 64 * 1024;

/** What every HTTP server of the service allows its clients. */
export const HTTP_LIMITS = { ...TIMEOUTS, maxHeaderSize: MAX_HEADER_SIZE } satisfies ServerOptions;

/** How the HTTP server is set up: its limits, its log, and what happens to requests that reach no route. */
export function serverOptions(log: FastifyBaseLogger): FastifyHttpOptions<Server> {
  return {
    loggerInstance: log,
    // One line a request, see request-log.ts; and the one log for all of them, as a line names its request by itself.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
    genReqId: requestIdOf,
    bodyLimit: MAX_BODY_SIZE,
    requestTimeout: TIMEOUTS.requestTimeout,
    // What still arrives on an open connection at the stop is answered like everything else, and the connection closed.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: answerParserError,
    http: {
      ...HTTP_LIMITS,
      maxHeaderSize: MAX_PARSED_HEADER_SIZE,
      // A request without Host is refused by request-checks.ts, in our form of errors.
      requireHostHeader: false,
    },
  };
}
