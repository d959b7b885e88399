import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { type Context, createContext } from '../../src/app/context.ts';
import { explainError } from '../../src/commands/explain-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { buildTestApp, TEST_SECRET, type TestApp } from '../support/build-test-app.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';
import { tryChecks } from '../support/try-checks.ts';
import { waitUntil } from '../support/wait-until.ts';
import { driveEverything } from './drive.ts';
import { startPooler } from './pooler.ts';

/*
 * Two instances of the service behind PgBouncer in transaction mode, with five times as many connections to it as it has to the
 * server. Ends with 1 where something is not as it should be; writes docs/results/pgbouncer.md.
 */
const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));
const POOL_SIZE = 4;
const TIME_LIMIT = 1_500;
const SETTINGS = { JWT_SECRET: TEST_SECRET, LOG_LEVEL: 'silent', DATABASE_MAX_CONNECTIONS: '10' };

await using server = await startPostgresServer();
await using templates = await makePostgresTemplates(server.url);
const directUrl = databaseUrl(server.url, `${templates.prefix}_demo`);
await using pooler = await startPooler(directUrl, POOL_SIZE);
await using direct = openPostgresDatabase({ url: directUrl, maxConnections: 1 });
const config = readConfig({ ...SETTINGS, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: directUrl });
const contexts: Context[] = [];
const apis: TestApp[] = [];
for (let instance = 0; instance < 2; instance++) {
  const context = await createContext(config, { command: 'test' });
  contexts.push(context);
  apis.push(await buildTestApp(SETTINGS, async () => context.db));
}
const [context] = contexts;
if (context === undefined) throw new TypeError('There is no instance');
const { db } = context;

const CHECKS: Readonly<Record<string, () => Promise<string>>> = {
  'schema: nothing to migrate': async () => {
    assert.deepEqual(await migrate(db), []);
    return 'past PgBouncer';
  },
  'every operation, from two instances at once, beside an import': async () => {
    const importing = importFolder(db, DEMO);
    const most = { connections: 0 };
    const watching = setInterval(async () => {
      const [row] = await direct.query<{ count: number }>(sql`
        select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and application_name = 'orgdesk'`);
      most.connections = Math.max(most.connections, row?.count ?? 0);
    }, 20);
    const requests = await driveEverything(apis, 40);
    clearInterval(watching);
    await importing;
    const open = contexts.reduce((sum, each) => sum + (each.db.poolFigures?.().open ?? 0), 0);
    // Of each instance one that listens; the import's, and this script's.
    assert.ok(most.connections <= POOL_SIZE + 4, `${most.connections} connections to the server`);
    assert.ok(open > POOL_SIZE, `${open} connections to PgBouncer`);
    return `${requests} requests, all answers right; ${open} connections to PgBouncer, ${most.connections} to the server at most, 4 of them past it`;
  },
  'a slow statement is ended by the server': () =>
    ended(['57014'], () => db.query(sql`select pg_sleep(30)`), TIME_LIMIT),
  'an update that waits for a lock is ended by the server': () =>
    direct.transaction(async (transaction) => {
      await transaction.query(sql`select from users where email = 'employee@acme.example' for update`);
      return ended(
        ['57014'],
        () => db.query(sql`update users set gender = 'Late' where email = 'employee@acme.example'`),
        TIME_LIMIT,
      );
    }),
  'a transaction that stops is ended, and its locks are free': async () => {
    const stopped = db
      .transaction(async (transaction) => {
        await transaction.query(sql`update users set gender = 'Never' where email = 'employee@acme.example'`);
        await sleep(2 * TIME_LIMIT);
        await transaction.query(sql`select 1`);
      })
      .then(
        () => undefined,
        (error: NodeJS.ErrnoException) => error.code,
      );
    const began = performance.now();
    await sleep(300);
    await direct.query(sql`select from users where email = 'employee@acme.example' for update`);
    const took = performance.now() - began;
    assert.ok(took > TIME_LIMIT && took < TIME_LIMIT + 600, `It took ${took} ms.`);
    return `free after ${took.toFixed(0)} ms; ${await stopped}`;
  },
  'nothing of it is left at the server': async () => {
    await sleep(500);
    const left = await direct.query(sql`
      select state, query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`);
    assert.deepEqual([...left], []);
    const [row] = await direct.query<{ count: number }>(sql`
      select count(*)::integer as count from users where gender in ('Late', 'Never')`);
    assert.equal(row?.count, 0);
    return 'no statement, no transaction, no change';
  },
  'deadlines do not pass to other users of PgBouncer': async () => {
    // Without a time limit, so that nothing is set; together they take all connections to the server.
    await using other = openPostgresDatabase({ url: pooler.url, directUrl, maxConnections: POOL_SIZE });
    const settings = await Promise.all(
      Array.from({ length: POOL_SIZE }, () =>
        other.query<{ value: string }>(sql`select current_setting('statement_timeout') as value, pg_sleep(0.2)::text`),
      ),
    );
    assert.deepEqual(
      settings.flat().map(({ value }) => value),
      Array(POOL_SIZE).fill('0'),
    );
    return `${POOL_SIZE} connections, none with one`;
  },
  'PgBouncer is killed and started again': async () => {
    await pooler.stop();
    const [api] = apis;
    const ask = async () => (await api?.send({ url: '/readyz' }))?.statusCode;
    await waitUntil('readiness to go', async () => (await ask()) === 503);
    await pooler.start();
    const began = performance.now();
    await waitUntil('readiness', async () => (await ask()) === 200);
    assert.ok(performance.now() - began < 5_000);
    await driveEverything(apis, 2);
    return `503 meanwhile; ready ${(performance.now() - began).toFixed(0)} ms after it was back`;
  },
  'without DATABASE_DIRECT_URL it says what is missing': async () => {
    const plain = readConfig({ ...SETTINGS, DATABASE_URL: pooler.url });
    await using wrong = openPostgresDatabase({ url: pooler.url, maxConnections: 1, statementTimeout: TIME_LIMIT });
    const error = await migrate(wrong).then(
      () => undefined,
      (reason: unknown) => explainError(reason, plain),
    );
    assert.match(String(error), /is a pooler.*Set DATABASE_DIRECT_URL/);
    return 'at the start';
  },
};

const lines = [
  '# PgBouncer',
  '',
  `Command: \`npm run long -- pgbouncer\`. PgBouncer ${pooler.version} in transaction mode, ${POOL_SIZE} connections to PostgreSQL ${templates.serverVersion}. Machine: ${machineInWords()}.`,
  '',
  markdownTable(['check', 'held', 'seen'], await tryChecks(CHECKS)),
];
process.stdout.write(`${lines.join('\n')}\n`);
writeFileSync('docs/results/pgbouncer.md', `${lines.join('\n')}\n`);
for (const api of apis) await api[Symbol.asyncDispose]();

/** Waits for an error of one of these codes, and gives when it came. */
async function ended(codes: readonly string[], work: () => Promise<unknown>, limit: number): Promise<string> {
  const began = performance.now();
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const took = performance.now() - began;
  const code = String((error as NodeJS.ErrnoException | undefined)?.code);
  assert.ok(codes.includes(code), String(error));
  assert.ok(took > limit - 100 && took < limit + 400, `It took ${took} ms.`);
  return `${code} after ${took.toFixed(0)} ms`;
}
