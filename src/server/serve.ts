import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { buildApp } from '../app/build-app.ts';
import { type Context, createContext } from '../app/context.ts';
import type { Output } from '../commands/command.ts';
import { answerRequest } from '../commands/run-command.ts';
import type { Config } from '../config/config.ts';
import { databaseGate } from '../db/database-gate.ts';
import type { LockOptions } from '../embedded/data-folder-lock.ts';
import { readConsoleFiles } from '../features/console/console-files.ts';
import { openCompressedLists } from '../features/geography/compressed-lists.ts';
import { openGeography } from '../features/geography/geography-file.ts';
import { createLog } from '../http/request/request-log.ts';
import { UserError } from '../lib/errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/open-tracing.ts';
import { startJobs } from './jobs.ts';
import { listen, stopListening } from './listen.ts';
import { addressToOpen, type ListenAddress, METRICS_SETTINGS, withListenErrors } from './listen-address.ts';
import { prepare } from './prepare.ts';
import { DEADLINE_MS, endProcessAfter, flushed } from './stop-deadline.ts';
import { startWithDatabase } from './wait-for-database.ts';
import { logVersion, waitingText, welcome } from './welcome.ts';

/**
 * Serves until SIGINT or SIGTERM: migrates the schema, loads the demo companies with DEMO_DATA
 * if there are no companies; then listens. If the database server is unavailable, it listens first and does the rest
 * once it can.
 */
export async function serve(config: Config, output: Output): Promise<void> {
  // V8 would pretenure arrays of kinds that it saw live long: the rows of every response would stay in old space until a full collection.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const log = createLog(config.logLevel);
  const stop = stopSignal((signal) => {
    log.info({ signal }, `Stopping on ${signal}`);
    endProcessAfter(config.drainDelay + DEADLINE_MS, log);
  });
  try {
    await serveUntil(stop, config, output, log).catch((error) => {
      if (error !== stop.reason) throw error;
    });
    log.info('Stopped');
  } finally {
    await flushed(log);
  }
}

/** Serves in this process until `stop`. @throws the reason of `stop` if it aborts before the service listens */
async function serveUntil(stop: AbortSignal, config: Config, output: Output, log: Logger): Promise<void> {
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const fail = (message: string) => (error: unknown) => log.error({ err: error }, message);
  const commands = serveCommands(log, stop);
  const reading = openGeography(config);
  // Not an unhandled rejection if the database cannot be opened.
  reading.catch(() => undefined);
  await using context = await createContext(config, commands.lockOptions, {
    announce: output.print,
    failed: fail('The embedded database is opened anew'),
  });

  await using tracing = await openTracing(config, warn('Spans could not be sent: requests go on without'));
  const preparation = (isFirst: boolean) => prepare(context, output, stop, !isFirst);
  const starting = await startWithDatabase(preparation, config, stop, log);
  const gate = starting.awaits === undefined ? undefined : databaseGate(context.db, context.replica);
  const compressedLists = openCompressedLists(join(config.dataDir, 'geography'));
  using _compression = { [Symbol.dispose]: () => compressedLists.stop() };
  const { index } = await reading;
  const geography = { index, compressedLists };
  void compressedLists.prepare(index).catch(fail('The full lists could not be compressed: they are sent as they are'));
  logVersion(log);

  const consoleFiles = await readConsoleFiles();
  const metrics = await openMetrics(config);
  const webhookAttempts = { delivered: 0, failed: 0 };
  const app = await buildApp({
    ...context,
    ...(gate && { db: gate.db, replica: gate.replica }),
    geography,
    log,
    stop,
    metrics,
    tracing,
    webhookAttempts: config.webhooks ? webhookAttempts : undefined,
    ...(consoleFiles ? { consoleFiles } : {}),
  });
  stop.throwIfAborted();

  const address = await listen(app, config);
  // Closed after the main listener, so that the figures of the last requests can still be scraped.
  await using scrapes =
    metrics && config.metrics
      ? await listenForScrapes(metrics, config.metrics, fail('The metrics could not be shown'))
      : undefined;
  if (starting.awaits !== undefined) output.print(waitingText(address, starting.awaits));
  try {
    await starting.done;
  } catch (error) {
    await stopListening(app, { delay: stop.aborted ? config.drainDelay : 0 });
    throw error;
  }
  gate?.open();
  await using _jobs = await startJobs(context, log, webhookAttempts);
  // Before the others end; also where the rest of the start fails, as it would listen on without its database.
  await using _listening = {
    [Symbol.asyncDispose]: () => stopListening(app, { delay: stop.aborted ? config.drainDelay : 0 }),
  };
  commands.start(context);
  const shown = { hasConsole: consoleFiles !== undefined, metricsUrl: scrapes?.url };
  output.print(await welcome(context, address, shown));
  if (!stop.aborted) await once(stop, 'abort');
}

/** Runs commands of other processes on behalf of the data folder's owner. They wait until the service is ready. */
interface CommandServer {
  /** Options of the data folder's lock: the name of this process, and the handler of commands. */
  lockOptions: LockOptions;
  /** Starts to run the waiting and later commands. */
  start(context: Context): void;
}

/** @param stop aborts a running command */
function serveCommands(log: Logger, stop: AbortSignal): CommandServer {
  let start: (context: Context) => void = () => undefined;
  const started = new Promise<Context>((resolve) => {
    start = resolve;
  });
  return {
    start: (context) => start(context),
    lockOptions: {
      command: 'orgdesk serve',
      async answer(request, print, progress, flushed) {
        const context = await started;
        log.info({ command: request[0] }, 'command of another process');
        await answerRequest(context, request, { print, progress, flushed }, stop);
      },
      onError: (error) => log.error({ err: error }, 'A command of another process failed'),
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Milliseconds within which the same signal may arrive again: on Ctrl+C both the terminal and npm send one. */
const REPEAT_MS = 1_000;

/**
 * Aborts on the first SIGINT or SIGTERM. A further one after {@link REPEAT_MS} ends the process at once, for people who
 * do not want to wait.
 *
 * @param onStop is called with the signal's name
 * @returns an abort signal whose reason is a UserError
 */
function stopSignal(onStop: (signal: NodeJS.Signals) => void): AbortSignal {
  const controller = new AbortController();
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  function stop(signal: NodeJS.Signals): void {
    if (controller.signal.aborted) return;
    onStop(signal);
    controller.abort(new UserError('orgdesk was stopped before this was done.'));
    setTimeout(stopListening, REPEAT_MS).unref();
  }
  for (const signal of SIGNALS) process.on(signal, stop);
  return controller.signal;
}

/** Opens tracing if the settings enable it; its packages are loaded only then. @param failed is called when spans could not be sent */
export async function openTracing({ tracing }: Config, failed: (error: unknown) => void): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { openTracing: open } = await import('../tracing/open-tracing.ts');
  return open(tracing, failed);
}

/** Opens metrics if the settings enable them; their package is loaded only then. */
export async function openMetrics({ metrics }: Config): Promise<Metrics | undefined> {
  if (metrics === undefined) return undefined;
  const { openMetrics: open } = await import('../metrics/metrics.ts');
  return open();
}

/**
 * Listens for scrapes of the metrics.
 *
 * @param failed is called with later errors
 * @returns the listener with its URL, such as `http://127.0.0.1:9464/metrics`
 * @throws UserError if the address cannot be listened on
 */
export async function listenForScrapes(
  metrics: Metrics,
  place: ListenAddress,
  failed: (error: unknown) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { openMetricsListener } = await import('../metrics/metrics-listener.ts');
  const open = () => openMetricsListener(metrics, place, failed);
  const listener = await withListenErrors(place, METRICS_SETTINGS, open);
  return {
    url: `${addressToOpen(listener.address)}/metrics`,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
