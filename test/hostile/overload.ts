import assert from 'node:assert/strict';
import { assertClosed, hold, type Outcome } from './connections.ts';

const LIST = '/api/cities/list';
const PIECE = 'x'.repeat(64 * 1024);
const HUNDRED_MB = 100 * 1024 * 1024;
const JSON_TYPE = 'Content-Type: application/json';

const head = (line: string, ...headers: string[]) => [`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n');
const times = (number: number, one: (index: number) => Promise<Outcome>) =>
  Promise.all(Array.from({ length: number }, (_, index) => one(index)));

/** So many callers send a header a second, and never come to an end. */
export async function slowHeaders(port: number, callers: number): Promise<string> {
  const outcomes = await times(callers, (index) =>
    hold(port, `${head(`GET ${LIST}`)}\r\n`, () => `X-${index}: some\r\n`, 1000),
  );
  return assertClosed(outcomes, [408], 9.5, 15);
}

/** So many callers send a byte of their body a second; every other one to a path behind a token. */
export async function slowBodies(port: number, callers: number, authorization: string): Promise<string> {
  const outcomes = await times(callers, (index) => {
    const path = index % 2 === 0 ? LIST : '/api/users/update-profile';
    const request = head(`POST ${path}`, JSON_TYPE, `Authorization: ${authorization}`, 'Content-Length: 10000');
    return hold(port, `${request}\r\n\r\n{"search":"`, () => 'x', 1000);
  });
  return assertClosed(outcomes, [408], 9.5, 15);
}

/** The same without a token: they are refused at once, and have to be closed all the same. */
export async function slowBodiesOfStrangers(port: number, callers: number): Promise<string> {
  const request = head('POST /api/users/update-profile', JSON_TYPE, 'Content-Length: 10000');
  const outcomes = await times(callers, () => hold(port, `${request}\r\n\r\n{"a":"`, () => 'x', 1000));
  return assertClosed(outcomes, [401], 0, 15);
}

/** Bodies of 100 MB, announced and in chunks, all at once. */
export async function largeBodies(port: number, callers: number, authorization: string): Promise<string> {
  const outcomes = await times(callers, (index) => {
    const isChunked = index % 2 === 0;
    const path = index % 4 < 2 ? LIST : '/api/users/update-profile';
    const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${HUNDRED_MB}`;
    const request = head(`POST ${path}`, JSON_TYPE, `Authorization: ${authorization}`, length);
    return hold(port, `${request}\r\n\r\n`, flood(isChunked), 0);
  });
  const most = Math.max(...outcomes.map(({ sent }) => sent)) / 1024 / 1024;
  return `${assertClosed(outcomes, [413, undefined], 0, 15)}, ${most.toFixed(1)} MB sent at most`;
}

/** Bodies of 100 MB where none is read: behind a token that is missing, and on a GET. */
export async function unwantedBodies(port: number, callers: number): Promise<string> {
  const outcomes = await times(callers, (index) => {
    const line = index % 2 === 0 ? 'POST /api/users/update-profile' : 'GET /api/companies/list';
    const request = head(line, JSON_TYPE, `Content-Length: ${HUNDRED_MB}`, 'Connection: close');
    return hold(port, `${request}\r\n\r\n`, flood(false), 0);
  });
  return assertClosed(outcomes, [401, undefined], 0, 15);
}

function flood(isChunked: boolean): () => string | undefined {
  let left = HUNDRED_MB / PIECE.length;
  return () => {
    left -= 1;
    if (left < 0) return undefined;
    return isChunked ? `${PIECE.length.toString(16)}\r\n${PIECE}\r\n` : PIECE;
  };
}

/** JSON of so many levels: more than fit into a body, and as many as do. */
export async function deepBodies(port: number, callers: number): Promise<string> {
  const answers = new Set<number | undefined>();
  for (const [levels, status] of [
    [100_000, 413],
    [32_000, 400],
  ] as const) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"":', '}'],
    ] as const) {
      const depth = Math.min(levels, status === 400 ? Math.floor(64_000 / (open.length + close.length)) : levels);
      const body = `{"search":${open.repeat(depth)}1${close.repeat(depth)}}`;
      const request = head(`POST ${LIST}`, JSON_TYPE, 'Connection: close', `Content-Length: ${body.length}`);
      const outcomes = await times(callers, () => hold(port, `${request}\r\n\r\n${body}`, () => undefined, 0));
      assertClosed(outcomes, [status], 0, 15);
      for (const outcome of outcomes) answers.add(outcome.status);
    }
  }
  return [...answers].join(' or ');
}

/** So many headers in one request, by so many callers. */
export async function manyHeaders(port: number, callers: number, headers: number): Promise<string> {
  const more = Array.from({ length: headers }, (_, index) => `X-${index}: some`);
  const request = `${head(`GET ${LIST}`, ...more)}\r\n\r\n`;
  const outcomes = await times(callers, () => hold(port, request, () => undefined, 0));
  assert.ok(outcomes.length === callers);
  return assertClosed(outcomes, [431], 0, 15);
}
