import { once } from 'node:events';
import type { Config } from '../config.ts';
import { readConsoleFiles } from '../console/console-files.ts';
import { createContext } from '../context.ts';
import { createLog } from '../http/request-log.ts';
import { UserError } from '../lib/errors.ts';
import type { Output } from './command.ts';
import { addressToOpen, METRICS_SETTINGS, type Place, tryToListen } from './listen.ts';
import { prepare } from './prepare.ts';
import { welcome } from './welcome.ts';
import { startWorkers } from './workers.ts';

/** What one of the workers may use of that which the settings allow the service as a whole. */
export function shareOf(config: Config): Config {
  const share = (whole: number) => Math.max(1, Math.floor(whole / config.workers));
  const { databaseMaxConnections, maxRequestsUnderWay } = config;
  return {
    ...config,
    databaseMaxConnections: share(databaseMaxConnections),
    maxRequestsUnderWay: share(maxRequestsUnderWay),
  };
}

/** Where a worker shows its metrics: each on a port of its own, one after the other, as each knows its own figures alone. */
function metricsPlace({ metrics }: Config, number: number): Place | undefined {
  return metrics && { host: metrics.host, port: metrics.port === 0 ? 0 : metrics.port + number };
}

/**
 * Prepares the database, then has workers serve until it is to stop.
 *
 * @param lastResort milliseconds, after the delay, after which workers that have not stopped are killed
 * @throws the reason of `stop` where that comes before all workers listen
 */
export async function superviseUntil(
  stop: AbortSignal,
  config: Config,
  output: Output,
  lastResort: number,
): Promise<void> {
  const greeting = await prepared(stop, config, output);
  const settingsOf = (number: number): Record<string, string> => {
    const place = metricsPlace(config, number);
    return place ? { METRICS_PORT: String(place.port) } : {};
  };
  const workers = await startWorkers(config.workers, settingsOf, createLog(config.logLevel), stop);
  const { address, port, addressType } = workers.address;
  output.print(greeting(addressToOpen({ address, port, family: addressType === 6 ? 'IPv6' : 'IPv4' })));
  if (!stop.aborted) await once(stop, 'abort');
  await workers.end(config.drainDelay + lastResort);
}

/** Gives up its connections when all is prepared; the result is the welcome at an address. */
async function prepared(stop: AbortSignal, config: Config, output: Output): Promise<(address: string) => string> {
  await using context = await createContext(config, { command: 'orgdesk serve' });
  await tryToListen(config);
  for (let number = 0; number < config.workers; number++) {
    const place = metricsPlace(config, number);
    if (place?.port === config.port && config.port !== 0) {
      throw new UserError(
        `METRICS_PORT is "${config.metrics?.port}": expected one that leaves PORT out of the next ${config.workers}, one for each worker.`,
      );
    }
    if (place) await tryToListen(place, METRICS_SETTINGS);
  }
  await prepare(context, output, stop);
  const { metrics } = config;
  const metricsUrl = metrics && metrics.port > 0 ? `http://${metrics.host}:${metrics.port}/metrics` : undefined;
  return welcome(context, { hasConsole: (await readConsoleFiles()) !== undefined, metricsUrl });
}
