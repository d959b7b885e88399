import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ChildServer } from '../support/child-server.ts';
import { inTurn, type LoadResult, runLoad } from '../support/load.ts';
import { residentMegabytes } from '../support/process-figures.ts';

const READERS = fileURLToPath(new URL('./readers.ts', import.meta.url));

export const PULLERS = 20;
export const SLOW_READERS = 50;
export const SLOW_BYTES_PER_SECOND = 50_000;

/** Milliseconds between an answer and the next request of the one caller whose waiting is measured. */
const PAUSE = 4;

export interface CrowdResult {
  alone: LoadResult;
  crowded: LoadResult;
  /** Megabytes of the service before and, at the most, during. */
  memoryBefore: number;
  memoryDuring: number;
}

/** How long one caller waits for a page, alone and while many others read the full list of cities, some of them slowly. */
export async function askAmongReaders(
  service: ChildServer,
  pages: readonly Buffer[],
  { warmUp, milliseconds }: { warmUp: number; milliseconds: number },
): Promise<CrowdResult> {
  let requested = 0;
  const next = () => inTurn(pages)(requested++);
  const ask = (duration: number) =>
    runLoad({ port: service.port, next, connections: 1, milliseconds: duration, pause: PAUSE });
  await ask(warmUp);
  const alone = await ask(milliseconds);
  const memoryBefore = residentMegabytes(service.pid);
  const settings = [service.port, PULLERS, SLOW_READERS, SLOW_BYTES_PER_SECOND].map(String);
  const readers = spawn(
    'chrt',
    ['--idle', '0', 'taskset', '-c', '1', process.execPath, '--import', 'tsx', READERS, ...settings],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(readers.stdout, 'data');
  await setTimeout(warmUp);
  let memoryDuring = 0;
  const watch = setInterval(() => {
    memoryDuring = Math.max(memoryDuring, residentMegabytes(service.pid));
  }, 200);
  const crowded = await ask(milliseconds);
  clearInterval(watch);
  const exited = once(readers, 'exit');
  readers.kill('SIGKILL');
  await exited;
  return { alone, crowded, memoryBefore, memoryDuring };
}
