import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { breakOff, seededRandom } from '../support/breaking-off.ts';
import { everythingUntilClosed, requestText } from '../support/raw-http.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Target } from './target.ts';

const LIST = 'GET /api/cities/list';
const IN_FLIGHT = 'orgdesk_http_requests_under_way';
/** The pages of a thousand cities, each another one. */
const PAGES = Array.from({ length: 150 }, (_, number) =>
  requestText(`${LIST}?isPaginationNeeded=true&limit=1000&page=${number + 1}`),
);

/** Asks, and reads the beginning of the answers alone. */
async function ask({ port }: Target, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // Cut off, or refused where too many come at once.
  socket.on('error', () => socket.destroy()).write(text);
  await Promise.race([once(socket, 'readable'), new Promise((resolve) => socket.on('close', resolve))]);
  return socket;
}

async function whileAsked(target: Target, texts: readonly string[], work: () => Promise<string>): Promise<string> {
  const sockets: Socket[] = [];
  try {
    await Promise.all(texts.map(async (text) => sockets.push(await ask(target, text))));
    return await work();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Another caller asks for a profile now and then: a slot that an attack holds is still held after seconds. */
function untilNoneInFlight(target: Target): Promise<unknown> {
  return waitUntil('no request in flight', async () => (await target.figure(IN_FLIGHT)) === 0, 5_000);
}

const cutFor = (target: Target, reason: string) =>
  target.figure(`orgdesk_http_connections_cut_total{reason="${reason}"}`);

/** One connection asks for 60 pages of a thousand and then for 1,010 of something else, reads nothing, and closes. */
export async function pipelinedAndClosed(target: Target, request: string): Promise<string> {
  let most = 0;
  let closedAt = 0;
  await whileAsked(target, [PAGES.slice(0, 60).join('') + request.repeat(1_010)], async () => {
    for (let time = 0; time < 20; time++) {
      most = Math.max(most, await target.figure(IN_FLIGHT));
      await sleep(50);
    }
    closedAt = performance.now();
    return '';
  });
  await untilNoneInFlight(target);
  const seconds = (performance.now() - closedAt) / 1000;
  assert.ok(most <= 4 + 1, `${most} in flight`);
  return `${most} in flight at most, 0 after ${seconds.toFixed(1)} s`;
}

/** Milliseconds; before an answer stands still the system takes megabytes of it for each connection. */
const CUT_LIMIT = 90_000;

/** Milliseconds without another cut after which there is none to come: it is looked for answers that stand still far more often. */
const CUT_PAUSE = 15_000;

/**
 * So many connections ask for the full list of cities, and read no more than its beginning: each is cut, but those whose answer the system
 * has taken as a whole, as it may where the list is compressed.
 */
export async function unreadLists(target: Target, connections: number, ...headers: string[]): Promise<string> {
  const before = await cutFor(target, 'standstill');
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const cut = async () => (await cutFor(target, 'standstill')) - before;
  return whileAsked(target, Array(connections).fill(requestText(LIST, headers)), async () => {
    await untilNoneInFlight(target);
    await waitUntil('the first to be cut', async () => (await cut()) > 0, CUT_LIMIT);
    const first = seconds();
    let [count, last] = [await cut(), seconds()];
    await waitUntil(
      'all to be cut',
      async () => {
        const now = await cut();
        if (now > count) [count, last] = [now, seconds()];
        return count >= connections || seconds() - last > CUT_PAUSE / 1000;
      },
      CUT_LIMIT,
    );
    assert.ok(headers.length > 0 || count >= connections, `${count} × cut`);
    assert.ok(first >= 30, `cut after ${first} s`);
    const whole = count < connections ? `, ${connections - count} × taken whole by the system` : '';
    return `${count} × cut off after ${first.toFixed(0)} to ${last.toFixed(0)} s${whole}, no slot held meanwhile`;
  });
}

/** So many connections ask for so many pages of a thousand each, and read no more than the beginning. */
export async function unreadPages(target: Target, connections: number, pages: number): Promise<string> {
  const texts = Array.from({ length: connections }, (_, number) =>
    Array.from({ length: pages }, (_page, index) => PAGES[(number * 7 + index) % PAGES.length]).join(''),
  );
  const before = await cutFor(target, 'memory');
  return whileAsked(target, texts, async () => {
    await sleep(15_000);
    await untilNoneInFlight(target);
    return `${(await cutFor(target, 'memory')) - before} × cut off within 15 s as too much waited`;
  });
}

/** A thousand header lines, and behind them one that the checks have to see. */
export async function hiddenHeaders(port: number, callers: number): Promise<string> {
  const hidden = [
    'Host: another',
    'Authorization: Bearer x',
    'Transfer-Encoding: gzip, chunked',
    'X-Forwarded-For: ::1',
  ];
  const behind = requestText('GET /api/countries/list');
  const requests = hidden.map((header) => requestText('GET /api/countries/list', [...Array(1000).fill('a:'), header]));
  return answeredAndClosed(
    port,
    callers,
    requests.map((request) => request + behind),
    '431',
  );
}

/** Requests for another protocol, with the head of another request behind them whose body is a request. */
export async function otherProtocols(port: number, callers: number): Promise<string> {
  const body = requestText('GET /api/countries/list');
  const requests = ['websocket', 'h2c'].map((protocol) => {
    const first = requestText('GET /api/countries/list', ['Connection: Upgrade', `Upgrade: ${protocol}`]);
    return first + requestText('POST /api/countries/list', [`Content-Length: ${body.length}`]);
  });
  return answeredAndClosed(port, callers, requests, '200', body);
}

async function answeredAndClosed(
  port: number,
  callers: number,
  requests: readonly string[],
  status: string,
  ...later: string[]
): Promise<string> {
  const received = await Promise.all(
    Array.from({ length: callers }, (_, caller) =>
      everythingUntilClosed(port, requests[caller % requests.length] ?? '', ...later),
    ),
  );
  for (const text of received) assert.deepEqual(text.match(/HTTP\/1\.1 \d{3}/g), [`HTTP/1.1 ${status}`]);
  return `${received.length} × ${status}, closed, and nothing behind it answered`;
}

/** A minute at the most to settle, then so many seconds of connections that break off at any moment of their answers. */
export async function breakingOff(
  target: Target,
  { connections, seconds, seed }: { connections: number; seconds: number; seed: number },
  authorization: string,
): Promise<string> {
  const { port } = target;
  const profile = [`Authorization: ${authorization}`];
  const requests = [
    ...PAGES.slice(0, 4),
    requestText(LIST),
    requestText(LIST, ['Accept-Encoding: br']),
    requestText(`${LIST}?search=a`),
    ...['?search=del', '?search=san&page=2'].map((query) => requestText(`${LIST}${query}&isPaginationNeeded=true`)),
    ...Array.from({ length: 4 }, () => requestText('GET /api/users/profile', profile)),
    requestText('POST /api/states/list', ['Content-Type: application/json'], '{"search":"new"}'),
  ];
  const random = seededRandom(seed);
  const settled = async (length: number) => {
    const brokenOff = await breakOff({ port, connections, seconds: length, requests, random });
    await untilNoneInFlight(target);
    await sleep(2_000);
    return { brokenOff, memory: target.memory() };
  };
  const before = await settled(Math.min(60, seconds));
  const after = await settled(seconds);
  const memory = `memory ${before.memory.toFixed(0)} MB before, ${after.memory.toFixed(0)} MB after`;
  assert.ok(after.memory <= before.memory * 1.1, memory);
  return `${after.brokenOff} connections broken off in ${seconds} s, then 0 in flight; ${memory}`;
}
