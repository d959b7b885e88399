import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback-server.ts';

/** An HTTP server on the loopback interface that stands for a provider's, and answers as it is told. */
export interface KeyServer extends AsyncDisposable {
  readonly url: string;
  /** The paths that were asked for, in order. */
  readonly requests: string[];
  /** What is answered: JSON with 200, or whatever a function does. */
  answer: unknown;
}

export async function startKeyServer(answer: unknown): Promise<KeyServer> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.url ?? '');
    if (typeof state.answer === 'function') state.answer(request, response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(state.answer));
  });
  const listening = await listenOnLoopback(server);
  const state: KeyServer = {
    url: listening.url,
    requests,
    answer,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
  return state;
}
