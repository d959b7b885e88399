import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres-database.ts';
import { profileUpdate, updateProfile } from '../../src/features/profile/profile-queries.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../../test/support/templates.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';

/*
 * A profile update with the audit trail beside the same statement without it, on a PostgreSQL server that keeps its data
 * through a crash.
 */
const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
const GOAL = 1.25;
const ROUNDS = 15;
const MILLISECONDS = 700;
/** Clients at once, each with a person of its own. */
const CLIENTS = [1, 10];

/** As a server comes, where the tests' own is made for speed alone. */
const SERVER_SETTINGS = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' };

type Update = (db: Database, userId: string, count: number) => Promise<unknown>;
const patchOf = (count: number) => ({ phone: `+91 98450 ${10_000 + (count % 90_000)}`, addressLine2: `Flat ${count}` });

const without: Update = (db, userId, count) => db.query(profileUpdate(sql`${userId}`, patchOf(count)));
const withTrail: Update = (db, userId, count) =>
  updateProfile(db, { userId, requestId: `5f0c6a0e-6f2c-4a6e-8f3c-${count}` }, patchOf(count));

/** So far: each writes other values. */
let updates = 0;

await using server = await startPostgresServer(SERVER_SETTINGS);
await using templates = await makePostgresTemplates(server.url);
const rows: string[][] = [];
for (const clients of CLIENTS) rows.push(await compare(clients));
await report();
process.exitCode = rows.some((row) => row.at(-1) === 'no') ? 1 : 0;

async function compare(clients: number): Promise<string[]> {
  await using db = await demoDatabase(clients);
  const people = await db.query<{ id: string }>(sql`select id from users where active order by id limit ${clients}`);
  const [ratios, plain, trailed]: [number[], number[], number[]] = [[], [], []];
  await measure(db, people, without);
  await measure(db, people, withTrail);
  for (let round = 0; round < ROUNDS; round++) {
    // The two take turns at going first.
    const order = round % 2 === 0 ? [without, withTrail] : [withTrail, without];
    const times = new Map<Update, number>();
    for (const update of order) times.set(update, await measure(db, people, update));
    const [a, b] = [times.get(without) ?? Number.NaN, times.get(withTrail) ?? Number.NaN];
    plain.push(a);
    trailed.push(b);
    ratios.push(b / a);
  }
  const ratio = median(ratios);
  return [
    ...[`${clients} at once`, microseconds(median(plain)), microseconds(median(trailed)), ratio.toFixed(2)],
    ...[`≤ ${GOAL}`, ratio <= GOAL ? 'yes' : 'no'],
  ];
}

/** @returns milliseconds that an update takes, of all clients together */
async function measure(db: Database, people: readonly { id: string }[], update: Update): Promise<number> {
  const began = performance.now();
  const first = updates;
  await Promise.all(
    people.map(async ({ id }) => {
      while (performance.now() - began < MILLISECONDS) await update(db, id, updates++);
    }),
  );
  return (performance.now() - began) / (updates - first);
}

async function demoDatabase(clients: number): Promise<Database> {
  const name = `bench_${clients}`;
  await using administration = openPostgresDatabase({ url: server.url, maxConnections: 1 });
  await administration.query(sql`create database ${raw(name)} template ${raw(`${templates.prefix}_demo`)}`);
  return openPostgresDatabase({ url: databaseUrl(server.url, name), maxConnections: clients });
}

async function report(): Promise<void> {
  const header = ['updates', 'without, µs each', 'with the trail, µs each', 'ratio', 'goal', 'met'];
  const text = [
    '# A profile update with the audit trail, beside the same without',
    '',
    `Command: \`npm run bench:audit -- --record\`. Machine: ${machineInWords()}.`,
    '',
    'Each update changes two fields, in one statement and one transaction, on a PostgreSQL server that makes its data safe at each',
    'commit; without HTTP and tokens, which cost the same either way. The ratio is that of the times within one round;',
    `medians of ${ROUNDS} rounds of ${MILLISECONDS} ms, in which the two take turns at going first.`,
    '',
    markdownTable(header, rows),
    '',
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (values.record) await writeFile(fileURLToPath(new URL('../results/audit.md', import.meta.url)), text);
}

function microseconds(milliseconds: number): string {
  return Math.round(milliseconds * 1000).toString();
}
