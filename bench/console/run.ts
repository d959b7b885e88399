import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { startBrowser } from '../../test/browser/browser.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { JWT_SECRET, loadData } from '../api/data.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { startBareBrowser } from './bare-browser.ts';
import { SLOWER } from './moments.ts';
import { WAITS } from './waits.ts';

/*
 * What people wait for in the console, on a slow processor, and in a company of many people: `npm run bench -- console`. Needs a Chromium
 * (CHROMIUM, else Debian's).
 */
const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '130000' },
    times: { type: 'string', default: '5' },
    record: { type: 'boolean', default: false },
  },
});
const people = Number(values.people);
const times = Number(values.times);
const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
await using server = await startPostgresServer(SERVER_SETTINGS);
process.stderr.write('Loading data …\n');
const admin = await loadCompany();
const dataDir = join(folder, 'data');
await using service = await startOrgdesk(dataDir, {
  // People do not come as fast as these presses.
  env: { DATABASE_URL: server.url, JWT_SECRET, RATE_LIMIT_USER: '0', LOG_LEVEL: 'error' },
  processors: '0-1',
});
await waitForCompressedLists(dataDir);
const browser = await startBrowser();
await using _browser = { [Symbol.asyncDispose]: () => browser.close() };
await using bare = await startBareBrowser();

const rows: string[][] = [];
for (const { what, goal, measure } of WAITS) {
  const rounds: number[] = [];
  for (let time = 0; time < times; time++) {
    rounds.push(await measure({ browser, bare, address: `http://127.0.0.1:${service.port}`, people, ...admin }, time));
  }
  const [found, least, most] = [median(rounds), Math.min(...rounds), Math.max(...rounds)];
  const goals = goal === undefined ? ['', ''] : [`≤ ${goal}`, found <= goal ? 'yes' : 'no'];
  rows.push([what, ...[found, least, most].map((milliseconds) => milliseconds.toFixed(0)), ...goals]);
  process.stderr.write(`${rows.at(-1)?.join('  ')}\n`);
}
await report();
process.exitCode = rows.some((row) => row.at(-1) === 'no') ? 1 : 0;

/** One company that has all people, and one of its admins. */
async function loadCompany(): Promise<{ token: string; company: string }> {
  await using db = openPostgresDatabase({ url: server.url, maxConnections: 1 });
  await loadData(db, { companies: 1, users: people, roles: people, bookings: 0 });
  await db.query(sql`vacuum (analyze)`);
  const [found] = await db.query<{ id: string; company: string }>(sql`
    select users.id, users.company_id as company
      from company_roles join users on users.id = company_roles.user_id
     where users.active and company_roles.role = 'CORPORATE_ADMIN' order by users.id limit 1`);
  const sign = tokenSigner(keysFromSecret(JWT_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  return { token: await sign(found?.id ?? '', 3600), company: found?.company ?? '' };
}

/** Returns the size of a part of the console's script, as it is sent. */
async function scriptKilobytes(part: 'first' | 'pages'): Promise<number> {
  const assets = fileURLToPath(new URL('../../dist/web/assets/', import.meta.url));
  const names = (await readdir(assets)).filter((name) => name.startsWith(`${part}-`) && name.endsWith('.js.br'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(assets, name))).size));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000);
}

async function report(): Promise<void> {
  const header = ['what', 'ms', 'least', 'most', 'goal', 'met'];
  const text = [
    '# What people wait for in the console',
    '',
    `Command: \`npm run bench -- console --record\`. Machine: ${machineInWords()}.`,
    '',
    `In Chromium, whose processor is slowed down ${SLOWER} times, from a press until what it leads to has been drawn. The service runs`,
    `beside it on a PostgreSQL server, with a company of ${people.toLocaleString('en')} people. Medians of ${times}; of several keys the`,
    'slowest counts. Lists are searched a quarter of a second after the last key, as the box waits for more.',
    '',
    markdownTable(header, rows),
    '',
    `Scripts, compressed by brotli: ${await scriptKilobytes('first')} kB for the landing page, and ${await scriptKilobytes('pages')} kB more for all`,
    'other pages but the import.',
    '',
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.record) await writeFile(fileURLToPath(new URL('../results/console.md', import.meta.url)), text);
}
