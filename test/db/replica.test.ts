import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildApp } from '../../src/app/build-app.ts';
import { publishChanges } from '../../src/audit/publish.ts';
import { linkIdentity } from '../../src/auth/callers/identity-queries.ts';
import type { Reader, Writer } from '../../src/db/database.ts';
import { connectionError } from '../../src/db/database-errors.ts';
import { openReplica, type Replica } from '../../src/db/postgres/replica.ts';
import { findProfileForUpdate } from '../../src/features/profile/profile-queries.ts';
import { trailFor } from '../audit/trail.ts';
import { pageOf } from '../support/answers.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Milliseconds; between two looks less than in production. */
const TIMES = { interval: 20, longestLag: 60_000 };

/** Milliseconds by which the clock of this process has been put forward. */
let ahead = 0;
const realTime = performance.now.bind(performance);
performance.now = () => realTime() + ahead;
after(() => {
  performance.now = realTime;
});
const STAFF = 'super.admin@orgdesk.example';
const MANAGER = 'manager@acme.example';

/** A second database, which says of itself what the test wants: a replica whose replay may be behind. */
const second = recordStatements(await openDemoDatabase());
const standIn = {
  /** How far it says that it has replayed; undefined: all. */
  replayed: undefined as string | undefined,
  isReplica: true,
  fault: undefined as Error | undefined,
  /** How often it has been looked at. */
  looks: 0,
};
const primary = await openDemoDatabase();
const replica = openReplica(
  primary,
  {
    async query<Row extends object>(statement: Parameters<typeof primary.query>[0]): Promise<Row[]> {
      if (standIn.fault) throw standIn.fault;
      if (!statement.text.includes('pg_last_wal_replay_lsn')) return second.db.query<Row>(statement);
      standIn.looks += 1;
      const position = standIn.replayed ?? (await primaryPosition());
      return [{ isReplica: standIn.isReplica, position }] as object[] as Row[];
    },
    [Symbol.asyncDispose]: () => second.db[Symbol.asyncDispose](),
  },
  TIMES,
);
const plain = await buildTestApp({}, async () => primary);
const app = await buildApp({ ...plain.context, geography: plain.geography, replica });
const api: TestApp = {
  ...plain,
  app,
  async send({ as, ...request }) {
    const headers = as === undefined ? {} : { authorization: `Bearer ${await plain.tokenFor(as)}` };
    return app.inject({ ...request, headers: { ...headers, ...request.headers } });
  },
};
after(async () => {
  await app.close();
  await replica[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

async function primaryPosition(): Promise<string> {
  const [row] = await primary.query<{ position: string }>(
    sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position`,
  );
  return row?.position ?? '';
}

async function becomes(state: string): Promise<void> {
  await waitUntil(`the replica to be ${state}`, () => replica.state === state);
}

/** Which of the two databases the companies list is read from. */
async function readFrom(): Promise<string> {
  const response = await api.send({ url: COMPANIES_LIST, as: STAFF, query: { search: 'Acme' } });
  const [company] = pageOf<{ name: string; legalName: string }>(response).items;
  return company?.legalName ?? 'nowhere';
}

await primary.query(sql`update companies set legal_name = 'the primary' where name = 'Acme'`);
await second.db.query(sql`update companies set legal_name = 'the replica' where name = 'Acme'`);

// The feed publishes a thousand at once: those of the demo go first.
await primary.query(sql`select publish_audit_changes(1000000)`);

describe('with a replica', () => {
  beforeEach(async () => {
    Object.assign(standIn, { replayed: undefined, isReplica: true, fault: undefined });
    await becomes('up');
    second.statements.length = 0;
  });

  it('lists are read from the replica, and nothing else is', async () => {
    const { id: companyId } = await companyNamed(primary, 'Acme');
    assert.equal(await readFrom(), 'the replica');
    for (const url of Object.values(COMPANY_LISTS)) {
      assert.equal((await api.send({ url, as: MANAGER, query: { companyId } })).statusCode, 200);
    }
    assert.equal(second.statements.length, 3);
    const written = /first_name|last_name|phone|date_of_birth|gender|address_line|pincode|updated_at|audit_|identities/;
    for (const { text } of second.statements) assert.doesNotMatch(text, written);
  });

  it('no function that writes or locks accepts the replica as its database', () => {
    const refused = [
      // @ts-expect-error a replica is no Writer
      () => findProfileForUpdate(replica, ''),
      // @ts-expect-error what may be a replica is no Writer
      (lists: Replica | Writer) => publishChanges(lists),
      // @ts-expect-error a Reader is no Writer
      (reader: Reader) => linkIdentity(reader, { issuer: '', subject: '' }, ''),
    ];
    assert.equal(refused.length, 3);
    assert.deepEqual(['mayWrite' in replica, 'mayWrite' in primary], [false, true]);
  });

  it('a caller reads their own writes at once in profile, audit trail and feed, with a replica too', async () => {
    const person = await addPerson(primary);
    assert.equal((await updateProfile(api, 'POST', person.email, { gender: 'Changed' })).statusCode, 200);
    const profile = await api.send({ url: '/api/users/profile', as: person.email });
    assert.equal(profile.json<{ data: { gender: string } }>().data.gender, 'Changed');
    assert.equal((await trailFor(api, person.email)).length, 1);
    const feed = await api.send({ url: '/api/events/list', as: person.email });
    assert.equal(feed.json<{ data: unknown[] }>().data.length, 1);
    assert.equal(second.statements.length, 0);
  });

  it('a revoked role applies from the next request, with a replica too', async () => {
    const ask = async () => (await api.send({ url: COMPANIES_LIST, as: STAFF })).statusCode;
    assert.equal(await ask(), 200);
    await primary.query(sql`update system_roles set active = false where role = 'SUPER_ADMIN'`);
    assert.equal(await ask(), 403);
    await primary.query(sql`update system_roles set active = true where role = 'SUPER_ADMIN'`);
    assert.equal(await ask(), 200);
  });

  it('a replica that stays behind is not read from until it has caught up', async () => {
    standIn.replayed = await primaryPosition();
    await primary.query(sql`update companies set credit_days = credit_days`);
    ahead += TIMES.longestLag + 1;
    await becomes('behind');
    assert.equal(await readFrom(), 'the primary');
    standIn.replayed = undefined;
    await becomes('up');
    assert.equal(await readFrom(), 'the replica');
  });

  it('a replica that replays late but steadily is read from', async () => {
    const positions: string[] = [];
    for (let round = 0; round < 20; round++) {
      await primary.query(sql`update companies set credit_days = credit_days where name = 'Acme'`);
      positions.push(await primaryPosition());
      standIn.replayed = positions.at(-3) ?? positions[0] ?? '0';
      const { looks } = standIn;
      await waitUntil('two more looks', () => standIn.looks >= looks + 2);
      assert.equal(replica.state, 'up');
      ahead += TIMES.longestLag / 6;
    }
  });

  it('the primary answers a request if the replica fails, and the replica is used again automatically', async () => {
    standIn.fault = connectionError('CONNECTION_CLOSED', 'gone');
    assert.equal(await readFrom(), 'the primary');
    await becomes('down');
    assert.equal(await readFrom(), 'the primary');
    const readiness = await api.send({ url: '/readyz' });
    assert.match(readiness.body, /replica/);
    standIn.fault = undefined;
    await becomes('up');
    assert.equal(await readFrom(), 'the replica');
  });

  it('the primary answers a request that conflicts with the recovery of the replica', async () => {
    standIn.fault = Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
    assert.equal(await readFrom(), 'the primary');
  });

  it('a server that is no longer a replica is not read from', async () => {
    standIn.isReplica = false;
    await becomes('down');
    assert.equal(await readFrom(), 'the primary');
  });
});
