import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** So many different ones. */
export function freePorts(count: number): Promise<number[]> {
  return tryPorts(Array<number>(count).fill(0));
}

/** So many, one after the other. */
export async function freePortsInARow(count: number): Promise<number[]> {
  for (;;) {
    const first = await freePort();
    try {
      return await tryPorts(Array.from({ length: count }, (_, number) => first + number));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Listens on all of them at once for a moment; 0 stands for any that is free. */
async function tryPorts(ports: readonly number[]): Promise<number[]> {
  const probes = ports.map((port) => createServer().listen(port, '127.0.0.1'));
  try {
    await Promise.all(probes.map((probe) => once(probe, 'listening')));
    return probes.map((probe) => (probe.address() as AddressInfo).port);
  } finally {
    const open = probes.filter(({ listening }) => listening);
    await Promise.all(open.map((probe) => once(probe.close(), 'close')));
  }
}
