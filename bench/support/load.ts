import { connect, type Socket } from 'node:net';

/** What a server did under load. */
export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  /** Milliseconds between the last byte of a request and the last byte of its answer. */
  p50: number;
  p99: number;
}

/** The bytes of the HTTP/1.1 request with a number: all connections to a server together send 0, 1, 2 and so on. */
export type Requests = (number: number) => Buffer;

/** One request after the other, and after the last one the first again. */
export function inTurn(requests: readonly Buffer[]): Requests {
  return (number) => requests[number % requests.length] ?? Buffer.alloc(0);
}

export interface Load {
  port: number;
  /** The bytes of the next request, whichever connection it goes over. */
  next: () => Buffer;
  connections: number;
  milliseconds: number;
  /** Milliseconds between an answer and the next request of a connection; absent: none. */
  pause?: number;
}

/** Sends requests on some connections, each waiting for the answer to the last one. Rejects where an answer is an error. */
export async function runLoad({ port, next, connections, milliseconds, pause }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + milliseconds;
  await Promise.all(Array.from({ length: connections }, keepAsking));
  const elapsed = performance.now() - begin;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requests: latencies.length,
    requestsPerSecond: (latencies.length / elapsed) * 1000,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };

  async function keepAsking(): Promise<void> {
    const socket = await open(port);
    await new Promise<void>((resolve, reject) => {
      let missing = 0;
      let sent = 0;
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The server closed a connection under load')));
      socket.on('data', (chunk) => {
        const expected = missing > 0 ? missing : lengthOfAnswer(chunk);
        if (expected === undefined || Number.isNaN(expected)) return reject(unexpected(chunk));
        missing = expected - chunk.length;
        if (missing > 0) return;
        if (missing < 0) return reject(new Error('An answer was longer than it said'));
        const now = performance.now();
        latencies.push(now - sent);
        if (now >= end) return resolve();
        if (pause === undefined) ask();
        else setTimeout(ask, pause);
      });
      ask();

      function ask(): void {
        sent = performance.now();
        socket.write(next());
      }
    });
    socket.destroy();
  }
}

/** The bytes of head and body, by the head; undefined where that is not whole, NaN for an answer that is neither 2xx nor 304. */
function lengthOfAnswer(start: Buffer): number | undefined {
  const end = start.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = start.toString('latin1', 0, end);
  if (head.startsWith('304 ', 'HTTP/1.1 '.length)) return end + 4;
  if (!head.startsWith('2', 'HTTP/1.1 '.length)) return Number.NaN;
  return end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
}

function unexpected(answer: Buffer): Error {
  return new Error(`The answer was: ${answer.toString('utf8', 0, 300)}`);
}

/** Sends requests one after the other on one connection. @returns the bytes of the answers, head and body; throws where one is neither 2xx nor 304 */
export async function* askAll(port: number, requests: Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  const socket = await open(port);
  try {
    const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
    for (const request of requests) {
      socket.write(request);
      let received = Buffer.alloc(0);
      let length: number | undefined;
      while (length === undefined || received.length < length) {
        const { value, done } = await chunks.next();
        if (done) throw new Error('The server closed the connection before it had answered');
        received = Buffer.concat([received, value]);
        length ??= lengthOfAnswer(received);
        if (Number.isNaN(length)) throw unexpected(received);
      }
      yield received;
    }
  } finally {
    socket.destroy();
  }
}

/** Like {@link askAll}, for one request. */
export async function fetchOnce(port: number, request: Buffer): Promise<Buffer> {
  for await (const answer of askAll(port, [request])) return answer;
  throw new TypeError('There is no answer');
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

/** The bytes of a request. */
export function requestBytes(
  method: 'GET' | 'POST',
  path: string,
  options: { headers?: Record<string, string>; body?: string } = {},
): Buffer {
  const body = options.body ?? '';
  const headers = {
    host: 'localhost',
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...options.headers,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}
