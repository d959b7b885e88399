import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql, { raw, type Sql } from 'sql-template-tag';
import { buildApp } from '../../src/app/build-app.ts';
import { contextOf } from '../../src/app/context.ts';
import { updatedAtNow } from '../../src/audit/entity-sql.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { updateProfile, writtenProfiles } from '../../src/features/profile/profile-queries.ts';
import { fewPlaces } from '../../test/support/geographies.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../../test/support/templates.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';

/*
 * An update of a person with the audit trail next to the same without it, by themselves and by an administrator, on a PostgreSQL server
 * that keeps its data through a crash.
 */
const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
const GOAL = 1.25;
/** Those that a caller waits for. */
const HAVE_GOAL = ['the whole request', 'the whole request of an administrator'];
const ROUNDS = 15;
const MILLISECONDS = 400;
/** Clients at once, each with a person of its own. */
const CLIENTS = [1, 10];

const patchOf = (count: number) => ({ phone: `+91 98450 ${10_000 + (count % 90_000)}`, addressLine2: `Flat ${count}` });
type Patch = ReturnType<typeof patchOf>;
/** Updates the profile of a person. */
type Update = (userId: string, patch: Patch) => Promise<unknown>;

const REQUEST = '5f0c6a0e-6f2c-4a6e-8f3c-0a4a3d0f9b7e';

/** The statement that would do for the update, were there no trail. */
function withoutTrail(userId: string, { phone, addressLine2 }: Patch, answer = writtenProfiles): Sql {
  return sql`
    with written as (
      update users set phone = ${phone}, address_line_2 = ${addressLine2}, updated_at = ${updatedAtNow('users')}
       where id = ${userId} and active
      returning *)
    ${answer}`;
}

/** What is compared, on one database: without the trail and with it. */
const WAYS: Readonly<Record<string, (db: Database) => Promise<[without: Update, withTrail: Update]>>> = {
  'the whole request': async (db) => [await requestsTo(db, false), await requestsTo(db, true)],
  'the whole request of an administrator': async (db) => [
    await requestsTo(db, false, 'administrator'),
    await requestsTo(db, true, 'administrator'),
  ],
  'the statement alone': async (db) => [
    (userId, patch) => db.query(withoutTrail(userId, patch)),
    (userId, patch) => updateProfile(db, { kind: 'user', userId, requestId: REQUEST }, patch),
  ],
};

/** Requests to the service, which on the way to the database may lose what writes the trail. */
async function requestsTo(
  db: Database,
  withTrail: boolean,
  by: 'person' | 'administrator' = 'person',
): Promise<Update> {
  const patches = new Map<string, Patch>();
  const answer = by === 'person' ? writtenProfiles : sql`select from written`;
  /** The statement, or what does the same without the trail. */
  const lighter = (statement: Sql): Sql => {
    if (withTrail || !statement.text.includes('insert into audit_changes')) return statement;
    const given = JSON.stringify(statement.values);
    const [userId, patch] = [...patches].find(([id]) => given.includes(id)) ?? [];
    return userId && patch ? withoutTrail(userId, patch, answer) : statement;
  };
  const query: Database['query'] = (statement) => db.query(lighter(statement));
  const transaction: Database['transaction'] = (work) =>
    db.transaction((given) => work({ ...given, query: (statement) => given.query(lighter(statement)) }));
  const config = readConfig({
    LOG_LEVEL: 'silent',
    JWT_SECRET: 'a secret for benches that is long enough',
    RATE_LIMIT_USER: '0',
  });
  const context = await contextOf(config, { ...db, query, transaction });
  const geography = fewPlaces();
  const app = await buildApp({ ...context, geography });
  const tokens = new Map<string, string>();
  const [staff] = await db.query<{ id: string }>(
    sql`select user_id as id from system_roles where role = 'SUPER_ADMIN' limit 1`,
  );
  return async (userId, patch) => {
    const caller = by === 'person' ? userId : (staff?.id ?? '');
    const token = tokens.get(caller) ?? (await context.signToken(caller, 3600));
    tokens.set(caller, token);
    patches.set(userId, patch);
    const headers = { authorization: `Bearer ${token}` };
    const [url, payload] =
      by === 'person' ? ['/api/users/update-profile', patch] : ['/api/users/update', { id: userId, ...patch }];
    const response = await app.inject({ method: 'POST', url, headers, payload });
    if (response.statusCode !== 200) throw new Error(response.body);
  };
}

/** So far: each writes other values. */
let updates = 0;
let databases = 0;

await using server = await startPostgresServer(SERVER_SETTINGS);
await using templates = await makePostgresTemplates(server.url);
const rows: string[][] = [];
for (const way of Object.keys(WAYS)) for (const clients of CLIENTS) rows.push(await compare(way, clients));
await report();
process.exitCode = rows.some((row) => row.at(-1) === 'no') ? 1 : 0;

async function compare(way: string, clients: number): Promise<string[]> {
  await using db = await demoDatabase();
  const people = await db.query<{ id: string }>(sql`
    select id from users where active and id not in (select user_id from system_roles) order by id limit ${clients}`);
  const pair = await WAYS[way]?.(db);
  if (!pair) throw new TypeError(`There is no way ${way}`);
  const [without, withTrail] = pair;
  const [ratios, plain, trailed]: [number[], number[], number[]] = [[], [], []];
  // The first round is not counted.
  for (let round = 0; round <= ROUNDS; round++) {
    const times = new Map<Update, number>();
    for (const update of round % 2 === 0 ? [without, withTrail] : [withTrail, without]) {
      times.set(update, await measure(people, update));
    }
    const [a, b] = [times.get(without) ?? Number.NaN, times.get(withTrail) ?? Number.NaN];
    if (round === 0) continue;
    plain.push(a);
    trailed.push(b);
    ratios.push(b / a);
  }
  const ratio = median(ratios);
  const hasGoal = HAVE_GOAL.includes(way);
  return [
    `${way}, ${clients} at once`,
    microseconds(median(plain)),
    microseconds(median(trailed)),
    ratio.toFixed(2),
    ...(hasGoal ? [`≤ ${GOAL}`, ratio <= GOAL ? 'yes' : 'no'] : ['', '']),
  ];
}

/** @returns milliseconds that an update takes, of all clients together */
async function measure(people: readonly { id: string }[], update: Update): Promise<number> {
  const began = performance.now();
  const first = updates;
  await Promise.all(
    people.map(async ({ id }) => {
      while (performance.now() - began < MILLISECONDS) await update(id, patchOf(updates++));
    }),
  );
  return (performance.now() - began) / (updates - first);
}

async function demoDatabase(): Promise<Database> {
  const name = `bench_${++databases}`;
  await using administration = openPostgresDatabase({ url: server.url, maxConnections: 1 });
  await administration.query(sql`create database ${raw(name)} template ${raw(`${templates.prefix}_demo`)}`);
  return openPostgresDatabase({ url: databaseUrl(server.url, name), maxConnections: 10 });
}

async function report(): Promise<void> {
  const header = ['updates', 'without, µs each', 'with the trail, µs each', 'ratio', 'goal', 'met'];
  const text = [
    '# An update of a person with the audit trail, beside the same without',
    '',
    `Command: \`npm run bench -- audit --record\`. Machine: ${machineInWords()}.`,
    '',
    'Each update changes two fields, in one statement and one transaction, on a PostgreSQL server that makes its data safe at each',
    'commit. A request goes through the service, but for the socket: the token is checked, the caller is read, the profile written. An',
    'administrator changes the same fields of somebody else, in a transaction that locks the person and looks at the rules first.',
    'The ratio is that of the times within one round;',
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
