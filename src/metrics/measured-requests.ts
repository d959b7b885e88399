import type { RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { whenOver } from '../http/connections/response-over.ts';

/** The label of requests without an operation: an unknown path, or a method that a path does not have. */
export const UNMATCHED = 'unmatched';

/** The status of requests whose caller disconnected before the whole response had been sent. */
const ABORTED = 'aborted';

/** The metrics of requests. */
export interface RequestFigures {
  /** Initialises the figures of an operation to zero before its first request. */
  begin(operation: string): void;
  /** Counts a request by its status, with the seconds from its head to the end of its response. */
  add(operation: string, status: string, seconds: number): void;
  /** Counts a request that the HTTP parser rejected. */
  addUnreadable(): void;
}

/** Measures the requests of a service. */
export interface MeasuredRequests {
  /** Wraps a listener: counts each of its requests when the response has been sent or the caller has disconnected. */
  around(listener: RequestListener): RequestListener;
}

/**
 * Measures all requests of a service, at the listener: requests with a malformed URL or an unknown method never reach a
 * hook of the framework. To be called before routes are registered.
 */
export function measureRequests(app: FastifyInstance, figures: RequestFigures): MeasuredRequests {
  const operations = new WeakMap<ServerResponse, string>();

  app.addHook('onRoute', ({ config }) => {
    if (config?.operation) figures.begin(config.operation.id);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation !== undefined) operations.set(reply.raw, operation.id);
    done();
  });
  app.server.on('clientError', ({ code }: NodeJS.ErrnoException) => {
    // A connection that is reset between two requests is no failed request.
    if (code !== 'ECONNRESET') figures.addUnreadable();
  });

  return {
    around: (listener) => (request, response) => {
      const began = performance.now();
      whenOver(response, () => {
        const status = response.writableFinished ? String(response.statusCode) : ABORTED;
        figures.add(operations.get(response) ?? UNMATCHED, status, secondsSince(began));
      });
      listener(request, response);
    },
  };
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}
