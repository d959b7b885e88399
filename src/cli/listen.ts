import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { UserError } from '../lib/errors.ts';

/** Milliseconds that requests have to come to their end when the service stops. */
const LAST_REQUESTS = 5_000;

/** A host and a port to listen on. */
export type Place = Pick<Config, 'host' | 'port'>;

/** The settings that a place comes from. */
interface PlaceSettings {
  host: string;
  port: string;
}
const MAIN_SETTINGS: PlaceSettings = { host: 'HOST', port: 'PORT' };
export const METRICS_SETTINGS: PlaceSettings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };

/**
 * Makes sure that a host and port can be listened on, before a long preparation.
 *
 * @throws UserError where they cannot
 */
export async function tryToListen({ host, port }: Place, settings = MAIN_SETTINGS): Promise<void> {
  const probe = createServer();
  await explainedListening({ host, port }, settings, async () => {
    probe.listen({ host, port });
    await once(probe, 'listening');
  });
  probe.close();
  await once(probe, 'close');
}

/**
 * Listens at the configured host and port.
 *
 * @returns the address to open on this machine, such as `http://127.0.0.1:3000`
 * @throws UserError where the port is taken, or the host and port cannot be listened on
 */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await explainedListening({ host, port }, MAIN_SETTINGS, async () => {
    // For the name localhost Fastify opens a second server, whose connections cannot be cut off at the stop.
    const { address } = await lookup(host);
    await app.listen({ host: address, port });
  });
  return addressToOpen(app.server.address() as AddressInfo);
}

/** @throws UserError that says of a place which cannot be listened on what to check */
export async function explainedListening<Result>(
  { host, port }: Place,
  settings: PlaceSettings,
  startListening: () => Promise<Result>,
): Promise<Result> {
  try {
    return await startListening();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const message =
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is taken by another program: set ${settings.port} to a free one.`
        : `Cannot listen on ${host}, port ${port} (${code}): check ${settings.host} and ${settings.port}.`;
    throw new UserError(message, { cause: error });
  }
}

/**
 * Closes each connection with its next answer from now on, goes on for the delay, which lets a load balancer see that the
 * service is not ready any more, then stops listening and lets requests end. Those that do not in time are cut off.
 *
 * @param times in milliseconds; `lastRequests` is five seconds unless given
 */
export async function stopListening(
  app: FastifyInstance,
  { delay, lastRequests = LAST_REQUESTS }: { delay: number; lastRequests?: number },
): Promise<void> {
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await sleep(delay);
  // Connections that wait to be accepted would be reset: a process that is short of processor time may have some.
  await setImmediate();
  const deadline = setTimeout(() => app.server.closeAllConnections(), lastRequests);
  await app.close();
  clearTimeout(deadline);
}

/** The address to open on this machine: a browser does not open those that mean "all of this machine's". */
export function addressToOpen({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
