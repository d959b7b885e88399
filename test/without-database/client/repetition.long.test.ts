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

/** Successes that no service sent. */
const NOT_OURS: Record<string, Reply> = {
  'a page of HTML': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
  'JSON of somebody else': (response) => void response.end('{"status":"ok"}'),
  'an empty body': (response) => void response.end(),
  'a 204': (response) => void response.writeHead(204).end(),
  'JSON that is cut': (response) => void response.end('{"success":true,"data":[{"id'),
};

/** What is still to be answered, in this order; then it is a success. */
let script: Reply[] = [];
let requests: { at: number; url: string; body: string; key: string | undefined; agent: string | undefined }[] = [];
const answer = (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => {
    body += piece;
  });
  request.on('end', () => {
    const key = request.headers['idempotency-key']?.toString();
    requests.push({ at: performance.now(), url: request.url ?? '', body, key, agent: request.headers['user-agent'] });
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
    'a read': (through) => through.get('/api/countries/list'),
    'an update': (through) => through.post('/api/users/update', { id: ID, firstName: 'Ana' }),
    'an update of the profile': (through) => through.post('/api/users/update-profile', { firstName: 'Ana' }),
    'a grant of a role': (through) => through.post('/api/users/grant-role', { userId: ID, role: 'SUPER_ADMIN' }),
    bookings: (through) => through.post('/api/bookings/record', { bookings: [] }),
    'a create': (through) => through.post('/api/departments/create', { companyId: ID, name: 'Finance', costCode: 'F' }),
    'a delete': (through) => through.post('/api/bands/delete', { id: ID }),
    'a rotation of a secret': (through) => through.post('/api/webhooks/rotate-secret', { id: ID }),
    'an update with ifMatch': (through) =>
      through.post('/api/users/update', { id: ID, firstName: 'Ana' }, { ifMatch: '"1"' }),
  };
  for (const [name, ask] of Object.entries(REPEATABLE)) {
    it(`the client repeats ${name} if the response is incomplete`, async () => {
      script = [brokenOff, amid, ...Object.values(NOT_OURS)];
      await ask(clientWith(9));
      assert.equal(requests.length, 3 + Object.keys(NOT_OURS).length);
      assert.equal(new Set(requests.map(({ url, body, key }) => url + body + key)).size, 1);
    });
  }

  it('the client sends a new idempotency key for each POST, and the same one for a repetition', async () => {
    const create = (options?: { idempotencyKey: string }) =>
      client.post('/api/departments/create', { companyId: ID, name: 'Finance', costCode: 'F' }, options);
    script = [refused(409, 'IDEMPOTENCY_KEY_IN_USE', 1)];
    await create();
    await create();
    await create({ idempotencyKey: 'mine' });
    await client.post('/api/webhooks/rotate-secret', { id: ID });
    const [first, again, second, given, rotation] = requests.map(({ key }) => key);
    assert.match(first ?? '', /^[0-9a-f]{32}$/);
    assert.equal(again, first);
    assert.notEqual(second, first);
    assert.equal(given, 'mine');
    assert.match(rotation ?? '', /^[0-9a-f]{32}$/);
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

  it('the client does not repeat a request that is marked as not repeatable if the outcome is unknown', async () => {
    const once = () => client.post('/api/users/update', { id: ID, firstName: 'Ana' }, { repeatable: false });
    script = [brokenOff];
    await assert.rejects(once(), TypeError);
    script = [refused(503, 'UNAVAILABLE', 1)];
    await assert.rejects(once(), { name: 'ApiError', code: 'UNAVAILABLE', retryAfter: 1 });
    assert.equal(requests.length, 2);
  });

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
    script = [refused(503, 'UNAVAILABLE', 50)];
    const stop = new AbortController();
    const { setTimeout: setRealTimeout } = globalThis;
    t.mock.method(globalThis, 'setTimeout', (work: () => void, milliseconds = 0) => {
      // It is the pause: nothing else takes so long.
      if (milliseconds >= 50_000 && milliseconds <= 50_250) setImmediate(() => stop.abort());
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

describe('client: an answer that does not come', () => {
  it('the client repeats a request that is not answered within its time limit, then rejects with a TimeoutError', async () => {
    const silent: Reply = () => undefined;
    script = [silent];
    await createClient({ baseUrl: server.url, timeout: 200 }).get('/livez');
    assert.equal(requests.length, 2);
    script = [silent, silent];
    const call = createClient({ baseUrl: server.url, retries: 1 }).get('/livez', {}, { timeout: 200 });
    await assert.rejects(call, { name: 'TimeoutError' });
    assert.equal(requests.length, 4);
  });

  it('the client ends an attempt of a fetch that ignores its signal', async () => {
    const forever = () => new Promise<Response>(() => undefined);
    const stuck = createClient({ baseUrl: server.url, timeout: 50, retries: 0, fetch: forever });
    await assert.rejects(stuck.get('/livez'), { name: 'TimeoutError' });
  });

  it('the client reads a Retry-After that is a date, by the clock of the server', async () => {
    const [now, until] = ['Sat, 03 Jan 2026 00:00:00 GMT', 'Sat, 03 Jan 2026 01:00:00 GMT'];
    script = [(response) => void response.writeHead(429, { date: now, 'retry-after': until }).end()];
    await assert.rejects(read(), { status: 429, retryAfter: 3600 });
    assert.equal(requests.length, 1);
  });

  it('the client follows no redirect of a write, and says so', async () => {
    script = [(response) => void response.writeHead(301, { location: '/elsewhere' }).end()];
    await assert.rejects(client.post('/api/users/update-profile', { firstName: 'Ana' }), /redirects a POST/);
    assert.equal(requests.length, 1);
    script = [(response) => void response.writeHead(301, { location: '/elsewhere' }).end()];
    await read();
    assert.deepEqual(
      requests.slice(1).map(({ url }) => url),
      ['/livez', '/elsewhere'],
    );
  });
});

describe('client: a response of a proxy', () => {
  for (const [name, reply] of Object.entries(NOT_OURS)) {
    it(`the client throws an ApiError with address and request id for a success that is ${name}`, async () => {
      script = [(response) => void reply(response.setHeader('x-request-id', 'of-the-proxy'))];
      const error = await clientWith(0)
        .get('/api/countries/list')
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ApiError, String(error));
      const url = `${server.url}/api/countries/list`;
      assert.deepEqual([error.url, error.code, error.requestId], [url, undefined, 'of-the-proxy']);
      assert.ok(error.status < 300 && error.message.includes(`${url} is ${error.status}`), error.message);
    });

    it(`a live change feed of the client goes on after a success that is ${name}`, async () => {
      script = [reply, (response) => void response.end('{"success":true,"data":[{"id":"1"}],"next":"2"}')];
      const changes = clientWith(0).changes();
      assert.equal((await changes.next()).value?.id, '1');
      await changes.return();
    });
  }

  it('the client tells onResponse the head of each response, and sends its name and version', async () => {
    const heads: (string | number | null)[][] = [];
    script = [refused(429, 'TOO_MANY_REQUESTS', 0)];
    await createClient({
      baseUrl: server.url,
      onResponse: ({ method, path, status, headers }) =>
        void heads.push([method, path, status, headers.get('retry-after')]),
    }).get('/livez');
    assert.deepEqual(heads, [
      ['GET', '/livez', 429, '0'],
      ['GET', '/livez', 200, null],
    ]);
    assert.match(requests[0]?.agent ?? '', /^orgdesk-client\/\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('the client throws an ApiError without a code for a response of a proxy', async () => {
    script = [fromProxy];
    const error = await read(clientWith(0)).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.errors], [502, undefined, []]);
    assert.match(error.message, /502 Bad Gateway/);
  });
});
