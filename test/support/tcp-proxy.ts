import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, and spoils what is between them. Disposing of it ends all connections. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Connections are passed on. Those that were made while they were not are cut. */
  pass(): void;
  /** Cuts all connections by a reset, and each new one. */
  reset(): void;
  /** Connections stay open, and new ones are accepted, but nothing comes through in either direction. */
  blackHole(): void;
  /** What comes through takes this many milliseconds longer, in each direction. */
  delay(milliseconds: number): void;
}

type Mode = 'pass' | 'reset' | 'black hole';

/** Listens on a port of the loopback interface, 0 being any that is free, and passes each connection on to a port there. */
export async function startTcpProxy(target: number, port = 0): Promise<TcpProxy> {
  let mode: Mode = 'pass';
  let lag = 0;
  const sockets = new Set<Socket>();
  /** Whether a connection has lost bytes, and so can never be passed on again. */
  const spoiled = new WeakSet<Socket>();

  function link(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('error', () => undefined);
    from.on('data', (bytes) => {
      if (mode === 'black hole') {
        spoiled.add(from);
        spoiled.add(to);
      } else if (!spoiled.has(from)) {
        if (lag === 0) to.write(bytes);
        else setTimeout(() => to.write(bytes), lag);
      }
    });
    from.on('close', () => {
      sockets.delete(from);
      // From a black hole not even the end of a connection is heard of.
      if (mode !== 'black hole') to.destroy();
    });
  }
  const server = createServer((client) => {
    if (mode === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    link(client, upstream);
    link(upstream, client);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = (chosen: Iterable<Socket>) => {
    for (const socket of chosen) {
      // The system cannot reset what is being closed, and would hold it for ever.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    pass() {
      mode = 'pass';
      lag = 0;
      cut([...sockets].filter((socket) => spoiled.has(socket)));
    },
    reset() {
      mode = 'reset';
      cut([...sockets]);
    },
    blackHole() {
      mode = 'black hole';
    },
    delay(milliseconds) {
      lag = milliseconds;
    },
    async [Symbol.asyncDispose]() {
      cut([...sockets]);
      server.close();
      await once(server, 'close');
    },
  };
}
