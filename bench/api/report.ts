import { LEVELS_HEADER, levelsRow } from '../support/log-levels.ts';
import { CONNECTIONS, type Measured, medianRatio, mediansOf, type Rounds } from '../support/measure.ts';
import { markdownTable } from '../support/medians.ts';
import type { ApiCase } from './cases.ts';

/** What the servers did with one case, round by round. */
export interface CaseResult {
  apiCase: ApiCase;
  /** orgdesk at each level of the log, and the bare server; absent where it has no such answer. */
  bare?: Measured[][];
  /** Absent where there are no peers; each in the order of their names. */
  peers?: { orgdesk: Measured[]; peers: Measured[][] };
}

const met = (isMet: boolean) => (isMet ? 'yes' : 'no');
const rate = (rounds: readonly Measured[]) => {
  const { requestsPerSecond } = mediansOf(rounds);
  return requestsPerSecond.toFixed(requestsPerSecond < 100 ? 1 : 0);
};
const processor = (rounds: readonly Measured[]) => mediansOf(rounds).processorMicroseconds.toFixed(0);
const p99 = (rounds: readonly Measured[]) => mediansOf(rounds).p99.toFixed(1);

/** orgdesk and the bare server. */
export function bareRow({ apiCase: { name, bareGoals }, bare }: CaseResult): string[] | undefined {
  return bare && bareGoals && levelsRow(name, bareGoals, bare);
}

/** orgdesk and each of the peers. */
export function peerRow({ apiCase: { name, peerGoal }, peers: measured }: CaseResult): string[] | undefined {
  if (measured === undefined) return undefined;
  const { orgdesk, peers } = measured;
  const ratios = peers.map((rounds) => medianRatio(orgdesk, rounds));
  const goal = peerGoal === undefined ? ['', ''] : [`≥ ${peerGoal}`, met(ratios.every((ratio) => ratio >= peerGoal))];
  const all = [orgdesk, ...peers];
  return [
    name,
    ...ratios.map((ratio) => ratio.toFixed(1)),
    ...goal,
    all.map(rate).join(' / '),
    all.map(processor).join(' / '),
    all.map(p99).join(' / '),
  ];
}

/** A run, in words and figures. */
export interface ApiRun extends Rounds {
  /** What is in the database. */
  data: string;
  callers: number;
  peerNames: readonly string[];
  peerRounds: number;
}

export function apiReport(
  results: readonly CaseResult[],
  { data, callers, peerNames, rounds, peerRounds, milliseconds }: ApiRun,
): string {
  const servers = ['orgdesk', ...peerNames].join(' / ');
  const peerPart =
    peerNames.length === 0
      ? []
      : [
          '',
          '## Beside what people would otherwise put together',
          '',
          'How many times as many requests a second. orgdesk at `info`; the peers log nothing, write no audit trail, and search with `ILIKE`.',
          '',
          markdownTable(
            ['what', ...peerNames, 'goal', 'met', `requests/s: ${servers}`, 'processor µs a request', 'p99 ms'],
            results.map(peerRow).filter((row) => row !== undefined),
          ),
        ];
  return [
    `The database: ${data}. All servers ask the same one, over at most 10 connections, and were found to give the same JSON.`,
    `Each runs alone on one processor, in turn, under the same load: ${CONNECTIONS} connections, each waiting for its answer. The database and the`,
    `load have the rest of the machine. Every request is of another of ${callers.toLocaleString('en')} callers, for another page of another company, in an order`,
    `that is the same for all servers. Ratios are those of requests a second within one round; medians of ${rounds} rounds of ${milliseconds} ms,`,
    `of ${peerRounds} beside others.`,
    '',
    '## Beside a bare server',
    '',
    '`node:http` and `postgres.js`, the same statements, the look-up of the caller among them, and nothing else: no token is verified, no',
    'input checked, nothing logged. orgdesk runs as `npm start` starts it, its log at `info` written to a file, and once more with `LOG_LEVEL=warn`.',
    '',
    markdownTable(
      LEVELS_HEADER,
      results.map(bareRow).filter((row) => row !== undefined),
    ),
    ...peerPart,
  ].join('\n');
}
