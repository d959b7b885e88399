import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChildServer } from '../support/child-server.ts';
import { fetchOnce } from '../support/load.ts';
import { type Measured, measureInTurn, medianRatio, mediansOf } from '../support/measure.ts';
import type { BareAnswer } from './bare-server.ts';
import type { BenchCase } from './cases.ts';

/** Both servers under the same load: the ratio is that of requests a second within a round. */
export interface Comparison {
  ratio: number;
  service: Measured;
  bare: Measured;
}

/** Each in turn, round after round; medians. */
export async function compare(
  request: Buffer,
  service: ChildServer,
  bare: ChildServer,
  load: { rounds: number; milliseconds: number },
): Promise<Comparison> {
  const [own = [], plain = []] = await measureInTurn(request, [service, bare], load);
  return { ratio: medianRatio(own, plain), service: mediansOf(own), bare: mediansOf(plain) };
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
