import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to listeners that ask for any: none of those takes one before it is used. */
const [FIRST, LAST] = [10_000, 32_767];
/** Each process begins elsewhere, so that those that run at once try different ones. */
const PORTS_OF_A_PROCESS = 100;

let next = FIRST + ((process.pid * PORTS_OF_A_PROCESS) % (LAST - FIRST));

/** A port of 127.0.0.1 that nobody listens on at the moment, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** So many, one after the other. */
export async function freePorts(count: number): Promise<number[]> {
  for (;;) {
    if (next + count - 1 > LAST) next = FIRST;
    const ports = Array.from({ length: count }, (_, number) => next + number);
    next += count;
    if (await areFree(ports)) return ports;
  }
}

/** Listens on all of them at once for a moment. */
async function areFree(ports: readonly number[]): Promise<boolean> {
  const probes = ports.map((port) => createServer().listen(port, '127.0.0.1'));
  const found = await Promise.allSettled(probes.map((probe) => once(probe, 'listening')));
  const open = probes.filter(({ listening }) => listening);
  await Promise.all(open.map((probe) => once(probe.close(), 'close')));
  for (const each of found) if (each.status === 'rejected' && each.reason.code !== 'EADDRINUSE') throw each.reason;
  return open.length === ports.length;
}
