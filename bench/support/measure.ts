import type { ChildServer } from './child-server.ts';
import { type LoadResult, type Requests, runLoad } from './load.ts';
import { median } from './medians.ts';
import { processorMilliseconds } from './process-figures.ts';

export const CONNECTIONS = 32;

/** Milliseconds after which a new kind of request is compiled. */
const WARM_UP = 750;

export interface Measured extends LoadResult {
  /** Processor time of the server for one request, in microseconds. */
  processorMicroseconds: number;
}

/** Loads the servers one after the other, round after round, after a while in which nothing is counted. @returns the rounds of each server */
export async function measureInTurn(
  requests: Requests,
  servers: readonly ChildServer[],
  { rounds, milliseconds }: { rounds: number; milliseconds: number },
): Promise<Measured[][]> {
  const results: Measured[][] = servers.map(() => []);
  for (const server of servers) await measure(server, requests, WARM_UP);
  for (let round = 0; round < rounds; round++) {
    for (const [number, server] of servers.entries()) {
      results[number]?.push(await measure(server, requests, milliseconds));
    }
  }
  return results;
}

async function measure({ port, pid }: ChildServer, requests: Requests, milliseconds: number): Promise<Measured> {
  const before = processorMilliseconds(pid);
  const result = await runLoad({ port, request: requests, connections: CONNECTIONS, milliseconds });
  const spent = processorMilliseconds(pid) - before;
  return { ...result, processorMicroseconds: (spent * 1000) / result.requests };
}

/** The median of the ratios of requests a second within each round. */
export function medianRatio(own: readonly Measured[], others: readonly Measured[]): number {
  return median(
    own.map((result, round) => result.requestsPerSecond / (others[round]?.requestsPerSecond ?? Number.NaN)),
  );
}

/** The median of each figure. */
export function mediansOf(results: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => median(results.map((result) => result[key]));
  return {
    requests: of('requests'),
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    processorMicroseconds: of('processorMicroseconds'),
  };
}
