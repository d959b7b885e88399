import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type { ChildServer, ServerProcess } from '../support/child-server.ts';
import { inTurn, runLoad } from '../support/load.ts';
import { residentMegabytes } from '../support/process-figures.ts';

const LOAD = { connections: 32, milliseconds: 2_000 };
const ALL_PROCESSORS = `0-${availableParallelism() - 1}`;
/** Milliseconds after which a started service has come to rest. */
const REST = 5_000;

export interface StartResult {
  /** From the start of the process to the line that says where it listens. */
  seconds: number;
  /** At rest, after a while under load. */
  megabytes: number;
}

/** Starts a server a few times, loads it, and stops it. The best of the starts: what is beyond that is the machine's. */
export async function timeStart(
  start: (on: ServerProcess) => Promise<ChildServer>,
  requests: readonly Buffer[],
  times: number,
): Promise<StartResult> {
  let best: StartResult | undefined;
  for (let time = 0; time < times; time++) {
    const begin = performance.now();
    await using server = await start({ processors: ALL_PROCESSORS });
    const seconds = (performance.now() - begin) / 1000;
    await setTimeout(REST);
    let asked = 0;
    await runLoad({ port: server.port, next: () => inTurn(requests)(asked++), ...LOAD });
    const megabytes = residentMegabytes(server.pid);
    if (best === undefined || seconds < best.seconds) best = { seconds, megabytes };
  }
  return best ?? { seconds: Number.NaN, megabytes: Number.NaN };
}
