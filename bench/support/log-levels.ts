import { type Measured, medianRatio, mediansOf } from './measure.ts';

/** The service is measured with the log as it comes, and with one that says nothing of requests. */
export const LOG_LEVELS = ['info', 'warn'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Requests a second, as a share of those of a bare server, at each level that has a goal. */
export type Goals = Partial<Record<LogLevel, number>>;

const HEADER_OF_LEVEL = (level: LogLevel) => [`ratio at ${level}`, 'goal', 'met'];

export const LEVELS_HEADER = [
  'what',
  ...LOG_LEVELS.flatMap(HEADER_OF_LEVEL),
  `requests/s: ${LOG_LEVELS.join(' / ')} / bare`,
  'processor µs a request',
  'p99 ms',
];

/** @param rounds those of the service at each of the levels, and of the bare server */
export function levelsRow(name: string, goals: Goals, rounds: readonly Measured[][], ratioOf = medianRatio): string[] {
  const bare = rounds.at(-1) ?? [];
  const medians = rounds.map(mediansOf);
  const figures = (format: (each: Measured) => string) => medians.map(format).join(' / ');
  return [
    name,
    ...LOG_LEVELS.flatMap((level, place) => {
      const ratio = ratioOf(rounds[place] ?? [], bare);
      const goal = goals[level];
      return [ratio.toFixed(2), ...(goal === undefined ? ['', ''] : [goal.toFixed(2), ratio >= goal ? 'yes' : 'no'])];
    }),
    figures(({ requestsPerSecond }) => requestsPerSecond.toFixed(0)),
    figures(({ processorMicroseconds }) => processorMicroseconds.toFixed(1)),
    figures(({ p99 }) => p99.toFixed(1)),
  ];
}
