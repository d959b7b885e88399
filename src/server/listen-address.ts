import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import { UserError } from '../lib/errors.ts';

/** A host and a port to listen on. */
export type ListenAddress = Pick<Config, 'host' | 'port'>;

/** The names of the settings that a listen address comes from. */
interface ListenSettings {
  host: string;
  port: string;
}
export const MAIN_SETTINGS: ListenSettings = { host: 'HOST', port: 'PORT' };
export const METRICS_SETTINGS: ListenSettings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };

/**
 * Checks before a long preparation that the service can listen on all configured addresses.
 *
 * @throws UserError if it cannot
 */
export async function checkListenAddresses(config: Config): Promise<void> {
  await tryToListen(config, MAIN_SETTINGS);
  if (config.metrics) await tryToListen(config.metrics, METRICS_SETTINGS);
}

async function tryToListen({ host, port }: ListenAddress, settings: ListenSettings): Promise<void> {
  const probe = createServer();
  await withListenErrors({ host, port }, settings, async () => {
    probe.listen({ host, port });
    await once(probe, 'listening');
  });
  probe.close();
  await once(probe, 'close');
}

/** Runs `startListening`. @throws UserError that names the settings to check if the address cannot be listened on */
export async function withListenErrors<Result>(
  { host, port }: ListenAddress,
  settings: ListenSettings,
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

/** Returns the URL to open on this machine: a browser does not open a wildcard address. */
export function addressToOpen({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
