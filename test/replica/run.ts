import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { InjectOptions } from 'fastify';
import sql from 'sql-template-tag';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { buildApp } from '../../src/app/build-app.ts';
import { createContext } from '../../src/app/context.ts';
import { readConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPool } from '../../src/db/postgres/postgres-pool.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { fewPlaces } from '../support/geographies.ts';
import { COMPANIES_LIST } from '../support/list-paths.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { tryChecks } from '../support/try-checks.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReplicatedServer } from './replicated-server.ts';

/*
 * The service with a true streaming replica, of which everything happens that can, while requests go on all the time.
 * Ends with 1 where something is not as it should be; writes docs/results/replica.md.
 */
const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));
const MAX_LAG = 5_000;
/** Milliseconds within which everything has happened. */
const LIMIT = 15_000;
const [STAFF, EMPLOYEE] = ['super.admin@orgdesk.example', 'employee@acme.example'];

await using server = await startReplicatedServer();
await using proxy = await startTcpProxy(server.replicaPort);
const replicaUrl = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
const config = readConfig({
  DATABASE_URL: server.url,
  DATABASE_REPLICA_URL: replicaUrl(proxy.port),
  JWT_SECRET: TEST_SECRET,
  LOG_LEVEL: 'silent',
});
await using context = await createContext(config, { command: 'test' });
const { db } = context;
await migrate(db);
await importFolder(db, DEMO);
const geography = fewPlaces();
const app = await buildApp({ ...context, geography });
const tokens = new Map<string, string>();
for (const email of [STAFF, EMPLOYEE]) {
  const [user] = await db.query<{ id: string }>(sql`select id from users where email = ${email}`);
  tokens.set(email, await context.signToken(user?.id ?? '', 3_600));
}
const send = (as: string, request: InjectOptions) =>
  app.inject({ ...request, headers: { authorization: `Bearer ${tokens.get(as)}` } });
const state = () => context.replica?.state;

const load = { requests: 0, failures: [] as string[], slowest: 0, isOver: false, number: 0 };

/** Lists, and updates of a profile that have to be there at once, until the end. */
async function goOn(): Promise<void> {
  while (!load.isOver) {
    const began = performance.now();
    const [status, body] = await listOnce();
    load.slowest = Math.max(load.slowest, performance.now() - began);
    load.requests += 1;
    if (status !== 200) load.failures.push(`${status} ${body}`);
    await sleep(5);
  }
}
async function listOnce(): Promise<[number, string]> {
  const { statusCode, body } = await send(STAFF, { url: COMPANIES_LIST });
  return [statusCode, body];
}
async function writeOn(): Promise<void> {
  while (!load.isOver) {
    const gender = `G ${load.number++}`;
    await send(EMPLOYEE, { method: 'POST', url: '/api/users/update-profile', payload: { gender } });
    const seen = dataOf<{ gender: string }>(await send(EMPLOYEE, { url: '/api/users/profile' })).gender;
    const trail = pageOf<{ changes: { after: string }[] }>(await send(EMPLOYEE, { url: '/api/audit/list' }));
    if (seen !== gender || trail.items[0]?.changes[0]?.after !== gender) load.failures.push(`${seen} is not ${gender}`);
    load.requests += 3;
    await sleep(10);
  }
}

const becomes = (wanted: string) => waitUntil(wanted, () => state() === wanted, LIMIT);

async function onReplica(statement: ReturnType<typeof sql>): Promise<object[]> {
  await using replica = openPool({ url: replicaUrl(server.replicaPort), maxConnections: 1, statementTimeout: LIMIT });
  return await replica.query(statement);
}

/** Renames Acme and gives the milliseconds until the list shows it. */
async function rename(): Promise<number> {
  const name = `Name ${Math.random()}`;
  await db.query(sql`update companies set legal_name = ${name} where name = 'Acme'`);
  return waitUntil(
    'the name',
    async () => (await send(STAFF, { url: `${COMPANIES_LIST}?search=acme` })).body.includes(name),
    LIMIT,
  );
}

const CHECKS: Readonly<Record<string, () => Promise<string>>> = {
  'lists are read from the replica': async () => {
    const count = async () => {
      const [row] = (await onReplica(
        sql`select count(*)::integer as count from pg_stat_activity where query like '%from companies%' and application_name = 'orgdesk'`,
      )) as { count: number }[];
      return row?.count ?? 0;
    };
    await waitUntil('its connections', async () => (await count()) > 0);
    return `a change shows after ${await rename()} ms`;
  },
  'its replay is paused': async () => {
    await onReplica(sql`select pg_wal_replay_pause()::text`);
    await sleep(1_500);
    const shown = await rename();
    assert.ok(shown > 500 && shown < MAX_LAG + 500, `It showed after ${shown} ms.`);
    assert.equal(state(), 'behind');
    await db.query(sql`update system_roles set active = false where role = 'SUPER_ADMIN'`);
    const { statusCode } = await send(STAFF, { url: COMPANIES_LIST });
    await db.query(sql`update system_roles set active = true where role = 'SUPER_ADMIN'`);
    assert.equal(statusCode, 403);
    // Those of the load that were refused meanwhile were refused rightly.
    load.failures = load.failures.filter((failure) => !failure.startsWith('403 '));
    return `a change shows after ${shown} ms, from the primary; a role that is taken away counts at once`;
  },
  'its replay goes on': async () => {
    await onReplica(sql`select pg_wal_replay_resume()`);
    return `up again after ${await becomes('up')} ms`;
  },
  'it is stopped': async () => {
    await server.stopReplica();
    await becomes('down');
    return `a change shows after ${await rename()} ms`;
  },
  'it is started again': async () => {
    await server.startReplica();
    return `up again after ${await becomes('up')} ms`;
  },
  'no packet of it comes back': async () => {
    load.slowest = 0;
    proxy.blackHole();
    const took = await becomes('down');
    // Those in flight.
    await sleep(2_000);
    const { slowest } = load;
    assert.ok(slowest < 3_000, `A list took ${slowest} ms.`);
    proxy.pass();
    return `down after ${took} ms, the slowest list took ${slowest.toFixed(0)} ms; up again after ${await becomes('up')} ms`;
  },
  'it is promoted, and so no replica any more': async () => {
    await onReplica(sql`select pg_promote()`);
    await becomes('down');
    return `a change shows after ${await rename()} ms`;
  },
};

await becomes('up');
const loads = [goOn(), goOn(), goOn(), goOn(), writeOn()];
const rows = await tryChecks(CHECKS);
load.isOver = true;
await Promise.all(loads);
if (load.failures.length > 0) process.exitCode = 1;
process.stderr.write(
  load.failures
    .slice(0, 5)
    .map((failure) => `${failure}\n`)
    .join(''),
);
const report = [
  '# A replica',
  '',
  `Command: \`npm run long -- replica\`. PostgreSQL ${server.version} with a streaming replica. Machine: ${machineInWords()}.`,
  '',
  markdownTable(['what happens', 'held', 'seen'], rows),
  '',
  `Meanwhile ${load.requests} requests, of them ${load.number} updates of a profile that were looked at right afterwards, in the profile and in the ` +
    `audit trail: ${load.failures.length} failed or did not show.`,
].join('\n');
process.stdout.write(`${report}\n`);
writeFileSync('docs/results/replica.md', `${report}\n`);
await app.close();
