import { machineInWords, markdownTable, median } from '../../bench/support/medians.ts';
import type { Round, Scenario } from './scenarios.ts';

/** The rounds of a scenario that were tried. */
export interface Tried {
  scenario: Scenario;
  rounds: readonly Round[];
}

const HEADER = [
  'what happened',
  'held',
  'gap of updates, s: median, longest',
  'allowed',
  'updates acknowledged',
  'of these lost',
  'failed or not answered',
  'of these done all the same',
  'whole again after, s: median, longest',
  'public lists answered, the slowest',
];

/** The results, as docs/results/failover.md shows them. */
export function reportOf(
  versions: string,
  tried: readonly Tried[],
  { repeated, commits }: { repeated: number; commits: { waiting: number; alone: number } },
): string {
  return `# Failover

Command: \`npm run long -- failover\`. ${versions}. Machine: ${machineInWords()}.

Three nodes with Patroni and PostgreSQL (\`synchronous_mode\`, \`ttl\` 20 s, \`loop_wait\` 2 s, \`primary_start_timeout\` 0), one etcd, HAProxy and two instances of the service, all on this
machine. Four people update their profiles through the instances, one update after the other, each with a value of its own, which is looked for
in the database afterwards. The gap is the longest time in which one of them had no update acknowledged. An update that is answered
with a 503 may have been done: it had been committed when the connection was cut. Public lists are asked for
all the while; another answer than 200 there, or than 200 and 503 elsewhere, is a failure. Rounds in which the machine itself did not run for more than 2 s are repeated (here: ${repeated}).

${markdownTable(HEADER, tried.map(rowOf))}

A commit alone that waits for the standby takes ${commits.waiting.toFixed(1)} ms here, one that does not ${commits.alone.toFixed(1)} ms (medians of 400 each, in turns).
`;
}

function rowOf({ scenario, rounds }: Tried): string[] {
  const sum = (figure: (round: Round) => number) => String(rounds.reduce((total, round) => total + figure(round), 0));
  const held = rounds.filter(({ failures }) => failures.length === 0).length;
  const slowest = Math.max(...rounds.map(({ geography }) => geography.slowest));
  return [
    scenario.title,
    `${held} of ${rounds.length}`,
    middleAndMost(rounds.map(({ gap }) => gap)),
    `${scenario.longestGap / 1000} s`,
    sum(({ acknowledged }) => acknowledged),
    sum(({ lost }) => lost.length),
    sum(({ unknown }) => unknown),
    sum(({ unknownHappened }) => unknownHappened),
    middleAndMost(rounds.map(({ wholeAfter }) => wholeAfter)),
    `${sum(({ geography }) => geography.answered)}, ${slowest.toFixed(0)} ms`,
  ];
}

function middleAndMost(milliseconds: readonly number[]): string {
  return [median(milliseconds), Math.max(...milliseconds)].map((value) => (value / 1000).toFixed(1)).join(', ');
}

/** A round in a line. */
export function lineOf({ scenario, rounds }: Tried): string {
  const round = rounds.at(-1);
  if (round === undefined) return '';
  const figures = [
    `gap ${(round.gap / 1000).toFixed(1)} s`,
    `${round.acknowledged} acknowledged`,
    `${round.lost.length} lost`,
    `${round.unknown} failed, ${round.unknownHappened} of these done`,
    `whole after ${(round.wholeAfter / 1000).toFixed(1)} s`,
  ];
  return [`${scenario.name} ${rounds.length}: ${figures.join(', ')}`, ...round.failures].join('\n  FAILED: ');
}
