import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What `node:http` does at best: sends ready bytes, heads and bodies alike. The file that the first argument names holds the
 * answers, as JSON: `{ "GET /path?query": { status, headers, file }, "POST /path {body}": … }`.
 */
export interface BareAnswer {
  status: number;
  headers: Record<string, string>;
  /** Holds the body. */
  file: string;
}

const recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<string, BareAnswer>;
const answers = new Map(
  Object.entries(recorded).map(([request, { file, ...head }]) => [request, { ...head, body: readFileSync(file) }]),
);

function send(response: ServerResponse, key: string): void {
  const answer = answers.get(key);
  if (answer === undefined) response.writeHead(404).end();
  else response.writeHead(answer.status, answer.headers).end(answer.body);
}

const server = createServer((request, response) => {
  const { method, url, headers } = request;
  if (method === 'GET') {
    send(
      response,
      `GET ${url} ${headers['accept-encoding'] ?? ''} ${headers['if-none-match'] === undefined ? 200 : 304}`,
    );
  } else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      send(response, `POST ${url} ${JSON.stringify(body)}`);
    });
  }
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
