import type { IncomingMessage, RequestListener, Server } from 'node:http';
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
  /** Told of each answer that was sent, and when its request came (`performance.now`). */
  sent?: ((request: IncomingMessage, status: number, began: number) => void) | undefined;
}

/**
 * Sends answers to GET requests that are ready before the framework looks at the request, which costs as much as all the rest
 * of such an answer. Whatever is to be refused goes on to the listener, and so does everything once the server closes.
 */
export function sendReadyAnswers(
  server: Server,
  { find, count, sent }: ReadyAnswers,
  listener: RequestListener,
): RequestListener {
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

  return (request, response) => {
    const began = sent === undefined ? 0 : performance.now();
    const answer = findAllowed(request);
    if (answer === undefined) return listener(request, response);
    const { status, headers, body } = answer;
    const ownHeaders = ['x-request-id', requestIdOf(request), 'x-content-type-options', 'nosniff'];
    response.writeHead(status, [...ownHeaders, ...headers]).end(body);
    sent?.(request, status, began);
  };
}
