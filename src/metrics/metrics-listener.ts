import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../entities/api-error.ts';
import { guardConnections } from '../http/connections/guard-connections.ts';
import { newRequestId } from '../http/request/request-id.ts';
import { answerParserError } from '../http/response/error-handler.ts';
import { errorAnswer } from '../http/response/error-responses.ts';
import { HTTP_LIMITS } from '../http/server-options.ts';
import type { Metrics } from './metrics.ts';

const PATH = '/metrics';

/** Whoever asks for metrics keeps one connection, or a few. */
const MAX_CONNECTIONS = 64;

/** A listener for what collects metrics. Disposing of it closes it. */
export interface MetricsListener extends AsyncDisposable {
  readonly address: AddressInfo;
}

/**
 * Answers GET /metrics on a port of its own, and nothing else. What goes wrong here reaches `failed`, and nobody else.
 *
 * @throws where the host and port cannot be listened on: an error of the system
 */
export async function openMetricsListener(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
  failed: (error: unknown) => void,
): Promise<MetricsListener> {
  /** Those who ask at the same time get the same. */
  let text: Promise<string> | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = refusalOf(request);
      if (refusal !== undefined) return refuse(refusal, request, response);
      text ??= metrics.text().finally(() => {
        text = undefined;
      });
      const body = Buffer.from(await text);
      response.writeHead(200, {
        'content-type': metrics.contentType,
        'content-length': body.length,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      response.end(body);
    } catch (error) {
      failed(error);
      const error500 = new ApiError('INTERNAL_ERROR', 'The metrics could not be read: the log says why.');
      if (response.headersSent) response.destroy();
      else refuse(error500, request, response);
    }
  }

  const server = createServer(HTTP_LIMITS);
  server.on('request', guardConnections(server, (request, response) => void answer(request, response)).listener);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', answerParserError);
  // A worker has figures of its own, and so a port of its own.
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.on('error', failed);
  return {
    address: server.address() as AddressInfo,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function refusalOf({ method, url = '' }: IncomingMessage): ApiError | undefined {
  if (url.split('?', 1)[0] !== PATH) return new ApiError('NOT_FOUND', `There is nothing here but ${PATH}.`);
  if (method === 'GET') return undefined;
  return new ApiError('METHOD_NOT_ALLOWED', `${method} is not possible here, but GET.`, { headers: { allow: 'GET' } });
}

function refuse(error: ApiError, { headers }: IncomingMessage, response: ServerResponse): void {
  const { status, headers: lines, body } = errorAnswer(error, newRequestId(), headers.accept);
  // What follows of a body is not wanted.
  response.writeHead(status, { ...lines, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
}
