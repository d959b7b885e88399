import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../support/loopback-server.ts';

/** A message that came. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** Something that webhooks are sent to. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** How it answers from now on. */
  answer(respond: (response: ServerResponse, request: IncomingMessage) => void): void;
}

/** A receiver on the loopback interface, which answers 200 unless told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond = (response: ServerResponse, _request: IncomingMessage): void => {
    response.end('ok');
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      respond(response, request);
    });
  });
  const listening = await listenOnLoopback(server);
  return {
    url: `${listening.url}/hook`,
    received,
    answer(given) {
      respond = given;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
