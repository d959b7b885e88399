import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
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
  /** How many connections have been made to it. */
  readonly connections: number;
  /** How it answers from now on. */
  answer(respond: (response: ServerResponse, request: IncomingMessage) => void): void;
}

/** A receiver on the loopback interface, which answers 200 unless told otherwise. @param tls its key and certificate; absent: plain http */
export async function startReceiver(tls?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  let respond = (response: ServerResponse, _request: IncomingMessage): void => {
    response.end('ok');
  };
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      respond(response, request);
    });
  };
  const server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const listening = await listenOnLoopback(server);
  return {
    url: `${tls === undefined ? listening.url : listening.url.replace('http://127.0.0.1', 'https://localhost')}/hook`,
    received,
    get connections() {
      return connections;
    },
    answer(given) {
      respond = given;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
