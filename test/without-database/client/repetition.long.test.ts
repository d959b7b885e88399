import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, afterEach, describe, it } from 'node:test';
import { ApiError, type Client, createClient } from '../../../src/client/client.ts';
import { pauseBefore } from '../../../src/client/repetition.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';

/** How a request is answered, or not. */
type Reply = (response: ServerResponse) => void;

const ID = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';
const answered: Reply = (response) => void response.end('{"success":true,"message":"Done","data":[]}');
const brokenOff: Reply = ({ socket }) => void socket?.destroy();
const amid: Reply = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"success":');
  setTimeout(() => response.destroy(), 20);
};
const refused =
  (status: number, code: string, retryAfter?: number): Reply =>
  (response) => {
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
    response.end(JSON.stringify({ success: false, message: 'Not now.', code, requestId: 'x' }));
  };
const fromProxy: Reply = (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>');

/** What is still to be answered, in this order; then it is a success. */
let script: Reply[] = [];
let requests: { at: number; url: string; body: string; key: string | undefined }[] = [];
const answer = (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => {
    body += piece;
  });
  request.on('end', () => {
    const key = request.headers['idempotency-key']?.toString();
    requests.push({ at: performance.now(), url: request.url ?? '', body, key });
    (script.shift() ?? answered)(response);
  });
};
const server = await listenOnLoopback(createServer(answer));
after(() => server[Symbol.asyncDispose]());
afterEach(() => {
  script = [];
  requests = [];
});
const clientWith = (retries?: number) => createClient({ baseUrl: server.url, retries });
const client = clientWith();
/** Milliseconds between one request and the next. */
const pauses = () => requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));
const read = (through = client, signal?: AbortSignal) => through.get('/livez', {}, { signal });

describe('client: repetition of requests', () => {
  it('the client repeats a request that was refused before it began, after the pause in Retry-After', async () => {
    for (const reply of [refused(429, 'TOO_MANY_REQUESTS', 1), refused(503, 'OVERLOADED', 1)]) {
      script = [reply];
      requests = [];
      await client.post('/api/webhooks/test', { id: ID });
      assert.deepEqual(
        requests.map(({ body }) => body),
        [`{"id":"${ID}"}`, `{"id":"${ID}"}`],
      );
      const [pause = 0] = pauses();
      assert.ok(pause >= 1000, `${pause} ms`);
    }
  });

  const REPEATABLE: Record<string, (client: Client) => Promise<unknown>> = {
    'a read': (through) => read(through),
    'an update': (through) => through.post('/api/users/update', { id: ID, firstName: 'Ana' }),
    'an update of the profile': (through) => through.post('/api/users/update-profile', { firstName: 'Ana' }),
    'a grant of a role': (through) => through.post('/api/users/grant-role', { userId: ID, role: 'SUPER_ADMIN' }),
    bookings: (through) => through.post('/api/bookings/record', { bookings: [] }),
    'a create': (through) => through.post('/api/departments/create', { companyId: ID, name: 'Finance', costCode: 'F' }),
    'a request with an idempotency key': (through) =>
      through.post('/api/webhooks/rotate-secret', { id: ID }, { idempotencyKey: 'rotation-1' }),
    'an update with ifMatch and a key': (through) =>
      through.post('/api/users/update', { id: ID, firstName: 'Ana' }, { ifMatch: '"1"', idempotencyKey: 'update-1' }),
    'a request that is marked as repeatable': (through) =>
      through.post('/api/webhooks/test', { id: ID }, { repeatable: true }),
  };
  for (const [name, ask] of Object.entries(REPEATABLE)) {
    it(`the client repeats ${name} if the response is incomplete`, async () => {
      script = [brokenOff, amid];
      await ask(client);
      assert.equal(requests.length, 3);
      assert.equal(new Set(requests.map(({ url, body, key }) => url + body + key)).size, 1);
    });
  }

  it('the client sends a new idempotency key for each create, and the same one for a repetition', async () => {
    const create = (options?: { idempotencyKey: string }) =>
      client.post('/api/departments/create', { companyId: ID, name: 'Finance', costCode: 'F' }, options);
    script = [refused(409, 'IDEMPOTENCY_KEY_IN_USE', 1)];
    await create();
    await create();
    await create({ idempotencyKey: 'mine' });
    await client.post('/api/departments/update', { id: ID, name: 'Finance' });
    const [first, again, second, given, update] = requests.map(({ key }) => key);
    assert.match(first ?? '', /^[0-9a-f]{32}$/);
    assert.equal(again, first);
    assert.notEqual(second, first);
    assert.deepEqual([given, update], ['mine', undefined]);
  });

  it('the client waits longer before each repetition', async () => {
    script = [brokenOff, fromProxy, refused(503, 'UNAVAILABLE'), refused(504, 'UNAVAILABLE')];
    await read();
    const all = pauses();
    assert.equal(all.length, 4);
    // A quarter of a second, then twice as long each time, by as little as half of it.
    for (const [index, pause] of all.entries()) assert.ok(pause >= 125 * 2 ** index - 5, `${all} ms`);
  });

  it('the client waits up to a quarter of a second, then twice as long each time, up to eight seconds', (t) => {
    const failure = new TypeError('fetch failed');
    const { mock } = t.mock.method(Math, 'random', () => 0);
    const last = (random: number) => {
      mock.mockImplementation(() => random);
      return [1, 2, 3, 6, 20].map((tries) => pauseBefore(failure, tries, true));
    };
    assert.deepEqual(last(0), [0.125, 0.25, 0.5, 4, 4]);
    assert.deepEqual(last(1), [0.25, 0.5, 1, 8, 8]);
    const reported = new Response(null, { status: 429, headers: { 'retry-after': '7' } });
    assert.equal(pauseBefore(new ApiError(reported, {}), 1, false), 7.25);
  });

  const ONCE: Record<string, (client: Client) => Promise<unknown>> = {
    'an update with ifMatch': (through) =>
      through.post('/api/users/update', { id: ID, firstName: 'Ana' }, { ifMatch: '"1"' }),
    'a delete': (through) => through.post('/api/bands/delete', { id: ID }),
    'a rotation of a secret': (through) => through.post('/api/webhooks/rotate-secret', { id: ID }),
    'a request that is marked as not repeatable': (through) =>
      through.post('/api/users/update', { id: ID, firstName: 'Ana' }, { repeatable: false }),
  };
  for (const [name, ask] of Object.entries(ONCE)) {
    it(`the client does not repeat ${name} if the outcome is unknown`, async () => {
      script = [brokenOff];
      await assert.rejects(ask(client), TypeError);
      script = [refused(503, 'UNAVAILABLE', 1)];
      await assert.rejects(ask(client), { name: 'ApiError', code: 'UNAVAILABLE', retryAfter: 1 });
      assert.equal(requests.length, 2);
    });
  }

  it('the client does not repeat a request that was refused for good', async () => {
    for (const [status, code] of [
      [400, 'INVALID_INPUT'],
      [403, 'ROLE_REQUIRED'],
      [409, 'IN_USE'],
      [500, 'INTERNAL_ERROR'],
    ] as const) {
      script = [refused(status, code, 1)];
      await assert.rejects(read(), { status, code });
    }
    assert.equal(requests.length, 4);
  });

  it('the client does not repeat a request whose Retry-After is long', async () => {
    script = [refused(429, 'TOO_MANY_REQUESTS', 3600)];
    await assert.rejects(read(), { status: 429, retryAfter: 3600 });
  });
});

describe('client: number of repetitions', () => {
  it('the client repeats a request at most as often as its retries option permits', async () => {
    script = Array.from({ length: 9 }, () => brokenOff);
    await assert.rejects(read(clientWith(2)), TypeError);
    assert.equal(requests.length, 3);
    await assert.rejects(read(clientWith(0)), TypeError);
    assert.equal(requests.length, 4);
  });

  it('the client stops immediately if the signal is aborted during a pause', async (t) => {
    script = [refused(503, 'UNAVAILABLE', 30)];
    const stop = new AbortController();
    const { setTimeout: setRealTimeout } = globalThis;
    t.mock.method(globalThis, 'setTimeout', (work: () => void, milliseconds = 0) => {
      // It is the pause: nothing else takes so long, and no longer.
      if (milliseconds >= 30_000 && milliseconds <= 30_250) setImmediate(() => stop.abort());
      return setRealTimeout(work, milliseconds);
    });
    await assert.rejects(read(client, stop.signal), { name: 'AbortError' });
    assert.equal(requests.length, 1);
  });

  it('the client does not repeat a request if the signal is aborted during the response', async () => {
    const stop = new AbortController();
    script = [() => stop.abort()];
    await assert.rejects(read(client, stop.signal), { name: 'AbortError' });
    await assert.rejects(read(client, AbortSignal.abort()), { name: 'AbortError' });
    assert.equal(requests.length, 1);
  });
});

describe('client: a response of a proxy', () => {
  it('the client throws an ApiError without a code for a response of a proxy', async () => {
    script = [fromProxy];
    const error = await read(clientWith(0)).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.errors], [502, undefined, []]);
    assert.match(error.message, /502 Bad Gateway/);
  });
});
