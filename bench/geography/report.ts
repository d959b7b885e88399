import { LEVELS_HEADER } from '../support/log-levels.ts';
import { CONNECTIONS, type Rounds } from '../support/measure.ts';
import { markdownTable } from '../support/medians.ts';
import { type CrowdResult, PULLERS, SLOW_BYTES_PER_SECOND, SLOW_READERS } from './crowd.ts';
import type { SearchTimes } from './searches.ts';
import type { StartResult } from './starts.ts';

const met = (isMet: boolean) => (isMet ? 'yes' : 'no');

export function ratioReport(rows: readonly string[][], { rounds, milliseconds }: Rounds): string {
  return [
    '## Beside a bare server',
    '',
    'A bare `node:http` server sends the very same bytes, heads and bodies, from memory. The service runs as `npm start` starts it, its log',
    'at `info` written to a file, and once more with `LOG_LEVEL=warn`. Each of the three runs alone on one processor, in turn, under the',
    `same load: ${CONNECTIONS} connections, each waiting for its answer. Every request asks for something else, in an order that is the same for all`,
    'three: searches for 20,000 beginnings of names, by themselves, in a country or in a state, each with a page of its own. The ratio is',
    `that of the bare server's processor time a request to the service's within one round; medians of ${rounds} rounds of ${milliseconds} ms.`,
    '',
    markdownTable(LEVELS_HEADER, rows),
  ].join('\n');
}

/** What it costs to compress each answer, at `info`. */
export function compressionReport(plain = Number.NaN, brotli = Number.NaN): string {
  const ratio = brotli / plain;
  return [
    'A page of 10 is compressed for each request that takes brotli. Such requests come at',
    `${ratio.toFixed(2)} of the rate of the others. Goal: at least 0.5 (${met(ratio >= 0.5)}).`,
  ].join(' ');
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

export function startReport(results: Record<'first' | 'bare' | 'server' | 'embedded', StartResult>): string {
  const { first, bare, server, embedded } = results;
  const more = server.megabytes - bare.megabytes;
  const row = (what: string, { seconds, megabytes }: StartResult, goal: string) => [
    ...[what, seconds.toFixed(2), goal, megabytes.toFixed(0)],
  ];
  return [
    '## Starts and memory',
    '',
    'The first start of a clone: from the start of the process with an empty data folder to the first page of cities, and the memory at rest',
    `without further requests. Goals: 5 s (${met(first.seconds <= 5)}), 400 MB (${met(first.megabytes <= 400)}).`,
    '',
    'Later starts: from the start of the process, on all processors, to the first answer with a database that holds the geography, best of three starts, and the median of the',
    `memory at rest after 2 s of load, all lists loaded and compressed. Goal: at most 150 MB more than a bare Fastify (it is ${more.toFixed(0)} MB:`,
    `${met(more <= 150)}); on the embedded default PostgreSQL itself lives in the process.`,
    '',
    markdownTable(
      ['', 'start s', 'goal', 'memory MB'],
      [
        row('first start of a clone, embedded database', first, '5'),
        row('bare Fastify', bare, ''),
        row('service on a PostgreSQL server', server, '2'),
        row('service on the embedded database', embedded, '3'),
      ],
    ),
  ].join('\n');
}

export function searchReport(times: SearchTimes): string {
  return [
    '## Single searches',
    '',
    `${times.searches.toLocaleString('en')} searches for a first page of cities, with nothing remembered of earlier ones: every part of one to three letters of`,
    'every name, longer ones of every fourteenth, each alone, in a country and in a state. Goal: none takes more than 1 ms.',
    '',
    searchTable(times),
  ].join('\n');
}

function searchTable({ p50, p99, slowest, slowestNeedle, build }: SearchTimes): string {
  return markdownTable(
    ['p50 ms', 'p99 ms', 'slowest ms', 'slowest needle', 'building the index, s'],
    [[p50.toFixed(3), p99.toFixed(3), slowest.toFixed(2), `\`${slowestNeedle}\``, (build / 1000).toFixed(2)]],
  );
}
