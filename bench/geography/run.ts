import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { startServer } from '../support/child-server.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { requestBytes } from '../support/load.ts';
import { machineInWords } from '../support/medians.ts';
import { CASES } from './cases.ts';
import { askAmongReaders } from './crowd.ts';
import { compare, finalRequest, recordAnswers } from './ratios.ts';
import { crowdReport, ratioReport, ratioRow, searchReport, startReport } from './report.ts';
import { timeSearches } from './searches.ts';
import { timeStart } from './starts.ts';

/*
 * The public lists beside a bare node:http server that sends the very same bytes: each alone on one processor, in turn, the
 * same load. Then: starts and memory, a crowd of slow readers, and single searches.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    milliseconds: { type: 'string', default: '250' },
    only: { type: 'string', default: '' },
  },
});
const load = { rounds: Number(values.rounds), milliseconds: Number(values.milliseconds) };
const cases = CASES.filter(({ name }) => name.includes(values.only));
const root = fileURLToPath(new URL('../../', import.meta.url));
const service = [join(root, 'dist/cli.js'), 'serve'];
const ownScript = (name: string) => ['--import', 'tsx', join(root, 'bench/geography', name)];

const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
/** As in production, behind a proxy that is trusted: so the limits count this machine's callers too, up to an allowance that they do not reach. */
const settings = {
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  LOG_LEVEL: 'warn',
  TRUST_PROXY: '127.0.0.1',
  RATE_LIMIT_PUBLIC: '1000000000',
};
try {
  const sections = [await ratios()];
  if (values.only === '') sections.push(await starts(), searchReport(timeSearches()));
  const text = [
    '# The public lists',
    `Command: \`npm run bench:geography\`. Machine: ${machineInWords()}.`,
    ...sections,
  ].join('\n\n');
  process.stdout.write(`${text}\n`);
  if (values.only === '') {
    await mkdir(join(root, 'bench/results'), { recursive: true });
    await writeFile(join(root, 'bench/results/geography.md'), `${text}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The ratios to the bare server, and the crowd, which asks the same service. */
async function ratios(): Promise<string> {
  await using own = await startServer('The service', service, settings);
  await waitForCompressedLists(own.port);
  const index = await recordAnswers(own.port, cases, folder);
  await using bare = await startServer('The bare server', [...ownScript('bare-server.ts'), index]);
  const rows: string[][] = [];
  for (const benchCase of cases) {
    const comparison = await compare(await finalRequest(own.port, benchCase), own, bare, load);
    rows.push(ratioRow(benchCase, comparison));
    process.stderr.write(`${rows.at(-1)?.join('  ')}\n`);
  }
  if (values.only !== '') return ratioReport(rows, load);
  const page = requestBytes('GET', '/api/cities/list?isPaginationNeeded=true&search=san');
  return `${ratioReport(rows, load)}\n\n${crowdReport(await askAmongReaders(own, page))}`;
}

async function starts(): Promise<string> {
  await using server = await startPostgresServer();
  const page = '/api/cities/list?isPaginationNeeded=true&search=san';
  const onServer = { ...settings, DATABASE_URL: server.url, DATA_DIR: join(folder, 'server-data') };
  // The first start loads the geography.
  await timeStart(service, onServer, page, 1);
  return startReport({
    bare: await timeStart(ownScript('fastify-server.ts'), {}, '/'),
    server: await timeStart(service, onServer, page),
    embedded: await timeStart(service, settings, page),
  });
}
