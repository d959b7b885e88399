import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ABORTED, type RequestFigures, UNMATCHED } from './request-figures.ts';

/** How the requests of a service are measured. */
export interface MeasuredRequests {
  /** Counts each request that goes on to the listener, when its answer has gone out or its caller has gone away. */
  around(listener: RequestListener): RequestListener;
  /** Counts a request whose answer was ready, and has been sent at once. @param began when it came (`performance.now`) */
  addReady(request: IncomingMessage, status: number, began: number): void;
}

/**
 * Measures all requests of a service, those for no operation included: an answer that never reaches a hook of the framework (a URL that is
 * not well-formed, a method that it does not know) passes the listener as well. To be called before there are routes.
 */
export function measureRequests(app: FastifyInstance, figures: RequestFigures): MeasuredRequests {
  const operationsByPath = new Map<string, string>();
  const operations = new WeakMap<ServerResponse, string>();

  app.addHook('onRoute', ({ path, config }) => {
    if (config?.operation !== undefined) operationsByPath.set(path, config.operation);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation !== undefined) operations.set(reply.raw, operation);
    done();
  });
  app.server.on('clientError', ({ code }: NodeJS.ErrnoException) => {
    // A connection that is cut between two requests is none.
    if (code !== 'ECONNRESET') figures.addUnreadable();
  });

  return {
    around: (listener) => (request, response) => {
      const began = performance.now();
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : ABORTED;
        figures.add(operations.get(response) ?? UNMATCHED, status, secondsSince(began));
      });
      listener(request, response);
    },
    addReady({ url = '' }, status, began) {
      const end = url.indexOf('?');
      const path = end < 0 ? url : url.slice(0, end);
      // Only a request to a proxy names the host as well.
      const operation = operationsByPath.get(path) ?? operationsByPath.get(path.replace(/^https?:\/\/[^/]*/i, ''));
      figures.add(operation ?? UNMATCHED, status, secondsSince(began));
    },
  };
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}
