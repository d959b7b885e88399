import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import type { Connection } from './connections.ts';
import { guardConnections } from './guard-connections.ts';
import { boundSlowReaders, EXEMPT, type UnreadBounds } from './slow-readers.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const MB = 1024 * 1024;
const FAR: UnreadBounds = { stalled: 1e9, countedAfter: 0, ofOneNetwork: 1e9, ofAll: 1e9 };

/** A fake connection with a response, of which `unread` bytes have not been taken by the operating system. */
interface Waiting extends Connection {
  network: string;
  unread: number;
  readonly isCut: boolean;
}

const networks = new WeakMap<ServerResponse, string>();

function waiting(network = EXEMPT, length = 10 * MB): Waiting {
  let destroyed = false;
  const connection = {
    network,
    unread: length,
    waiting: [],
    socket: {
      get destroyed() {
        return destroyed;
      },
      get _handle() {
        return { bytesWritten: length, writeQueueSize: connection.unread };
      },
      destroy() {
        destroyed = true;
      },
    },
    begun: [
      {
        get writableLength() {
          return connection.unread;
        },
      },
    ],
    get isCut() {
      return destroyed;
    },
  };
  const [response] = connection.begun;
  networks.set(response as unknown as ServerResponse, network);
  return connection as unknown as Waiting;
}

/** Checks the connections at the given times. */
function bound(bounds: Partial<UnreadBounds>, connections: readonly Waiting[]) {
  const dropped = { stalled: 0, network: 0, memory: 0 };
  const networkOf = (response: ServerResponse) => networks.get(response) ?? assert.fail();
  return { dropped, look: boundSlowReaders(new Set(connections), networkOf, dropped, { ...FAR, ...bounds }) };
}

describe('of connections whose readers are slow', () => {
  it('a connection whose client stops reading is dropped after its time limit, and not before', () => {
    const one = waiting();
    const { dropped, look } = bound({ stalled: 3_000 }, [one]);
    for (const now of [1_000, 2_000, 3_999]) look(now);
    assert.equal(one.isCut, false);
    look(4_000);
    assert.equal(one.isCut, true);
    for (const now of [5_000, 9_000]) look(now);
    assert.deepEqual(dropped, { stalled: 1, network: 0, memory: 0 });
  });

  it('a connection that makes progress is not dropped, however slow it is', () => {
    const one = waiting();
    const { dropped, look } = bound({ stalled: 3_000 }, [one]);
    for (let now = 1_000; one.unread > 0; now += 2_999) {
      look(now);
      one.unread -= MB;
    }
    assert.deepEqual(dropped, { stalled: 0, network: 0, memory: 0 });
  });

  it('a connection whose response is not ready is not dropped, however long it takes', () => {
    const one = waiting(EXEMPT, 0);
    const { look } = bound({ stalled: 3_000, ofOneNetwork: 0 }, [one]);
    for (let now = 0; now < 1e6; now += 1_000) look(now);
    assert.equal(one.isCut, false);
  });

  it('the stalled connections of a network beyond its maximum are dropped, but none of other networks', () => {
    const connections = ['a', 'a', 'b', 'a', 'a', 'b', EXEMPT, EXEMPT, EXEMPT].map((network) => waiting(network));
    const { dropped, look } = bound({ ofOneNetwork: 2, countedAfter: 1_000 }, connections);
    for (const now of [0, 999]) look(now);
    assert.equal(dropped.network, 0);
    for (const now of [1_000, 2_000, 9_000]) look(now);
    assert.deepEqual(dropped, { stalled: 0, network: 2, memory: 0 });
    assert.deepEqual(
      connections.filter(({ isCut }) => isCut).map(({ network }) => network),
      ['a', 'a'],
    );
  });

  it('when too many connections are stalled in all, only those beyond the maximum are dropped', () => {
    const connections = Array.from({ length: 70 }, () => waiting());
    const { dropped, look } = bound({ ofAll: 4, countedAfter: 1_000 }, connections);
    for (const now of [0, 999]) look(now);
    assert.equal(dropped.memory, 0);
    for (const now of [1_000, 2_000]) look(now);
    assert.equal(dropped.memory, 66);
    assert.equal(connections.filter(({ isCut }) => !isCut).length, 4);
  });
});

/** More bytes than the operating system buffers for a local connection. */
const LONG = Buffer.alloc(10 * MB);

/** Starts a server that answers each request with {@link LONG} by default, and has a fake clock. */
async function serve(
  { mock }: TestContext,
  bounds: Partial<UnreadBounds>,
  answer: RequestListener = (_request, response) => void response.end(LONG),
) {
  let now = 0;
  mock.method(performance, 'now', () => now);
  mock.timers.enable({ apis: ['setInterval'] });
  const server = createServer();
  const guard = guardConnections(server, answer, () => EXEMPT, { ...FAR, ...bounds });
  server.on('request', guard.listener);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    guard,
    /** Advances the clock, and runs what is due. */
    async pass(milliseconds: number): Promise<void> {
      now += milliseconds;
      mock.timers.tick(milliseconds);
      await new Promise(setImmediate);
    },
    now: () => now,
    /** Sends a request, and reads only the beginning of the response. */
    async ask(): Promise<Socket> {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined).write(GET);
      await once(socket, 'readable');
      return socket;
    },
  };
}

describe('over a connection', () => {
  it('a response that the client does not read is dropped, whatever else the client sends', async (t) => {
    const { guard, ask, pass, now } = await serve(t, { stalled: 30_000 });
    const socket = await ask();
    const closed = once(socket.pause(), 'close');
    while (guard.dropped.stalled === 0) {
      assert.ok(now() < 10_000_000, 'It is not dropped');
      socket.write(GET);
      await pass(1_000);
    }
    assert.ok(now() >= 30_000);
    socket.resume();
    await closed;
    assert.ok(socket.bytesRead < LONG.length);
  });

  it('a response that the client reads slowly is sent to the end, also if it was written at once', async (t) => {
    const { guard, ask, pass, now } = await serve(t, { stalled: 30_000 });
    const socket = await ask();
    // Longer than the system's buffers take to fill again.
    const pause = 25_000 / (LONG.length / MB / 2);
    for (let next = MB; socket.bytesRead < LONG.length; ) {
      if (socket.read() === null) await once(socket, 'readable');
      if (socket.bytesRead < next) continue;
      next += MB;
      await pass(pause);
    }
    assert.ok(now() >= 30_000);
    assert.deepEqual(guard.dropped, { stalled: 0, network: 0, memory: 0 });
  });
});
