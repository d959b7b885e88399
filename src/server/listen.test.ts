import assert from 'node:assert/strict';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import Fastify, { type FastifyInstance } from 'fastify';
import { type Config, readConfig } from '../config/config.ts';
import { guardConnections } from '../http/connections/guard-connections.ts';
import { createLog } from '../http/request/request-log.ts';
import { serverOptions } from '../http/server-options.ts';
import { UserError } from '../lib/errors.ts';
import { listen, stopListening } from './listen.ts';
import { checkListenAddresses } from './listen-address.ts';

function serviceAnswering(handler: () => Promise<string>): FastifyInstance {
  const app = Fastify(serverOptions(createLog('silent')));
  app.get('/', handler);
  return app;
}

async function listenAndOpen(HOST: string): Promise<{ address: string; text: string }> {
  const app = serviceAnswering(async () => 'here');
  try {
    const address = await listen(app, readConfig({ HOST, PORT: '0' }));
    return { address, text: await (await fetch(address)).text() };
  } finally {
    await app.close();
  }
}

test('listen returns an address that can be opened', async () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
  const cases: [host: string, address: RegExp][] = [
    ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['localhost', /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ];
  if (hasIpv6) cases.push(['::1', /^http:\/\/\[::1\]:\d+$/], ['::', /^http:\/\/localhost:\d+$/]);
  for (const [host, expected] of cases) {
    const { address, text } = await listenAndOpen(host);
    assert.match(address, expected);
    assert.equal(text, 'here');
  }
});

const attempts = {
  checkListenAddresses,
  listen: (config: Config) =>
    listen(
      serviceAnswering(async () => ''),
      config,
    ),
};

for (const [name, attempt] of Object.entries(attempts)) {
  test(`${name} reports a port that is in use and how to choose another`, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await assert.rejects(attempt(readConfig({ PORT: String(port) })), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(error.message, `Port ${port} on 127.0.0.1 is taken by another program: set PORT to a free one.`);
      return true;
    });
    other.close();
  });

  test(`${name} reports a host that is not on this machine`, async () => {
    // 192.0.2.0/24 is for documentation (RFC 5737).
    for (const HOST of ['192.0.2.1', 'nowhere.invalid']) {
      const failure = attempt(readConfig({ HOST, PORT: '0' }));
      await assert.rejects(
        failure,
        (error) => error instanceof UserError && error.message.includes(`listen on ${HOST}`),
      );
    }
  });
}

test('checkListenAddresses leaves the port free', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  other.close();
  await once(other, 'close');
  await checkListenAddresses(readConfig({ PORT }));
  await checkListenAddresses(readConfig({ PORT }));
});

test('the stopping server answers a request that has begun, and aborts one that does not end', async (t) => {
  let answer: (text: string) => void = () => undefined;
  const begun: (() => void)[] = [];
  const app = serviceAnswering(() => {
    begun.shift()?.();
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  app.get('/never', () => new Promise<string>(() => begun.shift()?.()));
  const address = await listen(app, readConfig({ PORT: '0' }));
  const [first, second] = [0, 1].map(() => new Promise<void>((resolve) => begun.push(resolve)));
  const answered = fetch(address).then((response) => response.text());
  await first;
  let isLost = false;
  const lost = fetch(`${address}/never`)
    .catch((error: unknown) => error)
    .finally(() => {
      isLost = true;
    });
  await second;
  const silent = connect(Number(new URL(address).port), '127.0.0.1');
  await once(silent, 'connect');
  silent.on('error', () => undefined).write('GET / HT');

  t.mock.timers.enable({ apis: ['setTimeout'] });
  // Modules that have imported `node:timers/promises` get it too.
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.timers.reset();
    syncBuiltinESMExports();
  });
  const stopped = stopListening(app, { delay: 1_000, requestsDeadline: 2_000 });
  t.mock.timers.tick(1_000);
  while (app.server.listening) await new Promise(setImmediate);
  t.mock.timers.tick(1_999);
  answer('to the end');
  assert.equal(await answered, 'to the end');
  assert.equal(isLost, false);
  t.mock.timers.tick(1);
  assert.ok((await lost) instanceof Error);
  await stopped;
});

test('the stopping server sends a whole response to a client that is still reading', async () => {
  const app = Fastify(serverOptions(createLog('silent')));
  const length = 20_000_000;
  const guard = guardConnections(app.server, app.routing);
  app.server.removeAllListeners('request').on('request', guard.listener);
  app.get('/', async () => Buffer.alloc(length));
  const client = connect(Number(new URL(await listen(app, readConfig({ PORT: '0' }))).port), '127.0.0.1');
  let received = 0;
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(client, 'readable');
  const stopped = stopListening(app, { delay: 0, requestsDeadline: 600_000 });
  client.on('data', (piece: Buffer) => {
    received += piece.length;
    client.pause();
    setTimeout(() => client.resume(), 1);
  });
  await Promise.all([stopped, once(client, 'close')]);
  assert.ok(received > length, `${received} bytes`);
});

/** Runs in a worker thread: sends a request, reports that it is sent, then the outcome. */
const CLIENT = `
  const { workerData: { port, sent }, parentPort } = require('node:worker_threads');
  const socket = require('node:net').connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => { answer += chunk; });
  socket.on('error', (error) => { answer = error.message; });
  socket.on('close', () => parentPort.postMessage(answer));
  socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', () => {
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
`;

test('the stopping server answers a connection that it had no time to accept', async () => {
  const app = serviceAnswering(async () => 'here');
  const port = Number(new URL(await listen(app, readConfig({ PORT: '0' }))).port);
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const stopped = stopListening(app, { delay: 1 });
  const client = new Worker(CLIENT, { eval: true, workerData: { port, sent } });
  const answer = once(client, 'message');
  // This thread is blocked for longer than the delay while the other one works.
  assert.notEqual(Atomics.wait(sent, 0, 0, 600_000), 'timed-out');
  await stopped;
  assert.match(String(await answer), /^HTTP\/1\.1 200 .*here$/s);
});
