import type { RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { whenOver } from '../http/connections/response-over.ts';

/** What stands for requests that fall under no operation: an unknown path, or a method that a path does not have. */
export const UNMATCHED = 'unmatched';

/** The status of those whose callers went away before the whole answer had gone out. */
const ABORTED = 'aborted';

/** What the requests are counted in. */
export interface RequestFigures {
  /** Lets an operation have figures before its first request. */
  begin(operation: string): void;
  /** Counts a request that was answered with this status, so many seconds after its head. */
  add(operation: string, status: string, seconds: number): void;
  /** Counts a request that was no well-formed HTTP. */
  addUnreadable(): void;
}

/** How the requests of a service are measured. */
export interface MeasuredRequests {
  /** Counts each request that goes on to the listener, when its answer has gone out or its caller has gone away. */
  around(listener: RequestListener): RequestListener;
}

/**
 * Measures all requests of a service, those for no operation included: an answer that never reaches a hook of the framework (a URL that is
 * not well-formed, a method that it does not know) passes the listener as well. To be called before there are routes.
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
    // A connection that is cut between two requests is none.
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
