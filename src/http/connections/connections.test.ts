import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { limitPipelining } from './connections.ts';

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const numbered = (count: number) => Array.from({ length: count }, (_, number) => get(`/${number}`)).join('');

/** Starts a server that limits pipelining to the listener. */
async function serve(listener: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const begun: string[] = [];
  const dropped = { stalled: 0, network: 0, memory: 0 };
  const turns = limitPipelining((request, response) => {
    begun.push(request.url ?? '');
    listener(request, response);
  }, dropped);
  const server = createServer(turns.listener);
  // The parser itself ignores requests after `Connection: close`.
  server.on('clientError', (_error, socket) => socket.pause());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    begun,
    dropped,
    busy: turns.busy,
    open(): { socket: Socket; received: () => string } {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      let text = '';
      socket
        .on('error', () => undefined)
        .on('data', (piece: string) => {
          text += piece;
        });
      return { socket, received: () => text };
    },
  };
}

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits long enough for something that must not happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 100));

test('a connection has at most four requests in progress, and all are answered in order', async () => {
  const due: ServerResponse[] = [];
  const service = await serve((_request, response) => void due.push(response));
  const { socket, received } = service.open();
  socket.write(numbered(100));
  await until(() => due.length === 4);
  await settle();
  assert.equal(due.length, 4);
  let most = 0;
  while (service.begun.length < 100 || due.length > 0) {
    most = Math.max(most, due.length);
    const next = due.pop();
    next?.end(next.req.url);
    await new Promise(setImmediate);
  }
  assert.equal(most, 4);
  await until(() => received().endsWith('/99'));
  const bodies = Array.from(received().matchAll(/\r\n\r\n(\/\d+)/g), ([, path]) => path);
  assert.deepEqual(
    bodies,
    Array.from({ length: 100 }, (_, number) => `/${number}`),
  );
  assert.equal(service.busy.size, 0);
});

test('a connection starts no further request until the client reads the pending response', async () => {
  const service = await serve((_request, response) => void response.end(Buffer.alloc(20_000_000)));
  const { socket, received } = service.open();
  socket.write(numbered(1000));
  await until(() => received().length > 0);
  socket.pause();
  await settle();
  assert.deepEqual(service.begun, ['/0']);
  socket.resume();
  await until(() => service.begun.length === 2);
});

test('a closed connection drops the requests that wait', async () => {
  const due: ServerResponse[] = [];
  const service = await serve((_request, response) => void due.push(response));
  const { socket } = service.open();
  socket.write(numbered(10));
  await until(() => due.length === 4);
  const closed = new Promise((resolve) => due[0]?.req.socket.on('close', resolve));
  socket.destroy();
  await closed;
  await settle();
  assert.equal(service.begun.length, 4);
  assert.equal(service.busy.size, 0);
});

test('a connection with ten thousand pipelined requests and their bodies is read to the end', async () => {
  const bodies: string[] = [];
  const service = await serve(async (request, response) => {
    bodies.push((await request.toArray()).join(''));
    response.end('x');
  });
  const { socket, received } = service.open();
  const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n`;
  // Far more than one read takes.
  for (let round = 0; round < 20; round++) {
    socket.write(Array.from({ length: 500 }, (_, number) => `${post}${100_000 + round * 500 + number}`).join(''));
  }
  await until(() => received().split('HTTP/1.1 200').length === 10_001);
  assert.deepEqual(
    bodies,
    Array.from({ length: 10_000 }, (_, number) => String(100_000 + number)),
  );
  assert.deepEqual(service.dropped, { stalled: 0, network: 0, memory: 0 });
});

for (const [what, header] of [
  ['Connection: close', 'Connection: close'],
  ['Upgrade', 'Connection: Upgrade\r\nUpgrade: websocket'],
  ['Upgrade alone', 'Upgrade: h2c'],
] as const) {
  test(`a request after one with ${what} is not processed, however late it arrives`, async () => {
    const due: ServerResponse[] = [];
    const service = await serve((_request, response) => void due.push(response));
    const { socket, received } = service.open();
    socket.write(get('/first', header) + get('/second'));
    await until(() => due.length === 1);
    socket.write(get('/third'));
    await settle();
    due[0]?.end('x');
    await once(socket, 'close');
    assert.deepEqual(service.begun, ['/first']);
    assert.match(received(), /^HTTP\/1\.1 200 OK\r\nDate: [^\n]+\nConnection: close\r\n/);
    assert.equal(received().split('HTTP/1.1').length, 2);
  });
}

test('a request after a response that closes the connection is not processed', async () => {
  const service = await serve((_request, response) => void response.writeHead(400, { connection: 'close' }).end());
  const { socket } = service.open();
  socket.write(numbered(5));
  await once(socket, 'close');
  await settle();
  assert.deepEqual(service.begun, ['/0']);
});

test('connections with more than their share are dropped when too many requests wait in all', async () => {
  const due: ServerResponse[] = [];
  const service = await serve((_request, response) => void due.push(response));
  const { socket: modest, received } = service.open();
  modest.write(numbered(8));
  await until(() => due.length === 4);
  for (let client = 0; client < 6; client++) service.open().socket.write(numbered(3_000));
  await until(() => service.dropped.memory > 0);
  await settle();
  assert.ok(service.busy.size >= 4, `${service.busy.size} are left`);
  while (received().split('HTTP/1.1 200').length < 9) {
    for (const response of due.splice(0)) response.end();
    await new Promise(setImmediate);
  }
});
