import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { allAnswered } from '../http/connections/guard-connections.ts';
import { addressToOpen, MAIN_SETTINGS, withListenErrors } from './listen-address.ts';

/** When requests are cut off that have not ended since the service stopped listening. */
const REQUESTS_DEADLINE_MS = 5_000;

/**
 * Listens at the configured host and port.
 *
 * @returns the address to open on this machine, such as `http://127.0.0.1:3000`
 * @throws UserError where the port is taken, or the host and port cannot be listened on
 */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await withListenErrors({ host, port }, MAIN_SETTINGS, async () => {
    // For the name localhost Fastify opens a second server, whose connections cannot be cut off at the stop.
    const { address } = await lookup(host);
    await app.listen({ host: address, port });
  });
  return addressToOpen(app.server.address() as AddressInfo);
}

/**
 * Closes each connection with its next answer from now on, goes on for the delay, which lets a load balancer see that the
 * service is not ready any more, then stops listening and lets requests end. Those that do not in time are cut off.
 *
 * @param times in milliseconds; the deadline of the requests is five seconds unless given
 */
export async function stopListening(
  app: FastifyInstance,
  { delay, requestsDeadline = REQUESTS_DEADLINE_MS }: { delay: number; requestsDeadline?: number },
): Promise<void> {
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await sleep(delay);
  // Connections that wait to be accepted would be reset: a process that is short of processor time may have some.
  await setImmediate();
  const closed = once(app.server, 'close');
  const deadline = setTimeout(() => app.server.closeAllConnections(), requestsDeadline);
  // No more than to stop listening: the HTTP server's own `close` takes a connection for idle whose answer is still being read, and cuts it.
  Server.prototype.close.call(app.server);
  // What has arrived on a connection that has just been accepted is read first: Node 26 takes it for idle before.
  await setImmediate();
  await allAnswered(app.server);
  app.server.closeIdleConnections();
  await closed;
  clearTimeout(deadline);
  await app.close();
}
