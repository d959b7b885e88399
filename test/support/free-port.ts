import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  return tryPort(0);
}

/** So many ports in a row, as {@link freePort}. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = await freePort();
    const ports = Array.from({ length: count }, (_, number) => first + number);
    try {
      for (const port of ports) await tryPort(port);
      return ports;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function tryPort(port: number): Promise<number> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
