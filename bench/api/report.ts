import { LEVELS_HEADER, levelsRow } from '../support/log-levels.ts';
import { CONNECTIONS, type Measured, type Rounds } from '../support/measure.ts';
import { markdownTable } from '../support/medians.ts';
import { type ApiCase, GOALS } from './cases.ts';

/** What the servers did with one case, round by round: orgdesk at each level of the log, and the bare server. */
export interface CaseResult {
  apiCase: ApiCase;
  measured: Measured[][];
}

export function caseRow({ apiCase: { name }, measured }: CaseResult): string[] {
  return levelsRow(name, GOALS, measured);
}

/** A run, in words and figures. */
export interface ApiRun extends Rounds {
  /** What is in the database. */
  data: string;
  callers: number;
}

export function apiReport(results: readonly CaseResult[], { data, callers, rounds, milliseconds }: ApiRun): string {
  return [
    `The database: ${data}. All servers ask the same one, over at most 10 connections, and were found to give the same JSON.`,
    `Each runs alone on one processor, in turn, under the same load: ${CONNECTIONS} connections, each waiting for its answer. The database and the`,
    `load have the rest of the machine. Every request is of another of ${callers.toLocaleString('en')} callers, for another page of another company, in an order`,
    `that is the same for all servers. Ratios are those of requests a second within one round; medians of ${rounds} rounds of ${milliseconds} ms.`,
    '',
    'The bare server is `node:http` and `postgres.js`, the same statements, the look-up of the caller among them, and nothing else: no token is',
    'verified, no input checked, nothing logged. orgdesk runs as `npm start` starts it, its log at `info` written to a file, and once more with',
    '`LOG_LEVEL=warn`.',
    '',
    markdownTable(LEVELS_HEADER, results.map(caseRow)),
  ].join('\n');
}
