import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyOf, type RecordedAnswers } from './answers.ts';

/** What `node:http` does at best: sends ready bytes, heads and bodies alike. The first argument names the file of the answers. */
const recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as RecordedAnswers;
const bodies = readFileSync(recorded.bodies);
const answers = new Map(
  recorded.kinds.flatMap(({ headers, answers }) => {
    const { 'content-type': _type, 'content-encoding': _coding, ...notModified } = headers;
    return answers.map(([key, start, end]) => {
      const body = bodies.subarray(start, end);
      return [key, { headers: { ...headers, 'content-length': body.length }, notModified, body }] as const;
    });
  }),
);

function send(response: ServerResponse, key: string, ifNoneMatch?: string): void {
  const answer = answers.get(key);
  if (answer === undefined) response.writeHead(404).end();
  else if (ifNoneMatch !== undefined && ifNoneMatch === answer.notModified.etag)
    response.writeHead(304, answer.notModified).end();
  else response.writeHead(200, answer.headers).end(answer.body);
}

const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  if (method === 'GET') return send(response, keyOf(method, url, headers['accept-encoding']), headers['if-none-match']);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    send(response, keyOf(method, url, '', JSON.stringify(body)));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit());
