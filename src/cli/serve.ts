import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { readConsoleFiles } from '../console/console-files.ts';
import { findDemoPeople } from '../console/demo-people.ts';
import { demoSignIns } from '../console/sign-in-offer.ts';
import { type Context, createContext } from '../context.ts';
import { migrate } from '../db/migrator.ts';
import { openCompressedLists } from '../features/geography/compressed-lists.ts';
import { type GeographyStore, openGeographyStore } from '../features/geography/geography-store.ts';
import { hasGeography, loadGeography } from '../import/geography-loader.ts';
import { keepTicksFast } from '../lib/fast-ticks.ts';
import type { Output } from './command.ts';
import { loadDemo } from './demo.ts';
import { listen, METRICS_SETTINGS, stopListening, tryToListen } from './listen.ts';
import { listenForScrapes, openMetrics, openTracing } from './observability.ts';
import { answerRequest } from './run-command.ts';
import { stopSignal } from './stop-signal.ts';
import { welcomeText } from './welcome.ts';

const SPANS_LOST = 'Spans could not be sent: requests go on without';

/** Milliseconds, after the delay, within which the process ends in any case. */
const LAST_RESORT = 9_000;

/**
 * Serves until SIGINT or SIGTERM: brings the schema up to date, loads geography where there is none and, where DEMO_DATA
 * says so, the demo companies where there are no companies; then listens.
 */
export async function serve(config: Config, output: Output): Promise<void> {
  keepTicksFast();
  const stop = stopSignal();
  try {
    await serveUntil(stop, config, output);
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
  await tryToListen(config);
  if (config.metrics) await tryToListen(config.metrics, METRICS_SETTINGS);
  await prepare(context, output, stop);

  await using tracing = await openTracing(config, (error) => app?.log.warn({ err: error }, SPANS_LOST));
  await using geography: GeographyStore = await openGeographyStore(
    context.db,
    (error) => app?.log.error({ err: error }, 'The geography could not be taken up: what was there is served on'),
    openCompressedLists(join(config.dataDir, 'geography')),
  );
  const consoleFiles = await readConsoleFiles();
  const metrics = await openMetrics(config);
  app = await buildApp({ ...context, geography, stop, metrics, tracing, ...(consoleFiles ? { consoleFiles } : {}) });
  await giveWay(stop);
  const address = await listen(app, config);
  // Closed after the main one: what the last requests came to can still be read.
  const metricsFailed = (error: unknown) => app?.log.error({ err: error }, 'The metrics could not be shown');
  await using scrapes =
    metrics && config.metrics ? await listenForScrapes(metrics, config.metrics, metricsFailed) : undefined;
  start(context);
  const signIns = consoleFiles ? await demoSignIns(context) : [];
  const hasDemoPeople = (await findDemoPeople(context.db)).length > 0;
  const hasConsole = consoleFiles !== undefined;
  output.print(welcomeText(config, address, { hasConsole, signIns, hasDemoPeople, metricsUrl: scrapes?.url }));
  if (!stop.aborted) await once(stop, 'abort');
  // Whatever hangs then, a database that does not answer above all: what was acknowledged is safe.
  setTimeout(() => process.exit(), config.drainDelay + LAST_RESORT).unref();
  await stopListening(app, { delay: config.drainDelay });
}

async function prepare({ config, db }: Context, output: Output, stop: AbortSignal): Promise<void> {
  const progress = (step: string) => (done: number, total: number) => {
    stop.throwIfAborted();
    output.progress({ step, done, total, unit: 'rows' });
  };
  await giveWay(stop);
  await migrate(db);
  if (!(await hasGeography(db))) {
    output.print('First start: loading the cities of the world …');
    await loadGeography(db, progress('Loading geography'));
  }
  await giveWay(stop);
  if (config.demoData) await loadDemo(db);
}

/** Goes on unless the service is to stop. The embedded database leaves no time to hear of a signal between two statements. */
async function giveWay(stop: AbortSignal): Promise<void> {
  await setImmediate();
  stop.throwIfAborted();
}
