import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { createContext } from '../app/context.ts';
import type { Output } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import { readConsoleFiles } from '../features/console/console-files.ts';
import { addressToOpen, metricsAddresses } from './listen-address.ts';
import { prepare } from './prepare.ts';
import { DEADLINE_MS } from './stop-deadline.ts';
import { startWithDatabase } from './wait-for-database.ts';
import { logVersion, waitingText, welcome } from './welcome.ts';
import { answerWorkers } from './worker-channel.ts';
import { startWorkers } from './workers.ts';

/** Returns the settings of one worker: its share of the limits of the service as a whole. */
export function perWorkerConfig(config: Config): Config {
  const share = (whole: number) => Math.max(1, Math.floor(whole / config.workers));
  const { databaseMaxConnections, maxRequestsUnderWay } = config;
  return {
    ...config,
    databaseMaxConnections: share(databaseMaxConnections),
    maxRequestsUnderWay: share(maxRequestsUnderWay),
  };
}

/**
 * Prepares the database, and runs workers until `stop`. While the database is unavailable they serve what needs none.
 *
 * @throws the reason of `stop` if it aborts before all workers listen
 */
export async function superviseUntil(stop: AbortSignal, config: Config, output: Output, log: Logger): Promise<void> {
  const starting = await startWithDatabase((isFirst) => prepared(stop, config, output, !isFirst), config, stop, log);
  logVersion(log);
  let isPrepared = starting.awaits === undefined;
  answerWorkers(cluster, () => isPrepared);
  const places = metricsAddresses(config);
  const settingsOf = (number: number): Record<string, string> => {
    const place = places[number];
    return place ? { METRICS_PORT: String(place.port) } : {};
  };
  const workers = await startWorkers(config.workers, settingsOf, log, stop);
  const { address, port, addressType } = workers.address;
  const url = addressToOpen({ address, port, family: addressType === 6 ? 'IPv6' : 'IPv4' });
  try {
    if (starting.awaits !== undefined) output.print(waitingText(url, starting.awaits));
    const greeting = await starting.done;
    isPrepared = true;
    output.print(greeting(url));
    if (!stop.aborted) await once(stop, 'abort');
  } finally {
    await workers.stop(config.drainDelay + DEADLINE_MS.killing);
  }
}

/** Prepares the database and closes its connections. @returns the welcome text as a function of the address */
async function prepared(
  stop: AbortSignal,
  config: Config,
  output: Output,
  listens: boolean,
): Promise<(address: string) => string> {
  await using context = await createContext(config, { command: 'orgdesk serve' });
  await prepare(context, output, stop, listens);
  const { metrics } = config;
  const metricsUrl = metrics && metrics.port > 0 ? `http://${metrics.host}:${metrics.port}/metrics` : undefined;
  return await welcome(context, { hasConsole: (await readConsoleFiles()) !== undefined, metricsUrl });
}
