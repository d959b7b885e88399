import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { ChildServer, ServerProcess } from '../support/child-server.ts';
import { fetchOnce, inTurn, runLoad } from '../support/load.ts';
import { median } from '../support/medians.ts';
import { residentMegabytes } from '../support/process-figures.ts';

const LOAD = { connections: 32, milliseconds: 2_000 };
const ALL_PROCESSORS = `0-${availableParallelism() - 1}`;
/** Milliseconds after which a started service has come to rest. */
const REST = 5_000;

export interface StartResult {
  /** From the start of the process to the line that says where it listens; of a first start to the first answer. */
  seconds: number;
  /** At rest, after a while under load; after a first start without load. */
  megabytes: number;
}

/** Starts a server a few times, loads it, and stops it. The best of the starts, as the rest is the machine's; the median of the memory. */
export async function timeStart(
  start: (on: ServerProcess) => Promise<ChildServer>,
  requests: readonly Buffer[],
  times: number,
): Promise<StartResult> {
  const results: StartResult[] = [];
  for (let time = 0; time < times; time++) {
    const begin = performance.now();
    await using server = await start({ processors: ALL_PROCESSORS });
    const seconds = (performance.now() - begin) / 1000;
    await setTimeout(REST);
    let requested = 0;
    await runLoad({ port: server.port, next: () => inTurn(requests)(requested++), ...LOAD });
    results.push({ seconds, megabytes: residentMegabytes(server.pid) });
  }
  return {
    seconds: Math.min(...results.map(({ seconds }) => seconds)),
    megabytes: median(results.map(({ megabytes }) => megabytes)),
  };
}

/** Milliseconds after which a first start has made the database, compressed the lists, and come to rest. */
const FIRST_REST = 30_000;

/** Starts a server once on an empty data folder. @returns the time to the first answer, and the memory at rest, without further requests */
export async function timeFirstStart(
  start: (on: ServerProcess) => Promise<ChildServer>,
  request: Buffer,
  isReady: () => Promise<void>,
): Promise<StartResult> {
  const begin = performance.now();
  await using server = await start({ processors: ALL_PROCESSORS });
  await fetchOnce(server.port, request);
  const seconds = (performance.now() - begin) / 1000;
  await isReady();
  await setTimeout(FIRST_REST);
  return { seconds, megabytes: residentMegabytes(server.pid) };
}
