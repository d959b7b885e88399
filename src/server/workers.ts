import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { UserError } from '../lib/errors.ts';
import { relayCounts } from './worker-channel.ts';

/** A worker that exits sooner is replaced with exponential back-off: each further one in a row doubles the pause, up to the maximum. */
const SHORT_LIFE_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** The worker processes. They end together with this process, however it ends. */
export interface Workers {
  /** The address that all of them share. */
  readonly address: Address;
  /** Sends SIGTERM to all workers and waits for their exit; those alive after `deadline` milliseconds are killed. */
  stop(deadline: number): Promise<void>;
}

/**
 * Starts `count` workers, which share one port, and waits until all of them listen. A worker that exits is replaced: at
 * once if it has lived for a while, otherwise after a pause.
 *
 * @param settingsOf returns the environment of a worker, by its number from 0; a replacement keeps the number
 * @throws UserError if a worker exits before all listen; the reason of `stop` if it aborts before
 */
export async function startWorkers(
  count: number,
  settingsOf: (number: number) => Record<string, string>,
  log: Logger,
  stop: AbortSignal,
): Promise<Workers> {
  const started = new Map<number, { number: number; at: number }>();
  const pauses = new Set<NodeJS.Timeout>();
  let shortLives = 0;
  let isStopping = false;

  function fork(number: number): void {
    started.set(cluster.fork(settingsOf(number)).id, { number, at: performance.now() });
  }

  function replace(worker: Worker, code: number, signal: string): void {
    if (isStopping) return;
    const { number, at } = started.get(worker.id) ?? { number: 0, at: 0 };
    started.delete(worker.id);
    shortLives = performance.now() - at < SHORT_LIFE_MS ? shortLives + 1 : 0;
    const pause = shortLives === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 1), MAX_PAUSE_MS);
    log.error({ worker: worker.process.pid, code, signal, pause }, 'A worker exited, and is replaced');
    const timer = setTimeout(() => {
      pauses.delete(timer);
      fork(number);
    }, pause);
    pauses.add(timer);
  }

  async function stopAll(deadline: number): Promise<void> {
    isStopping = true;
    for (const timer of pauses) clearTimeout(timer);
    for (const worker of living()) worker.process.kill('SIGTERM');
    const killing = setTimeout(() => {
      const left = living();
      const pids = left.map((worker) => worker.process.pid);
      log.warn({ workers: pids, milliseconds: deadline }, 'Workers have not stopped by the deadline: they are killed');
      for (const worker of left) worker.process.kill('SIGKILL');
    }, deadline);
    while (living().length > 0) await once(cluster, 'exit');
    clearTimeout(killing);
  }

  cluster.on('listening', (worker) => log.info({ worker: worker.process.pid }, 'A worker is listening'));
  relayCounts(cluster);
  for (let number = 0; number < count; number++) fork(number);
  try {
    const address = await allListen(count, stop);
    cluster.on('exit', replace);
    return { address, stop: stopAll };
  } catch (error) {
    for (const worker of living()) worker.process.kill('SIGKILL');
    while (living().length > 0) await once(cluster, 'exit');
    throw error;
  }
}

async function allListen(count: number, stop: AbortSignal): Promise<Address> {
  let forget = () => {};
  try {
    return await new Promise((resolve, reject) => {
      let listening = 0;
      const listens = (_worker: Worker, address: Address) => {
        listening += 1;
        if (listening === count) resolve(address);
      };
      const ended = ({ process: { pid } }: Worker, code: number, signal: string) =>
        reject(new UserError(`Worker ${pid} ended (${signal || code}) before it served: it says above why.`));
      const stopped = () => reject(stop.reason);
      cluster.on('listening', listens).on('exit', ended);
      stop.addEventListener('abort', stopped);
      if (stop.aborted) stopped();
      forget = () => {
        cluster.off('listening', listens).off('exit', ended);
        stop.removeEventListener('abort', stopped);
      };
    });
  } finally {
    forget();
  }
}

function living(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[];
}
