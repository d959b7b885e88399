import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { allAnswered } from '../http/connections/guard-connections.ts';
import { addressToOpen, MAIN_SETTINGS, withListenErrors } from './listen-address.ts';

/** Connections that may wait to be accepted, as far as the system allows: one too many is tried again after a second, then after three. */
const BACKLOG = 4_096;

/** Milliseconds after the service stopped listening at which the remaining connections are closed. */
const REQUESTS_DEADLINE_MS = 5_000;

/**
 * Listens on the configured host and port.
 *
 * @returns the URL to open on this machine, such as `http://127.0.0.1:3000`
 * @throws UserError if the port is taken, or the host and port cannot be listened on
 */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  await withListenErrors({ host, port }, MAIN_SETTINGS, async () => {
    // For the name localhost Fastify opens a second server, whose connections could not be closed at shutdown.
    const { address } = await lookup(host);
    await app.listen({ host: address, port, backlog: BACKLOG });
  });
  return addressToOpen(app.server.address() as AddressInfo);
}

/**
 * Shuts down gracefully: closes each connection after its next response, serves on for the drain delay, in which a load
 * balancer notices that the service is not ready, then stops listening and waits for the requests in progress.
 *
 * @param times in milliseconds; connections left at `requestsDeadline` are closed
 */
export async function stopListening(
  app: FastifyInstance,
  { delay, requestsDeadline = REQUESTS_DEADLINE_MS }: { delay: number; requestsDeadline?: number },
): Promise<void> {
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await sleep(delay);
  // Accepts the connections in the backlog, which would be reset otherwise: a process short of CPU time may have some.
  await setImmediate();
  const closed = once(app.server, 'close');
  const deadline = setTimeout(() => app.server.closeAllConnections(), requestsDeadline);
  // Only stops listening: the HTTP server's own `close` treats a connection whose response is still being read as idle, and closes it.
  Server.prototype.close.call(app.server);
  // Lets just accepted connections read their requests: Node 26 would treat them as idle.
  await setImmediate();
  await allAnswered(app.server);
  app.server.closeIdleConnections();
  await closed;
  clearTimeout(deadline);
  await app.close();
}
