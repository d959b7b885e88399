import { CONNECTIONS } from '../support/measure.ts';
import { markdownTable } from '../support/medians.ts';
import type { BenchCase } from './cases.ts';
import { type CrowdResult, PULLERS, SLOW_BYTES_PER_SECOND, SLOW_READERS } from './crowd.ts';
import type { Comparison } from './ratios.ts';
import type { SearchTimes } from './searches.ts';
import type { StartResult } from './starts.ts';

const met = (isMet: boolean) => (isMet ? 'yes' : 'no');

export function ratioRow({ name, goal }: BenchCase, { ratio, service, bare }: Comparison): string[] {
  return [
    name,
    ratio.toFixed(2),
    goal.toFixed(2),
    met(ratio >= goal),
    `${Math.round(service.requestsPerSecond)} / ${Math.round(bare.requestsPerSecond)}`,
    `${service.processorMicroseconds.toFixed(1)} / ${bare.processorMicroseconds.toFixed(1)}`,
    `${service.p99.toFixed(2)} / ${bare.p99.toFixed(2)}`,
  ];
}

export function ratioReport(rows: readonly string[][], load: { rounds: number; milliseconds: number }): string {
  return [
    '## Beside a bare server',
    '',
    'A bare `node:http` server sends the very same bytes, heads and bodies, from memory. Each of the two runs alone on one',
    `processor, in turn, under the same load: ${CONNECTIONS} connections, each waiting for its answer. The ratio is that of requests a`,
    `second within one round; medians of ${load.rounds} rounds of ${load.milliseconds} ms. The service runs as in production, with its limits`,
    'counting; the log is at `warn`.',
    '',
    markdownTable(
      ['what', 'ratio', 'goal', 'met', 'requests/s: service / bare', 'processor µs a request', 'p99 ms'],
      rows,
    ),
  ].join('\n');
}

export function crowdReport({ alone, crowded, memoryBefore, memoryDuring }: CrowdResult): string {
  const row = (what: string, { p50, p99 }: { p50: number; p99: number }, memory: number) => [
    ...[what, p50.toFixed(2), p99.toFixed(2), memory.toFixed(0)],
  ];
  const factor = crowded.p99 / alone.p99;
  const growth = memoryDuring - memoryBefore;
  return [
    '## Among readers of the full list',
    '',
    `One caller asks for a page of 10, alone, then while ${PULLERS} clients pull the full list of cities (28 MB) without pause and`,
    `${SLOW_READERS} more read it at ${SLOW_BYTES_PER_SECOND / 1000} kB/s. Goals: a p99 of at most 5 times as long (it is ${factor.toFixed(1)}: ${met(factor <= 5)}), at most 100 MB`,
    `more memory (it is ${growth.toFixed(0)} MB: ${met(growth <= 100)}).`,
    '',
    markdownTable(
      ['', 'p50 ms', 'p99 ms', 'memory MB'],
      [row('alone', alone, memoryBefore), row('among the readers', crowded, memoryDuring)],
    ),
  ].join('\n');
}

export function startReport(results: Record<'bare' | 'server' | 'embedded', StartResult>): string {
  const { bare, server, embedded } = results;
  const more = server.megabytes - bare.megabytes;
  const row = (what: string, { seconds, megabytes }: StartResult, goal: string) => [
    ...[what, seconds.toFixed(2), goal, megabytes.toFixed(0)],
  ];
  return [
    '## Starts and memory',
    '',
    'From the start of the process, on all processors, to the first answer with a database that holds the geography, best of three starts, and the',
    `memory at rest after 2 s of load, all lists loaded and compressed. Goal: at most 150 MB more than a bare Fastify (it is ${more.toFixed(0)} MB:`,
    `${met(more <= 150)}); on the embedded default PostgreSQL itself lives in the process.`,
    '',
    markdownTable(
      ['', 'start s', 'goal', 'memory MB'],
      [
        row('bare Fastify', bare, ''),
        row('service on a PostgreSQL server', server, '2'),
        row('service on the embedded database', embedded, '3'),
      ],
    ),
  ].join('\n');
}

export function searchReport({ searches, p50, p99, slowest, slowestNeedle, build }: SearchTimes): string {
  return [
    '## Single searches',
    '',
    `${searches.toLocaleString('en')} searches for a first page of cities, with nothing remembered of earlier ones: every part of one to three letters of`,
    'every name, longer ones of every fourteenth, each alone, in a country and in a state. Goal: none takes more than 1 ms.',
    '',
    markdownTable(
      ['p50 ms', 'p99 ms', 'slowest ms', 'slowest needle', 'building the index, s'],
      [[p50.toFixed(3), p99.toFixed(3), slowest.toFixed(2), `\`${slowestNeedle}\``, (build / 1000).toFixed(2)]],
    ),
  ].join('\n');
}
