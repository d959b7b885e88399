import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { scimOperations } from '../../src/features/scim/scim-plugin.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';
import type { BlockingCase } from './blocking-case.ts';
import { CASES } from './cases.ts';
import { COMPANY, CORPORATE_ADMIN, DIRECTORY, SUPER_ADMIN, writeLargest } from './largest.ts';
import { startWatched, type WatchedService } from './watched-service.ts';

/*
 * For how long one request holds up all others: the longest turn of the event loop while the service answers it, for every
 * operation at its largest, on the embedded database and on a server. One request at a time.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
/** Milliseconds. */
const GOAL = 20;
/** Rounds that are not counted: what is new to a process is compiled, and read from the disk. */
const WARM_UP = 3;
const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

const cases = CASES.filter(({ name }) => name.includes(values.only));
await assertEveryOperation();
const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
try {
  await using server = await startPostgresServer();
  const columns = [
    await measureOn({ DATA_DIR: join(folder, 'embedded') }),
    await measureOn({ DATA_DIR: join(folder, 'server'), DATABASE_URL: server.url }),
  ];
  await report(columns);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** An operation that is published and not measured would be one that nobody knows about. */
async function assertEveryOperation(): Promise<void> {
  const { paths } = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as { paths: Record<string, object> };
  const published = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const measured = new Set(CASES.map(({ method, path }) => `${method} ${path}`));
  const missing = published.filter((operation) => !measured.has(operation));
  for (const { id, methods, path } of scimOperations) {
    if (!methods.some((method) => measured.has(`${method} ${path}`))) missing.push(id);
  }
  if (missing.length > 0) throw new Error(`There is no case of ${missing.join(', ')}`);
}

/** The longest turns of each case, in its rounds. */
async function measureOn(settings: { DATA_DIR: string; DATABASE_URL?: string }): Promise<Map<BlockingCase, number[]>> {
  const orgdesk = async (...words: string[]) =>
    (await run(process.execPath, [join(root, 'dist/cli.js'), ...words], { env: { ...process.env, ...settings } }))
      .stdout;
  const importPeople = async (round: number) => {
    const files = join(folder, `people-${round}`);
    await writeLargest(files, round);
    await orgdesk('import', files);
  };
  await importPeople(1);
  await using service = await startWatched(
    { ...settings, PORT: '0', WEBHOOK_PRIVATE_TARGETS: 'true' },
    join(folder, 'log'),
  );
  await waitForCompressedLists(settings.DATA_DIR);
  const tokens = new Map<string, string>();
  for (const email of [SUPER_ADMIN, CORPORATE_ADMIN]) tokens.set(email, (await orgdesk('token', email)).trim());
  const key = await orgdesk('key', 'Directory', '--scope', 'scim', '--company', COMPANY);
  tokens.set(DIRECTORY, key.trim());
  const answers = new Map<string, string>();
  const results = new Map<BlockingCase, number[]>();
  for (const each of cases) {
    if (each.afterImport) await importPeople(2);
    const { turns, last } = await measure(service, each, tokens, answers.get(each.behind ?? '') ?? '');
    answers.set(each.name, last);
    results.set(each, turns);
    process.stderr.write(`${each.name}: ${turns.map((turn) => turn.toFixed(1)).join(' ')}\n`);
  }
  return results;
}

async function measure(
  service: WatchedService,
  {
    method,
    path,
    id = () => '',
    as = '',
    type = 'application/json',
    query,
    body,
    status = 200,
    rounds = WARM_UP + Number(values.rounds),
  }: BlockingCase,
  tokens: ReadonlyMap<string, string>,
  before: string,
): Promise<{ turns: number[]; last: string }> {
  const turns: number[] = [];
  let last = before;
  for (let round = 0; round < rounds; round++) {
    const target = path.replace(':id', encodeURIComponent(id(round)));
    const url = `http://127.0.0.1:${service.port}${target}${query ? `?${new URLSearchParams(query(round, last))}` : ''}`;
    const headers = {
      'accept-encoding': 'identity',
      ...(as === '' ? {} : { authorization: `Bearer ${tokens.get(as) ?? as}` }),
      ...(body ? { 'content-type': type } : {}),
    };
    const request = { method, headers, ...(body ? { body: body(round, last) } : {}) };
    turns.push(
      await service.longestTurn(async () => {
        const answer = await fetch(url, request);
        const text = await answer.text();
        if (answer.status !== status) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
        if (answer.ok) last = text;
      }),
    );
  }
  return { turns, last };
}

async function report(columns: readonly Map<BlockingCase, number[]>[]): Promise<void> {
  const cells = (turns: readonly number[]) => {
    const counted = turns.length > WARM_UP ? turns.slice(WARM_UP) : turns;
    return [turns[0] ?? Number.NaN, median(counted), Math.max(...counted)];
  };
  const rows = cases.map((each) => {
    const figures = columns.map((column) => cells(column.get(each) ?? []));
    const isMet = figures.every(([, , longest = Number.NaN]) => longest <= GOAL);
    return [each.name, ...figures.flat().map((figure) => figure.toFixed(1)), isMet ? 'yes' : 'no'];
  });
  const longest = columns.flatMap((column) =>
    cases.map((each) => ({ each, turn: cells(column.get(each) ?? [])[2] ?? 0 })),
  );
  const [worst] = longest.sort((a, b) => b.turn - a.turn);
  const header = [
    'request',
    ...['embedded', 'server'].flatMap((on) => [`${on}: first`, 'median', 'longest']),
    `≤ ${GOAL} ms`,
  ];
  const text = [
    '# For how long a request holds up all others',
    '',
    `Command: \`npm run bench -- blocking --record\`. Machine: ${machineInWords()}.`,
    '',
    'Milliseconds of the longest turn of the event loop while the service answers one request, but those for which other',
    'programs had the processor. The service runs as `npm start` runs it, by its default settings but for `WEBHOOK_PRIVATE_TARGETS`, on the embedded database and on a PostgreSQL server.',
    'Every operation at its largest: full lists, full pages of the longest texts, bodies of 64 KiB (512 KiB, and a group of 10,000, where that may be), all values wrong; 120 companies, 10,000 people',
    `of one of them. The first request of a kind compiles what is new to the process; of those after ${WARM_UP}, the median and the longest.`,
    '',
    `The longest turn of all: ${worst?.turn.toFixed(1)} ms, ${worst?.each.name}.`,
    '',
    markdownTable(header, rows),
    '',
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.record) await writeFile(join(root, 'bench/results/blocking.md'), text);
  process.exitCode = rows.some((row) => row.at(-1) === 'no') ? 1 : 0;
}
