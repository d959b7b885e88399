import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../entities/api-error.ts';
import { guardConnections } from '../http/connections/guard-connections.ts';
import { newRequestId } from '../http/request/request-context.ts';
import { answerParserError } from '../http/response/error-handler.ts';
import { errorAnswer } from '../http/response/error-responses.ts';
import { HTTP_LIMITS } from '../http/server-options.ts';
import type { Metrics } from './metrics.ts';

const PATH = '/metrics';

/** Maximum of connections; a scraper keeps one or a few. */
const MAX_CONNECTIONS = 64;

/** The HTTP listener for scrapes. Disposing of it closes it. */
export interface MetricsListener extends AsyncDisposable {
  readonly address: AddressInfo;
}

/**
 * Serves GET /metrics on a separate port, and nothing else.
 *
 * @param failed is called with every later error; none reaches the rest of the service
 * @throws the system error if the host and port cannot be listened on
 */
export async function openMetricsListener(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
  failed: (error: unknown) => void,
): Promise<MetricsListener> {
  /** The text that concurrent scrapes share. */
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
  server.listen({ host, port });
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
  return new ApiError('METHOD_NOT_ALLOWED', `${method} is not allowed here. Allowed: GET.`, {
    headers: { allow: 'GET' },
  });
}

function refuse(error: ApiError, { headers }: IncomingMessage, response: ServerResponse): void {
  const { status, headers: lines, body } = errorAnswer(error, newRequestId(), headers.accept);
  // The connection is closed, as a request body may still follow.
  response.writeHead(status, { ...lines, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
}
