import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ErrorCode } from '../../src/entities/api-error.ts';
import type { ErrorBody } from './answers.ts';

/** An answer as it came over the wire; the names of headers are in lower case. */
export interface RawAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Milliseconds without a byte: far longer than the time limits of the service. */
const DEADLINE_MS = 240_000;
/** Milliseconds: so long the other side has to read a segment before the next one. */
const SEGMENT_INTERVAL = 100;
const HEAD_END = '\r\n\r\n';

/** A request as text, with a `Host` header and, where there is a body, its length. */
export function requestText(line: string, headers: readonly string[] = [], body?: string | Buffer): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, 'Host: localhost', ...headers, ...length].join('\r\n');
  return `${head}${HEAD_END}${body?.toString('latin1') ?? ''}`;
}

/** Sends these very bytes (text: one byte a character) on a connection of their own and gives the answer to them, `100 Continue` apart. */
export async function exchange(port: number, text: string): Promise<RawAnswer> {
  const isHead = text.startsWith('HEAD ');
  return converse(port, [text], (received) => parseAnswer(received, isHead));
}

/** Sends these very bytes, each text as a segment of its own, and gives all that came back until the other side closed the connection. */
export async function everythingUntilClosed(port: number, ...texts: string[]): Promise<string> {
  return converse(port, texts, (received, closed) => (closed ? received : undefined));
}

async function converse<Result>(
  port: number,
  texts: readonly string[],
  read: (received: string, closed: boolean) => Result | undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const pieces: Buffer[] = [];
    const look = (closed: boolean) => {
      const result = read(Buffer.concat(pieces).toString(), closed);
      if (result !== undefined) resolve(result);
      else if (closed) reject(new Error('The connection was closed before an answer'));
      if (result !== undefined || closed) socket.destroy();
    };
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('Waited in vain for an answer')));
    socket.on('error', reject);
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      look(false);
    });
    socket.on('close', () => look(true));
    socket.setNoDelay();
    const [first = '', ...others] = texts;
    socket.write(first, 'latin1');
    others.forEach((text, index) => {
      setTimeout(() => socket.write(text, 'latin1'), (index + 1) * SEGMENT_INTERVAL).unref();
    });
  });
}

/** The first answer in what was received, `100 Continue` apart; undefined where it is not whole yet. */
export function parseAnswer(received: string, isHead: boolean): RawAnswer | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = received.slice(end + HEAD_END.length);
  if (status === 100) return parseAnswer(rest, isHead);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const missing = isHead ? 0 : Number(headers['content-length'] ?? 0) - Buffer.byteLength(rest);
  return missing > 0 ? undefined : { status, headers, body: rest };
}

/** Asserts that an answer is this error in the one form of errors, whoever raised it. */
export function assertErrorForm(answer: RawAnswer, status: number, code: ErrorCode): ErrorBody {
  assert.equal(answer.status, status, answer.body);
  const { headers } = answer;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['content-length'], String(Buffer.byteLength(answer.body)));
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.vary, 'Accept');
  assert.ok(headers.date, 'no Date');
  const error = JSON.parse(answer.body) as ErrorBody;
  const fields = ['success', 'message', 'code', ...(error.errors ? ['errors'] : []), 'requestId'];
  assert.deepEqual(Object.keys(error), fields);
  assert.equal(error.success, false);
  assert.equal(error.code, code);
  assert.match(error.message, /^\S.*\.$/);
  assert.match(error.requestId, /^[\w.:/+=-]{1,128}$/);
  assert.equal(headers['x-request-id'], error.requestId);
  return error;
}

/** Sends requests one after the other on each of eight connections that stay open. */
export async function sendAll(port: number, requests: readonly string[]): Promise<void> {
  const queue = [...requests];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(port, '127.0.0.1');
      try {
        for (let text = queue.pop(); text !== undefined; text = queue.pop()) {
          socket.write(text);
          await once(socket, 'data');
        }
      } finally {
        socket.destroy();
      }
    }),
  );
}
