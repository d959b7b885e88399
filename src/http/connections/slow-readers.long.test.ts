import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardConnections } from './guard-connections.ts';
import { EXEMPT, sharesItsBody, type UnreadBounds } from './slow-readers.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const MB = 1024 * 1024;

/** More than the system takes for a connection on this machine. */
const LONG = Buffer.alloc(10 * MB);
const FAR: UnreadBounds = { stalled: 1e9, ofOneNetwork: 1e9, countedAfter: 0, bytes: 1e12 };

/** A server that answers each request with {@link LONG} unless told otherwise. */
async function serve(
  bounds: Partial<UnreadBounds>,
  networkOf: (response: ServerResponse) => string = () => EXEMPT,
  answer: RequestListener = (_request, response) => void response.end(LONG),
) {
  const server = createServer();
  const guard = guardConnections(server, answer, networkOf, { ...FAR, ...bounds });
  server.on('request', guard.listener);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  /** Asks, and reads the beginning of the answer alone. */
  async function ask(text = GET): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    await once(socket, 'readable');
    return socket;
  }
  return { server, guard, ask };
}

/** Bytes that still come, until the connection is closed or all have come. */
async function readOn(socket: Socket, all = LONG.length): Promise<number> {
  let bytes = 0;
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes >= all) socket.destroy();
  });
  if (!socket.destroyed) await new Promise((resolve) => socket.on('close', resolve));
  return bytes;
}

describe('answers that are not read', { concurrency: true }, () => {
  it('an answer that nobody reads is cut after its time, and not before', async () => {
    const { guard, ask } = await serve({ stalled: 3_000 });
    const socket = await ask();
    await sleep(2_500);
    assert.equal(guard.cut.standstill, 0);
    await sleep(2_500);
    assert.deepEqual(guard.cut, { standstill: 1, network: 0, memory: 0 });
    assert.ok((await readOn(socket)) < LONG.length);
  });

  it('one that is read slowly is not cut while it makes progress, also where it was written at once', async () => {
    const { guard, ask } = await serve({ stalled: 2_500 });
    const socket = await ask();
    let bytes = 0;
    const began = performance.now();
    while (bytes < LONG.length) {
      const piece = socket.read() as Buffer | null;
      if (piece === null) await once(socket, 'readable');
      else bytes += piece.length;
      // Faster than the system's own buffers fill up and empty.
      const due = (bytes / LONG.length) * 6_000 - (performance.now() - began);
      if (due > 10) await sleep(due);
    }
    assert.ok(performance.now() - began > 5_000);
    assert.deepEqual(guard.cut, { standstill: 0, network: 0, memory: 0 });
  });

  it('one that nobody reads is cut whatever else the client sends', async () => {
    const { guard, ask } = await serve({ stalled: 2_000 });
    const socket = await ask();
    const trickle = setInterval(() => socket.write(GET), 100);
    await sleep(4_500);
    clearInterval(trickle);
    assert.equal(guard.cut.standstill, 1);
  });

  it('one that is not made yet is not cut, however long it takes', async () => {
    const due: ServerResponse[] = [];
    const { server, guard, ask } = await serve({ stalled: 500 }, undefined, (_request, response) => {
      due.push(response);
    });
    const answered = ask();
    await once(server, 'request');
    await sleep(3_000);
    due[0]?.end('here');
    await answered;
    assert.equal(guard.cut.standstill, 0);
  });

  it('of a network that has too many those are cut that have stood still the longest, and of other networks none', async () => {
    const networks = ['a', 'a', 'b', 'a', 'a', 'b', EXEMPT, EXEMPT, EXEMPT];
    const arrived: ServerResponse[] = [];
    const networkOf = (response: ServerResponse) => networks[arrived.indexOf(response)] ?? 'unknown';
    const { guard, ask } = await serve({ ofOneNetwork: 2, countedAfter: 1_000 }, networkOf, (_request, response) => {
      arrived.push(response);
      response.end(LONG);
    });
    for (const _ of networks) {
      await ask();
      await sleep(150);
    }
    await sleep(3_500);
    assert.deepEqual(guard.cut, { standstill: 0, network: 2, memory: 0 });
    const left = arrived.map(({ req }, index) => (req.socket.destroyed ? '' : networks[index]));
    assert.deepEqual(left, ['', '', 'b', 'a', 'a', 'b', EXEMPT, EXEMPT, EXEMPT]);
  });

  it('where all take too much memory those are cut that have stood still the longest, at once where many come', async () => {
    const arrived: ServerResponse[] = [];
    const { guard, ask } = await serve({ bytes: 40 * MB }, undefined, (_request, response) => {
      arrived.push(response);
      response.end(Buffer.alloc(LONG.length));
    });
    const clients = await Promise.all(Array.from({ length: 70 }, () => ask().catch(() => undefined)));
    assert.equal(clients.length, 70);
    await sleep(1_500);
    const left = arrived.filter(({ req }) => !req.socket.destroyed);
    const bytes = left.reduce((sum, { writableLength }) => sum + writableLength, 0);
    assert.ok(bytes <= 40 * MB && left.length > 0, `${left.length} with ${bytes} bytes`);
    assert.equal(guard.cut.memory, 70 - left.length);
  });

  it('a body that all share takes no memory, however many wait with it', async () => {
    const { guard, ask } = await serve({ bytes: 40 * MB }, undefined, (_request, response) => {
      sharesItsBody(response);
      response.end(LONG);
    });
    await Promise.all(Array.from({ length: 70 }, () => ask()));
    await sleep(2_500);
    assert.deepEqual(guard.cut, { standstill: 0, network: 0, memory: 0 });
  });
});
