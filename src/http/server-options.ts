import type { Server, ServerOptions } from 'node:http';
import serializerSelector from '@fastify/fast-json-stringify-compiler';
import { type FastifyBaseLogger, type FastifyHttpOptions, LogController } from 'fastify';
import { MAX_HEADER_SIZE } from './request/request-checks.ts';
import { requestIdOf } from './request/request-context.ts';
import { answerParserError, sendError } from './response/error-handler.ts';

/** Milliseconds within which a request has to arrive; Node checks for late ones every `connectionsCheckingInterval`. */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_500 };

/** Bytes. Headers between `MAX_HEADER_SIZE` and this get an error with CORS headers; beyond it the parser refuses them. */
const MAX_PARSED_HEADER_SIZE = 2 * MAX_HEADER_SIZE;
const MAX_BODY_SIZE = 64 * 1024;

/** Limits of every HTTP server of the service. */
export const HTTP_LIMITS = { ...TIMEOUTS, maxHeaderSize: MAX_HEADER_SIZE } satisfies ServerOptions;

type Compilers = NonNullable<NonNullable<FastifyHttpOptions<Server>['schemaController']>['compilersFactory']>;

/** Returns a schema that takes words which only a later version knows: in a union they would be an error. */
function withoutEnums<Schema>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === 'enum' ? undefined : value)));
}

const COMPILERS: Compilers = {
  /** Compiles the serializer of an answer when the first one is sent: a process sends few of the hundreds that there are. */
  buildSerializer(...given) {
    const compile = serializerSelector()(...given);
    return (route) => {
      let serialize: ReturnType<typeof compile> | undefined;
      return (answer) => {
        serialize ??= compile({ ...route, schema: withoutEnums(route.schema) });
        return serialize(answer);
      };
    };
  },
  /** Schemas document the input, which the operations parse. */
  buildValidator: (() => () => () => true) as () => never,
};

/** Returns the options of the HTTP server: limits, log, and the handling of requests that reach no route. */
export function serverOptions(log: FastifyBaseLogger): FastifyHttpOptions<Server> {
  return {
    loggerInstance: log,
    // request-log.ts logs one line per request. Lines carry their request id, so no child logger is needed.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
    genReqId: requestIdOf,
    schemaController: { compilersFactory: COMPILERS },
    bodyLimit: MAX_BODY_SIZE,
    requestTimeout: TIMEOUTS.requestTimeout,
    // During shutdown requests on open connections are answered as usual, and the connection is closed.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: answerParserError,
    http: {
      ...HTTP_LIMITS,
      maxHeaderSize: MAX_PARSED_HEADER_SIZE,
      // request-checks.ts refuses a request without Host, in the service's error format.
      requireHostHeader: false,
    },
  };
}
