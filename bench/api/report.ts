import { CONNECTIONS, type Measured, medianRatio, mediansOf } from '../support/measure.ts';
import { markdownTable } from '../support/medians.ts';
import type { ApiCase } from './cases.ts';

/** What the servers did with one case, round by round. */
export interface CaseResult {
  apiCase: ApiCase;
  /** Absent where the bare server has no such answer. */
  bare?: { orgdesk: Measured[]; bare: Measured[] };
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
export function bareRow({ apiCase: { name, bareGoal }, bare: measured }: CaseResult): string[] | undefined {
  if (measured === undefined || bareGoal === undefined) return undefined;
  const { orgdesk, bare } = measured;
  const ratio = medianRatio(orgdesk, bare);
  return [
    ...[name, ratio.toFixed(2), bareGoal.toFixed(2), met(ratio >= bareGoal), `${rate(orgdesk)} / ${rate(bare)}`],
    ...[`${processor(orgdesk)} / ${processor(bare)}`, `${p99(orgdesk)} / ${p99(bare)}`],
  ];
}

/** orgdesk and each of the peers. */
export function peerRow({ apiCase: { name, peerGoal }, peers: measured }: CaseResult): string[] | undefined {
  if (measured === undefined) return undefined;
  const { orgdesk, peers } = measured;
  const ratios = peers.map((rounds) => medianRatio(orgdesk, rounds));
  const goal = peerGoal === undefined ? ['', ''] : [`≥ ${peerGoal}`, met(ratios.every((ratio) => ratio >= peerGoal))];
  const all = [orgdesk, ...peers];
  return [
    ...[name, ...ratios.map((ratio) => ratio.toFixed(1)), ...goal],
    ...[all.map(rate).join(' / '), all.map(processor).join(' / '), all.map(p99).join(' / ')],
  ];
}

/** @param data what is in the database, in words; @param note what else there is to say of this run */
export function apiReport(
  results: readonly CaseResult[],
  {
    data,
    peerNames,
    rounds,
    peerRounds,
    milliseconds,
  }: { data: string; peerNames: string[]; rounds: number; peerRounds: number; milliseconds: number },
): string {
  const servers = ['orgdesk', ...peerNames].join(' / ');
  const peerPart =
    peerNames.length === 0
      ? []
      : [
          '',
          '## Beside what people would otherwise put together',
          '',
          'How many times as many requests a second. The peers write no audit trail, and search with `ILIKE`.',
          '',
          markdownTable(
            ['what', ...peerNames, 'goal', 'met', `requests/s: ${servers}`, 'processor µs a request', 'p99 ms'],
            results.map(peerRow).filter((row) => row !== undefined),
          ),
        ];
  return [
    `The database: ${data}. All servers ask the same one, over at most 10 connections, and were found to give the same JSON.`,
    `Each runs alone on one processor, in turn, under the same load: ${CONNECTIONS} connections, each waiting for its answer. The database and the`,
    `load have the rest of the machine. Ratios are those of requests a second within one round; medians of ${rounds} rounds of ${milliseconds} ms,`,
    `of ${peerRounds} beside others.`,
    '',
    '## Beside a bare server',
    '',
    '`node:http` and `postgres.js`, the same statements and nothing else: no token is verified, no input checked, no limit counted. orgdesk',
    'looks up callers of one moment by one statement, and sends that of a page once for all who ask for it at that moment: here all do.',
    '',
    markdownTable(
      ['what', 'ratio', 'goal', 'met', 'requests/s: orgdesk / bare', 'processor µs a request', 'p99 ms'],
      results.map(bareRow).filter((row) => row !== undefined),
    ),
    ...peerPart,
  ].join('\n');
}
