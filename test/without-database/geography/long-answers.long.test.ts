import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** From one buffer, and from a stream: each of more bytes than a connection holds on its way. */
const LONG = ['GET /api/cities/list', 'GET /api/cities/list?search=a'] as const;

const bare = await buildBareApp({ places: 'world' });
const port = await listenLocally(bare.app);
const accepted = new Set<Socket>();
bare.app.server.on('connection', (socket: Socket) => {
  accepted.add(socket);
  socket.once('close', () => accepted.delete(socket));
});
after(() => bare[Symbol.asyncDispose]());

/** Asks for a long answer, reads the beginning of it, and no more. */
async function askAndPause(request: string): Promise<{ socket: Socket; received: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(requestText(request));
  const [piece] = await once(socket, 'data');
  socket.pause();
  return { socket, received: String(piece) };
}

async function assertServes(): Promise<void> {
  const { status, body } = await exchange(port, requestText('GET /api/countries/list?search=nepal'));
  assert.equal(status, 200);
  assert.equal(JSON.parse(body).data.length, 1);
}

for (const request of LONG) {
  describe(request, () => {
    it(`the service continues when a client closes the connection during the response to ${request}`, async () => {
      for (const close of ['destroy', 'resetAndDestroy'] as const) {
        const clients = await Promise.all([askAndPause(request), askAndPause(request), askAndPause(request)]);
        for (const { socket } of clients) socket[close]();
        await waitUntil('the end of the connections', () => accepted.size === 0);
        await assertServes();
      }
    });

    it(`clients that do not read the response to ${request} delay no other client`, async () => {
      const clients = await Promise.all(Array.from({ length: 10 }, () => askAndPause(request)));
      await assertServes();
      for (const { socket } of clients) socket.destroy();
    });

    it(`an error after ${request} is sent after the complete response`, async () => {
      const client = await askAndPause(request);
      await sleep(50);
      client.socket.write('garbage\r\n\r\n');
      await sleep(50);
      let { received } = client;
      client.socket.on('data', (piece) => {
        received += String(piece);
      });
      client.socket.resume();
      await once(client.socket, 'close');
      assert.deepEqual(received.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
      assert.match(received, /\}\]\}(?:\r\n0\r\n\r\n)?HTTP\/1\.1 400 .*"MALFORMED_REQUEST"[^}]*\}$/s);
    });

    it(`HEAD returns the headers of ${request} without a body`, async () => {
      const head = await exchange(port, requestText(request.replace('GET', 'HEAD')));
      assert.deepEqual([head.status, head.body], [200, '']);
      assert.equal(head.headers['content-type'], 'application/json; charset=utf-8');
      assert.match(String(head.headers.etag), /"/);
    });
  });
}
