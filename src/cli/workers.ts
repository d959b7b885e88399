import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { UserError } from '../lib/errors.ts';
import { relayCounts } from './worker-channel.ts';

/** Milliseconds: a worker that ends sooner has died quickly. */
const QUICK_DEATH = 30_000;
/** Milliseconds before the next one after a quick death; each further one in a row doubles them, up to the longest. */
const FIRST_REST = 1_000;
const LONGEST_REST = 30_000;

/** The processes that serve. The system ends them together with this one, however that ends. */
export interface Workers {
  /** Where all of them listen. */
  readonly address: Address;
  /** Asks them to stop, and waits until they have; those that have not after so many milliseconds are killed. */
  end(lastResort: number): Promise<void>;
}

/**
 * Starts so many processes of this program as workers, which share one port, and waits until all of them listen. One that
 * ends is replaced: at once where it has lived for a while, otherwise after a rest.
 *
 * @param settingsOf the settings that each of them has for itself, by its number from 0 on; one that takes a place has its number
 * @throws UserError where one ends before all listen; the reason of `stop` where that comes before
 */
export async function startWorkers(
  count: number,
  settingsOf: (number: number) => Record<string, string>,
  log: Logger,
  stop: AbortSignal,
): Promise<Workers> {
  const born = new Map<number, { number: number; at: number }>();
  const rests = new Set<NodeJS.Timeout>();
  let quickDeaths = 0;
  let isEnding = false;

  function fork(number: number): void {
    born.set(cluster.fork(settingsOf(number)).id, { number, at: performance.now() });
  }

  function replace(worker: Worker, code: number, signal: string): void {
    if (isEnding) return;
    const { number, at } = born.get(worker.id) ?? { number: 0, at: 0 };
    const lived = performance.now() - at;
    born.delete(worker.id);
    quickDeaths = lived < QUICK_DEATH ? quickDeaths + 1 : 0;
    const rest = quickDeaths === 0 ? 0 : Math.min(FIRST_REST * 2 ** (quickDeaths - 1), LONGEST_REST);
    log.error({ worker: worker.process.pid, code, signal, rest }, 'A worker has ended: another takes its place');
    const timer = setTimeout(() => {
      rests.delete(timer);
      fork(number);
    }, rest);
    rests.add(timer);
  }

  async function end(lastResort: number): Promise<void> {
    isEnding = true;
    for (const timer of rests) clearTimeout(timer);
    const signalAll = (signal: NodeJS.Signals) => {
      for (const worker of living()) worker.process.kill(signal);
    };
    signalAll('SIGTERM');
    const killing = setTimeout(signalAll, lastResort, 'SIGKILL');
    while (living().length > 0) await once(cluster, 'exit');
    clearTimeout(killing);
  }

  cluster.on('listening', (worker) => log.info({ worker: worker.process.pid }, 'A worker serves'));
  relayCounts(cluster);
  for (let number = 0; number < count; number++) fork(number);
  try {
    const address = await allListen(count, stop);
    cluster.on('exit', replace);
    return { address, end };
  } catch (error) {
    await end(0);
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
