import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What `node:http` does at best: sends ready bytes. The file that the first argument names holds the answers,
 * as JSON: `{ "GET /path?query": "file of the body", "POST /path {body}": … }`.
 */
const files = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, string>;
const answers = new Map(Object.entries(files).map(([request, file]) => [request, readFileSync(file)]));

const ETAG = '"0123456789abcdef"';

function send(response: ServerResponse, body: Buffer | undefined): void {
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    etag: ETAG,
  });
  response.end(body);
}

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === ETAG) {
    response.writeHead(304, { etag: ETAG }).end();
  } else if (request.method === 'GET') {
    send(response, answers.get(`GET ${request.url} ${request.headers['accept-encoding'] ?? ''}`));
  } else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      send(response, answers.get(`POST ${request.url} ${JSON.stringify(body)}`));
    });
  }
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
