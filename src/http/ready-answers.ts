import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { headerProblem } from './request-checks.ts';
import { requestIdOf } from './request-id.ts';

/** An answer that has only to be sent. */
export interface ReadyAnswer {
  status: 200 | 304;
  /** Names and values in turn: objects of many forms take a third of the time of the whole answer. */
  headers: readonly string[];
  body?: Buffer;
}

export interface ReadyAnswers {
  /** The answer to a GET request whose headers are in order; undefined: it has to be made. */
  find(request: IncomingMessage): ReadyAnswer | undefined;
  /** Counts a request that is about to be answered. Throws where it may not be. */
  count(request: IncomingMessage): void;
}

/**
 * Sends answers to GET requests that are ready before the framework looks at the request, which costs as much as all the rest
 * of such an answer. Whatever is to be refused goes on to the framework, and so does everything once the server closes.
 */
export function sendReadyAnswers(app: FastifyInstance, { find, count }: ReadyAnswers): void {
  const { server } = app;

  function findAllowed(request: IncomingMessage): ReadyAnswer | undefined {
    if (request.method !== 'GET' || !server.listening || headerProblem(request) !== undefined) return undefined;
    const answer = find(request);
    if (answer === undefined) return undefined;
    try {
      count(request);
    } catch {
      return undefined;
    }
    return answer;
  }

  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const answer = findAllowed(request);
    if (answer === undefined) return app.routing(request, response);
    const { status, headers, body } = answer;
    const ownHeaders = ['x-request-id', requestIdOf(request), 'x-content-type-options', 'nosniff'];
    response.writeHead(status, [...ownHeaders, ...headers]).end(body);
  });
}
