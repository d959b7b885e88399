import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerParserError, sendError } from './error-handler.ts';
import { unparsedQuery } from './input.ts';
import { requestIdOf } from './request-id.ts';

/** Milliseconds within which a request has to have arrived; Node looks for late ones every `connectionsCheckingInterval`. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 10_000;
const CHECKING_INTERVAL = 2_500;

/** Bytes. */
const MAX_HEADER_SIZE = 8 * 1024;

/** How the HTTP server is set up: its limits, and what happens to requests that reach no route. */
export const SERVER_OPTIONS: FastifyHttpOptions<Server> = {
  routerOptions: { querystringParser: unparsedQuery },
  genReqId: requestIdOf,
  requestTimeout: REQUEST_TIMEOUT,
  // What still arrives on an open connection at the stop is answered like everything else, and the connection closed.
  return503OnClosing: false,
  frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  clientErrorHandler: answerParserError,
  http: {
    maxHeaderSize: MAX_HEADER_SIZE,
    headersTimeout: HEADERS_TIMEOUT,
    connectionsCheckingInterval: CHECKING_INTERVAL,
    // A request without Host is refused by request-checks.ts, in our form of errors.
    requireHostHeader: false,
  },
};
