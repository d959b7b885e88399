import { connect, type Socket } from 'node:net';

/** What a server did under load. */
export interface LoadResult {
  requests: number;
  requestsPerSecond: number;
  /** Milliseconds between the last byte of a request and the last byte of its answer. */
  p50: number;
  p99: number;
}

/**
 * The bytes of one HTTP/1.1 request on a connection that is kept open; or for each connection a list of such requests, which it
 * sends in turn and whose answers are equally long.
 */
export type Requests = Buffer | readonly (readonly Buffer[])[];

export interface Load {
  port: number;
  request: Requests;
  connections: number;
  milliseconds: number;
  /** Milliseconds between an answer and the next request of a connection; absent: none. */
  pause?: number;
}

/**
 * Sends requests again and again on some connections, each waiting for the answer to the last one.
 * All answers on a connection must have the length of the first: bytes are counted and not parsed, so that this side costs little.
 */
export async function runLoad({ port, request, connections, milliseconds, pause }: Load): Promise<LoadResult> {
  const queues = Array.from({ length: connections }, (_, number) => queueOf(request, number));
  const answerLengths = await lengthsOfAnswers(port, request, queues);
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + milliseconds;
  await Promise.all(queues.map((queue, number) => keepAsking(queue, answerLengths[number] ?? 0)));
  const elapsed = performance.now() - begin;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requests: latencies.length,
    requestsPerSecond: (latencies.length / elapsed) * 1000,
    p50: quantile(0.5),
    p99: quantile(0.99),
  };

  async function keepAsking(queue: readonly Buffer[], answerLength: number): Promise<void> {
    const socket = await open(port);
    await new Promise<void>((resolve, reject) => {
      let missing = answerLength;
      let sent = 0;
      let next = 0;
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('The server closed a connection under load')));
      socket.on('data', (chunk) => {
        missing -= chunk.length;
        if (missing > 0) return;
        if (missing < 0) reject(new Error('An answer was longer than the first one'));
        const now = performance.now();
        latencies.push(now - sent);
        if (now >= end) return resolve();
        if (pause === undefined) ask();
        else setTimeout(ask, pause);
      });
      ask();

      function ask(): void {
        missing = answerLength;
        sent = performance.now();
        socket.write(queue[next] ?? '');
        next = (next + 1) % queue.length;
      }
    });
    socket.destroy();
  }
}

function queueOf(request: Requests, connection: number): readonly Buffer[] {
  return Buffer.isBuffer(request) ? [request] : (request[connection % request.length] ?? []);
}

async function lengthsOfAnswers(port: number, request: Requests, queues: readonly (readonly Buffer[])[]) {
  const lengthOf = async (asked: Buffer) => (await fetchOnce(port, asked)).length;
  if (Buffer.isBuffer(request)) return Array<number>(queues.length).fill(await lengthOf(request));
  return Promise.all(queues.map(([first = Buffer.alloc(0)]) => lengthOf(first)));
}

/** Sends one request and gives the bytes of its answer, head and body; rejects where the status is not 2xx or 304. */
export async function fetchOnce(port: number, request: Buffer): Promise<Buffer> {
  const socket = await open(port);
  try {
    socket.write(request);
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) continue;
      const head = received.toString('latin1', 0, headEnd);
      if (!/^HTTP\/1\.1 (?:2\d\d|304) /.test(head))
        throw new Error(`The answer was: ${received.toString('utf8', 0, 300)}`);
      const bodyLength = head.startsWith('HTTP/1.1 304') ? 0 : Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]);
      if (Number.isNaN(bodyLength)) throw new Error('The answer has no Content-Length');
      if (received.length >= headEnd + 4 + bodyLength) return received;
    }
    throw new Error('The server closed the connection before it had answered');
  } finally {
    socket.destroy();
  }
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
