import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ChildServer, startServer } from '../support/child-server.ts';
import { fetchOnce, type LoadResult, requestBytes, runLoad } from '../support/load.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';
import { type BenchCase, CASES } from './cases.ts';

/*
 * The public lists beside a bare node:http server that sends the very same bytes: each alone on one processor, in turn, the
 * same load. What counts is the ratio within a round; the medians of several rounds are reported.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
});
const CONNECTIONS = 32;
const rounds = Number(values.rounds);
const milliseconds = Number(values.milliseconds);
const cases = CASES.filter(({ name }) => name.includes(values.only));
const root = fileURLToPath(new URL('../../', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
try {
  await using service = await startServer('The service', [join(root, 'dist/cli.js'), 'serve'], {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  await waitForCompressedLists(service.port);
  await using bare = await startServer('The bare server', [
    '--import',
    'tsx',
    join(root, 'bench/geography/bare-server.ts'),
    await writeAnswers(service.port),
  ]);
  const rows: string[][] = [];
  let missed = 0;
  for (const benchCase of cases) {
    const { ratio, own, plain } = await compare(benchCase, service, bare);
    if (ratio < benchCase.goal) missed++;
    rows.push([
      benchCase.name,
      ratio.toFixed(2),
      benchCase.goal.toFixed(2),
      ratio >= benchCase.goal ? 'yes' : 'no',
      `${Math.round(own.requestsPerSecond)} / ${Math.round(plain.requestsPerSecond)}`,
      `${own.p99.toFixed(2)} / ${plain.p99.toFixed(2)}`,
    ]);
    process.stderr.write(`${rows.at(-1)?.join('  ')}\n`);
  }
  await report(rows);
  process.exitCode = missed > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compare({ request, notModified }: BenchCase, service: ChildServer, bare: ChildServer) {
  const ownRequest = notModified ? await withTag(service.port, request) : request;
  const own: LoadResult[] = [];
  const plain: LoadResult[] = [];
  const load = { connections: CONNECTIONS, milliseconds };
  await runLoad({ port: service.port, request: ownRequest, connections: CONNECTIONS, milliseconds: 300 });
  await runLoad({ port: bare.port, request, connections: CONNECTIONS, milliseconds: 300 });
  for (let round = 0; round < rounds; round++) {
    own.push(await runLoad({ port: service.port, request: ownRequest, ...load }));
    plain.push(await runLoad({ port: bare.port, request, ...load }));
  }
  const ratios = own.map((result, round) => result.requestsPerSecond / (plain[round]?.requestsPerSecond ?? Number.NaN));
  return { ratio: median(ratios), own: medians(own), plain: medians(plain) };
}

function medians(results: readonly LoadResult[]): LoadResult {
  const of = (key: keyof LoadResult) => median(results.map((result) => result[key]));
  return { requestsPerSecond: of('requestsPerSecond'), p50: of('p50'), p99: of('p99') };
}

/** The request with the tag that the service gives to its answer. */
async function withTag(port: number, request: Buffer): Promise<Buffer> {
  const text = request.toString();
  const answer = await fetchOnce(port, Buffer.from(text.replace(/if-none-match: [^\r]*\r\n/, '')));
  const tag = /\netag: ([^\r]+)/i.exec(answer.toString('latin1', 0, 2000))?.[1] ?? '';
  return Buffer.from(text.replace(/if-none-match: [^\r]*/, `if-none-match: ${tag}`));
}

/** Writes the body of every answer into a file for the bare server, and what they answer into an index. */
async function writeAnswers(port: number): Promise<string> {
  const files: Record<string, string> = {};
  for (const [number, { key, request, notModified }] of CASES.entries()) {
    if (notModified) continue;
    const answer = await fetchOnce(port, request);
    files[key] = join(folder, `answer-${number}`);
    await writeFile(files[key], answer.subarray(answer.indexOf('\r\n\r\n') + 4));
  }
  const index = join(folder, 'answers.json');
  await writeFile(index, JSON.stringify(files));
  return index;
}

/** The full lists are compressed in the background of the first start. */
async function waitForCompressedLists(port: number): Promise<void> {
  const request = requestBytes('GET', '/api/cities/list', { headers: { 'accept-encoding': 'br' } });
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const answer = await fetchOnce(port, request);
    if (/\ncontent-encoding: br/i.test(answer.toString('latin1', 0, 2000))) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('The full lists have not been compressed within two minutes');
}

async function report(rows: readonly string[][]): Promise<void> {
  const header = ['what', 'ratio', 'goal', 'met', 'requests/s: service / bare', 'p99 ms: service / bare'];
  const text = [
    '# The public lists, beside a bare server',
    '',
    `Command: \`npm run bench:geography\`. Machine: ${machineInWords()}.`,
    '',
    'A bare `node:http` server sends the very same bytes from memory. Each of the two runs alone on one processor, in',
    `turn, under the same load: ${CONNECTIONS} connections, each waiting for its answer. The ratio is that of requests a second`,
    `within one round; medians of ${rounds} rounds of ${milliseconds} ms. The service runs as in production, its log at \`warn\`.`,
    '',
    markdownTable(header, rows),
    '',
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.only !== '') return;
  await mkdir(join(root, 'bench/results'), { recursive: true });
  await writeFile(join(root, 'bench/results/geography.md'), text);
}
