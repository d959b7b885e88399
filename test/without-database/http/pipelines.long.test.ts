import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { ownersAsked } from '../../support/caller-rows.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { buildMeasuredApp, type MeasuredApp, works } from '../../support/measured-app.ts';
import { everythingUntilClosed, exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const PROFILE = '/api/users/profile';
const PAGE = '/api/countries/list?isPaginationNeeded=true';
const userNumber = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;

/** A database that looks callers up when it is told to: nobody is there. */
function heldDatabase() {
  const waiting = new Map<string, () => void>();
  const query = <Row>(statement: Sql): Promise<Row[]> => {
    if (!statement.text.includes('users')) return works();
    return new Promise((resolve) => {
      const answer = () => resolve([]);
      for (const owner of ownersAsked(statement)) waiting.set(owner, answer);
    });
  };
  return { query, waiting };
}

async function profileOf({ bare }: MeasuredApp, user: number, ...headers: string[]): Promise<string> {
  const token = await bare.context.signToken(userNumber(user), 60);
  return requestText(`GET ${PROFILE}`, [`Authorization: Bearer ${token}`, ...headers]);
}

async function inFlight(service: MeasuredApp): Promise<number | undefined> {
  return (await service.scrape()).figures.get('orgdesk_http_requests_under_way');
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write(text);
  await once(socket, 'connect');
  return socket;
}

describe('many requests on one connection', () => {
  it('sixty requests on one connection take four slots, which are free when the connection closes', async () => {
    const { query, waiting } = heldDatabase();
    await using service = await buildMeasuredApp({ query, settings: { MAX_REQUESTS_UNDER_WAY: '5' } });
    const requests = await Promise.all(Array.from({ length: 60 }, (_, number) => profileOf(service, number)));
    const socket = await open(service.port, requests.join(''));
    await waitUntil('the first to wait for the database', () => waiting.size > 0);
    await waitUntil('as many as there may be', () => waiting.size === 4);
    await sleep(100);
    assert.equal(await inFlight(service), 4);
    const other = exchange(service.port, await profileOf(service, 100));
    await waitUntil('another caller to wait for the database', () => waiting.has(userNumber(100)));
    waiting.get(userNumber(100))?.();
    assert.equal((await other).status, 401);

    socket.destroy();
    // The connection is not read while so many wait on it: that it is closed shows when something is sent.
    for (const answer of waiting.values()) answer();
    await waitUntil('nothing to be in flight', async () => (await inFlight(service)) === 0);
    const counted = await service.counted();
    const all = Object.values(counted).reduce((sum, count) => sum + count, 0);
    assert.equal(all, waiting.size, JSON.stringify(counted));
    assert.ok(all < 20, `${all} have been worked on`);
  });

  it('the requests of a closed connection are not in flight, even while the database does not answer', async () => {
    const { query, waiting } = heldDatabase();
    await using service = await buildMeasuredApp({ query });
    const requests = await Promise.all(Array.from({ length: 15 }, (_, number) => profileOf(service, number)));
    const socket = await open(service.port, requests.join(''));
    await waitUntil('some to wait for the database', () => waiting.size > 0);
    await waitUntil('as many as there may be', () => waiting.size === 4);
    await sleep(100);
    assert.equal(await inFlight(service), 4);
    socket.destroy();
    await waitUntil('nothing to be in flight', async () => (await inFlight(service)) === 0);
    assert.deepEqual(await service.counted(), { 'profile.view aborted': 4 });
  });

  it('a request whose finished response waits for an earlier one takes no slot', async () => {
    const { query, waiting } = heldDatabase();
    await using service = await buildMeasuredApp({ query });
    const socket = await open(service.port, await profileOf(service, 1));
    await waitUntil('the first to wait for the database', () => waiting.size === 1);
    socket.write(await profileOf(service, 2));
    await waitUntil('both to wait for the database', () => waiting.size === 2);
    assert.equal(await inFlight(service), 2);
    waiting.get(userNumber(2))?.();
    await waitUntil('the answer to the second to be made', async () => (await inFlight(service)) === 1);
    assert.deepEqual([socket.bytesRead, await service.counted()], [0, {}]);
    waiting.get(userNumber(1))?.();
    await waitUntil('the answer to the first', async () => (await inFlight(service)) === 0 && socket.bytesRead > 0);
    socket.destroy();
  });

  it('pipelined requests, with HEAD and 304 among them, are answered in order and each is counted', async () => {
    await using service = await buildMeasuredApp();
    const { headers } = await exchange(service.port, requestText(`GET ${PAGE}`));
    const round = [
      requestText(`GET ${PAGE}`),
      requestText(`HEAD ${PAGE}`),
      requestText(`GET ${PAGE}`, [`If-None-Match: ${headers.etag}`]),
      requestText('POST /api/countries/list', ['Content-Type: application/json'], '{"isPaginationNeeded":true}'),
      requestText('GET /nothing'),
    ];
    const last = requestText('GET /livez', ['Connection: close']);
    const received = await everythingUntilClosed(service.port, round.join('').repeat(30) + last);
    const statuses = Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status);
    assert.deepEqual(statuses, [...Array(30).fill(['200', '200', '304', '200', '404']).flat(), '200']);
    assert.deepEqual(await service.counted(), {
      'countries.list 200': 91,
      'countries.list 304': 30,
      'unmatched 404': 30,
      'health 200': 1,
    });
  });
});

describe('a request behind one that closes the connection', () => {
  it('a request after one that closes the connection is not processed', async () => {
    const requested: string[] = [];
    const query = async <Row>(statement: Sql) => {
      requested.push(...ownersAsked(statement));
      return [] as Row[];
    };
    await using service = await buildMeasuredApp({ query });
    const behind = (await profileOf(service, 1)).replace('GET ', 'POST ').replace(PROFILE, '/api/users/update-profile');
    for (const first of [
      requestText(`GET ${PAGE}`, ['Host: another']),
      requestText('GET /nothing', ['Host: another']),
      requestText(`GET ${PAGE}`, ['Connection: close']),
      await profileOf(service, 2, 'Connection: close'),
      await profileOf(service, 2, 'Connection: Upgrade', 'Upgrade: websocket'),
      `${requestText(`GET ${PAGE}`)}CONNECT elsewhere:443 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `${requestText(`GET ${PAGE}`)}nonsense\r\n\r\n`,
    ]) {
      const received = await everythingUntilClosed(service.port, first + behind, behind);
      assert.match(received, /^HTTP\/1\.1 \d{3} /, first);
    }
    assert.deepEqual(new Set(requested), new Set([userNumber(2)]));
  });

  it('a refusal of a malformed request is sent after the pending responses', async () => {
    for (const [refused, status] of [
      ['nonsense\r\n\r\n', '400'],
      ['CONNECT elsewhere:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', '405'],
      [requestText('GET /', [`X: ${'x'.repeat(40_000)}`]), '431'],
    ] as const) {
      const { query, waiting } = heldDatabase();
      await using service = await buildMeasuredApp({ query });
      const received = everythingUntilClosed(service.port, (await profileOf(service, 1)) + refused);
      await waitUntil('the first to wait for the database', () => waiting.size === 1);
      await sleep(100);
      waiting.get(userNumber(1))?.();
      const statuses = Array.from((await received).matchAll(/HTTP\/1\.1 (\d{3})/g), ([, code]) => code);
      assert.deepEqual(statuses, ['401', status]);
    }
  });

  it('the service continues when a client resets the connection after CONNECT before its response', async () => {
    const { query, waiting } = heldDatabase();
    await using service = await buildMeasuredApp({ query });
    const connectElsewhere = 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const socket = await open(service.port, (await profileOf(service, 1)) + connectElsewhere);
    await waitUntil('the first to wait for the database', () => waiting.size === 1);
    await sleep(50);
    socket.resetAndDestroy();
    await sleep(50);
    waiting.get(userNumber(1))?.();
    await waitUntil('nothing to be in flight', async () => (await inFlight(service)) === 0);
    assert.equal((await exchange(service.port, requestText(`GET ${PAGE}`))).status, 200);
  });
});

it('a network behind a proxy loses only its stalled connections beyond a hundred', async (t) => {
  // More than the system takes for a connection on this machine.
  const cities = Array.from({ length: 40_000 }, (_, id) => ({ id: id + 1, name: `Panaji ${id}`, stateId: 1 }));
  const states = [{ id: 1, name: 'Goa', countryId: 1, stateCode: 'GA' }];
  const countries = [{ id: 1, name: 'India', iso2: 'IN', iso3: 'IND' }];
  const settings = { TRUST_PROXY: '127.0.0.1' };
  using clock = manualClock(t);
  await using bare = await buildBareApp({ places: { cities, states, countries }, settings });
  // It would wait for them, and no time passes by itself.
  using _connections = { [Symbol.dispose]: () => bare.app.server.closeAllConnections() };
  const port = await listenLocally(bare.app);
  const accepted: Socket[] = [];
  bare.app.server.on('connection', (socket) => accepted.push(socket));
  const ask = async (from: string) => {
    const socket = await open(port, requestText('GET /api/cities/list', [`X-Forwarded-For: ${from}`]));
    await once(socket, 'readable');
  };
  for (let number = 0; number < 3; number++) await ask('192.0.2.1');
  for (let number = 0; number < 110; number++) await ask(`2001:db8::${number.toString(16)}`);
  let taken = Number.NaN;
  await waitUntil('the system to take no more of any answer', () => {
    const before = taken;
    taken = accepted.reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0);
    return taken === before && accepted.every(({ writableLength }) => writableLength > 0);
  });
  const cut = () => accepted.filter(({ destroyed }) => destroyed).length;
  assert.equal(cut(), 0);
  await clock.passUntil('those beyond a hundred to be cut', () => cut() >= 10, 1_000);
  await clock.pass(10_000);
  assert.equal(cut(), 10);
  assert.deepEqual(
    accepted.slice(0, 3).map(({ destroyed }) => destroyed),
    [false, false, false],
  );
});
