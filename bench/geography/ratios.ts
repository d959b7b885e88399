import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildServer } from '../support/child-server.ts';
import { fetchOnce, type LoadResult, runLoad } from '../support/load.ts';
import { median } from '../support/medians.ts';
import { processorMilliseconds } from '../support/process-figures.ts';
import type { BareAnswer } from './bare-server.ts';
import type { BenchCase } from './cases.ts';

export const CONNECTIONS = 32;

/** Milliseconds after which a new kind of request is compiled. */
const WARM_UP = 750;

/** Both servers under the same load: the ratio is that of requests a second within a round. */
export interface Comparison {
  ratio: number;
  service: Measured;
  bare: Measured;
}

export interface Measured extends LoadResult {
  /** Processor time of the server for one request, in microseconds. */
  processorMicroseconds: number;
}

/** Each in turn, round after round; medians. */
export async function compare(
  request: Buffer,
  service: ChildServer,
  bare: ChildServer,
  { rounds, milliseconds }: { rounds: number; milliseconds: number },
): Promise<Comparison> {
  await measure(service, request, WARM_UP);
  await measure(bare, request, WARM_UP);
  const own: Measured[] = [];
  const plain: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    own.push(await measure(service, request, milliseconds));
    plain.push(await measure(bare, request, milliseconds));
  }
  const ratios = own.map((result, round) => result.requestsPerSecond / (plain[round]?.requestsPerSecond ?? Number.NaN));
  return { ratio: median(ratios), service: medians(own), bare: medians(plain) };
}

async function measure({ port, pid }: ChildServer, request: Buffer, milliseconds: number): Promise<Measured> {
  const before = processorMilliseconds(pid);
  const result = await runLoad({ port, request, connections: CONNECTIONS, milliseconds });
  const spent = processorMilliseconds(pid) - before;
  return { ...result, processorMicroseconds: (spent * 1e6) / (result.requestsPerSecond * milliseconds) };
}

function medians(results: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => median(results.map((result) => result[key]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    processorMicroseconds: of('processorMicroseconds'),
  };
}

/** The request, with the tag that the service gives to its answer where the client is to hold that already. */
export async function finalRequest(port: number, { request, notModified }: BenchCase): Promise<Buffer> {
  if (!notModified) return request;
  const text = request.toString();
  const answer = await fetchOnce(port, Buffer.from(text.replace(/if-none-match: [^\r]*\r\n/, '')));
  const tag = /\netag: ([^\r]+)/i.exec(answer.toString('latin1', 0, 2000))?.[1] ?? '';
  return Buffer.from(text.replace(/if-none-match: [^\r]*/, `if-none-match: ${tag}`));
}

/** What Node writes into every head by itself. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive']);

/** Writes the service's answers down for the bare server: heads into an index, whose name is given, bodies into files. */
export async function recordAnswers(port: number, cases: readonly BenchCase[], folder: string): Promise<string> {
  const answers: Record<string, BareAnswer> = {};
  for (const [number, benchCase] of cases.entries()) {
    const answer = await fetchOnce(port, await finalRequest(port, benchCase));
    const end = answer.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = answer.toString('latin1', 0, end).split('\r\n');
    const headers = lines
      .map((line) => line.split(/: (.*)/s, 2) as [string, string])
      .filter(([name]) => !BY_NODE.has(name.toLowerCase()));
    const file = join(folder, `answer-${number}`);
    await writeFile(file, answer.subarray(end + 4));
    answers[benchCase.key] = { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), file };
  }
  const index = join(folder, 'answers.json');
  await writeFile(index, JSON.stringify(answers));
  return index;
}
