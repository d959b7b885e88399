import type { ChildServer } from './child-server.ts';
import { type LoadResult, type Requests, runLoad } from './load.ts';
import { median } from './medians.ts';
import { processorMilliseconds } from './process-figures.ts';

export const CONNECTIONS = 32;

/** Milliseconds after which a new kind of request is compiled. */
const WARM_UP = 4_000;

/** Share of a round's time that a server has to spend as processor time. */
const MIN_SHARE = 0.6;

export interface Measured extends LoadResult {
  /** Processor time of the server for one request, in microseconds. */
  processorMicroseconds: number;
}

/** How often each server is loaded, and for how long. */
export interface Rounds {
  rounds: number;
  milliseconds: number;
}

/**
 * Loads the servers one after the other, round after round, after a while in which nothing is counted. Each gets the same requests in
 * the same order, and goes on where its last round has ended.
 *
 * @param requests a list: those of each server
 * @returns the rounds of each server
 */
export async function measureInTurn(
  requests: Requests | readonly Requests[],
  servers: readonly ChildServer[],
  { rounds, milliseconds }: Rounds,
): Promise<Measured[][]> {
  const loads = servers.map((server, place) => {
    let sent = 0;
    const own = typeof requests === 'function' ? requests : requests[place];
    const next = () => own?.(sent++) ?? Buffer.alloc(0);
    return { server, next, results: [] as Measured[] };
  });
  for (const load of loads) await measure(load, WARM_UP);
  for (let round = 0; round < rounds; round++) {
    for (const load of loads) load.results.push(await measure(load, milliseconds));
  }
  return loads.map(({ results }) => results);
}

async function measure(
  { server: { port, pid }, next }: { server: ChildServer; next: () => Buffer },
  milliseconds: number,
): Promise<Measured> {
  const before = processorMilliseconds(pid);
  const results: LoadResult[] = [];
  let spent = 0;
  // On a busy machine it takes longer until the server has had its time.
  while (spent < MIN_SHARE * milliseconds) {
    results.push(await runLoad({ port, next, connections: CONNECTIONS, milliseconds }));
    spent = processorMilliseconds(pid) - before;
  }
  const of = (key: keyof LoadResult) => results.map((result) => result[key]);
  const requests = of('requests').reduce((sum, some) => sum + some, 0);
  const [requestsPerSecond, p50, p99] = [median(of('requestsPerSecond')), median(of('p50')), median(of('p99'))];
  return { requests, requestsPerSecond, p50, p99, processorMicroseconds: (spent * 1000) / requests };
}

/** The median of the ratios of requests a second within each round. */
export function medianRatio(own: readonly Measured[], others: readonly Measured[]): number {
  return median(
    own.map((result, round) => result.requestsPerSecond / (others[round]?.requestsPerSecond ?? Number.NaN)),
  );
}

/** The same of requests a second of processor time, which others on the machine hardly change. */
export function processorRatio(own: readonly Measured[], others: readonly Measured[]): number {
  return median(
    own.map((result, round) => (others[round]?.processorMicroseconds ?? Number.NaN) / result.processorMicroseconds),
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
