import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { readConsoleFiles } from '../console/console-files.ts';
import { type Context, createContext } from '../context.ts';
import { openCompressedLists } from '../features/geography/compressed-lists.ts';
import { type GeographyStore, openGeographyStore } from '../features/geography/geography-store.ts';
import { exchangeCounts } from '../http/count-exchange.ts';
import { keepTicksFast } from '../lib/fast-ticks.ts';
import type { Output } from './command.ts';
import { listen, METRICS_SETTINGS, stopListening, tryToListen } from './listen.ts';
import { listenForScrapes, openMetrics, openTracing } from './observability.ts';
import { giveWay, prepare } from './prepare.ts';
import { answerRequest } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { shareOf, superviseUntil } from './supervise.ts';
import { welcome } from './welcome.ts';
import { workerChannel } from './worker-channel.ts';

const SPANS_LOST = 'Spans could not be sent: requests go on without';

/** Milliseconds, after the delay, within which the process ends in any case. */
const LAST_RESORT = 9_000;
/** The same for a process whose workers end by themselves within that time. */
const LAST_RESORT_OF_WORKERS = 9_500;

/**
 * Serves until SIGINT or SIGTERM: brings the schema up to date, loads geography where there is none and, where DEMO_DATA
 * says so, the demo companies where there are no companies; then listens. With several workers these listen, each in a process.
 */
export async function serve(config: Config, output: Output): Promise<void> {
  keepTicksFast();
  const stop = stopSignal();
  try {
    if (config.workers > 1 && cluster.isPrimary) await superviseUntil(stop, config, output, LAST_RESORT_OF_WORKERS);
    else await serveUntil(stop, shareOf(config), output);
  } catch (error) {
    if (error !== stop.reason) throw error;
  }
}

/** @throws the reason of `stop` where that comes before the service listens */
async function serveUntil(stop: AbortSignal, config: Config, output: Output): Promise<void> {
  let app: FastifyInstance | undefined;
  let start: (context: Context) => void = () => undefined;
  const started = new Promise<Context>((resolve) => {
    start = resolve;
  });
  await using context = await createContext(config, {
    command: 'orgdesk serve',
    answer: async (request, print, progress) => {
      const running = await started;
      app?.log.info({ command: request[0] }, 'command of another process');
      await answerRequest(running, request, { print, progress }, stop);
    },
    onError: (error) => app?.log.error({ err: error }, 'A command of another process failed'),
  });
  if (!cluster.isWorker) {
    await tryToListen(config);
    if (config.metrics) await tryToListen(config.metrics, METRICS_SETTINGS);
    await prepare(context, output, stop);
  }

  await using tracing = await openTracing(config, (error) => app?.log.warn({ err: error }, SPANS_LOST));
  await using geography: GeographyStore = await openGeographyStore(
    context.db,
    (error) => app?.log.error({ err: error }, 'The geography could not be taken up: what was there is served on'),
    openCompressedLists(join(config.dataDir, 'geography')),
  );
  const consoleFiles = await readConsoleFiles();
  const metrics = await openMetrics(config);
  app = await buildApp({
    ...{ ...context, geography, stop, metrics, tracing },
    ...(consoleFiles ? { consoleFiles } : {}),
    ...(cluster.isWorker ? { counts: exchangeCounts(workerChannel) } : {}),
  });
  await giveWay(stop);
  const address = await listen(app, config);
  // Closed after the main one: what the last requests came to can still be read.
  const metricsFailed = (error: unknown) => app?.log.error({ err: error }, 'The metrics could not be shown');
  await using scrapes =
    metrics && config.metrics ? await listenForScrapes(metrics, config.metrics, metricsFailed) : undefined;
  start(context);
  if (!cluster.isWorker) {
    const greeting = await welcome(context, { hasConsole: consoleFiles !== undefined, metricsUrl: scrapes?.url });
    output.print(greeting(address));
  }
  if (!stop.aborted) await once(stop, 'abort');
  // Whatever hangs then, a database that does not answer above all: what was acknowledged is safe.
  setTimeout(() => process.exit(), config.drainDelay + LAST_RESORT).unref();
  await stopListening(app, { delay: config.drainDelay });
}
